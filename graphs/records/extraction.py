"""Asking for the records of texts: parts side by side, cut replies halved, slips corrected once."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from langgraph.runtime import Runtime

import prompts
from agent.errors import (
    HeadcountError,
    LimitReached,
    ModelError,
    ProviderError,
    TruncatedReply,
)
from agent.prompt_values import ExtractValues
from agent.reasoner import Failure, Prompt
from agent.records.record import Span
from agent.records.record_replies import ExtractReply
from agent.records.record_schema import Kind
from graphs.asking import ask_each, trace_prompt
from graphs.context import Context
from tools.corpus.chunking.token_counts import count_tokens
from tools.corpus.corpus import Corpus
from tools.records.reply_checking import CheckedReply, Source, check_reply, corrected
from tools.records.text_parts import headings_above, split, unlikely_kinds

_SMALLEST: Final = 60
"""Tokens of a part that is not halved any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task(Source):
    """A part of a document to be read."""

    number: int
    """The document's place in the corpus."""
    kinds: tuple[Kind, ...]
    all_kinds: bool = True
    """Whether rows of no kind are to be told."""


def task_of(corpus: Corpus, document: int, part: Span, kinds: Sequence[Kind], by: str = "") -> Task:
    """Return the task to read a part of a document; `by` is who reads it."""
    text = corpus.document_text(document)
    return Task(
        number=document,
        document=corpus.documents[document],
        text=text,
        part=part,
        kinds=tuple(kinds),
        fields={**fields_of(corpus, document), **headings_above(text, part[0])},
        by=by,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What came of one task; of a task whose reply was cut, of its halves."""

    task: Task
    checked: CheckedReply | None = None
    """None where the part could not be read."""
    error: str = ""
    """Why not."""
    stopped: str = ""
    """The limit that was reached before."""


def fields_of(corpus: Corpus, document: int) -> dict[str, str]:
    """Return what is known of a document beside its text, as written."""
    return {name: value.raw for name, value in corpus.document_fields(document).items()}


def digest_of(corpus: Corpus, document: int) -> str:
    """Return the digest of all that is read of a document."""
    told = [corpus.document_text(document), sorted(fields_of(corpus, document).items())]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def prompt_of(task: Task, checked: CheckedReply | None = None) -> Prompt:
    """Return the prompt of a task, or the one that corrects the refused values of its reply."""
    start, end = task.part
    return prompts.extract(
        ExtractValues(
            kinds=task.kinds,
            document=task.document,
            text=task.text[start:end],
            start=start,
            fields=task.fields,
            all_kinds=task.all_kinds,
            unlikely=unlikely_kinds(task.text[start:end], task.kinds),
            whole=task.part == (0, len(task.text)),
            refused=() if checked is None else checked.refusals,
        )
    )


def extract_all(runtime: Runtime[Context], tasks: Sequence[Task]) -> list[Extraction]:
    """Read all tasks; a task may come back as several, one for each half of it.

    Raises ProviderRejected: the server will serve none of them, for its key, permission or model.
    """
    outcomes: list[Extraction] = []
    waiting = list(tasks)
    while waiting:
        again: list[Task] = []
        replies = ask_each(runtime, [prompt_of(task) for task in waiting], ExtractReply)
        for task, reply in zip(waiting, replies, strict=True):
            cut = isinstance(reply, Failure) and isinstance(reply.error, TruncatedReply)
            if cut and (halves := _halves(task, runtime)):
                again += halves
            elif isinstance(reply, Failure):
                outcomes.append(_failed(task, reply.error))
            else:
                checked = check_reply(reply, task.kinds, task)
                outcomes.append(Extraction(task=task, checked=checked))
        waiting = again
    return _corrected(runtime, outcomes)


def _halves(task: Task, runtime: Runtime[Context]) -> list[Task]:
    """Return the halves of a task, parted where its text may be; none where it is too short."""
    start, end = task.part
    text = task.text[start:end]
    tokens = count_tokens(text)
    if tokens <= _SMALLEST:
        return []
    parts = split(text, max(_SMALLEST // 2, -(-tokens // 2)))
    spans = ((start + first, start + last) for first, last in parts)
    corpus = runtime.context.corpus
    halves = (task_of(corpus, task.number, span, task.kinds, task.by) for span in spans)
    return [replace(each, all_kinds=task.all_kinds) for each in halves]


def _failed(task: Task, error: HeadcountError) -> Extraction:
    """Return an outcome that names the error; raise what is neither a model's nor a limit."""
    if isinstance(error, LimitReached):
        return Extraction(task=task, stopped=str(error))
    if not isinstance(error, ModelError | ProviderError):
        raise error
    return Extraction(task=task, error=" ".join(f"{type(error).__name__}: {error}".split()))


def _corrected(runtime: Runtime[Context], outcomes: Sequence[Extraction]) -> list[Extraction]:
    """Ask once more for values that were refused."""
    wrong = {
        place: each.checked
        for place, each in enumerate(outcomes)
        if each.checked is not None and each.checked.refusals
    }
    if not wrong:
        return list(outcomes)
    asked = [prompt_of(outcomes[place].task, checked) for place, checked in wrong.items()]
    trace_prompt(runtime, asked[0])
    replies = runtime.context.reasoner.ask_many(asked, ExtractReply)
    better = list(outcomes)
    for (place, checked), reply in zip(wrong.items(), replies, strict=True):
        if not isinstance(reply, Failure):
            task = outcomes[place].task
            better[place] = replace(
                better[place], checked=corrected(checked, reply, task.kinds, task)
            )
    return better
