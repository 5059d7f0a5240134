"""Asking for the records of texts: parts side by side, cut replies halved, slips corrected once."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from tools.records.text_parts import headings_above, split

_SMALLEST: Final = 60
"""Tokens of a part that is not halved any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A part of a document to be read."""

    document: int
    name: str
    text: str
    """The whole document's text."""
    part: Span
    kinds: tuple[Kind, ...]
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Whether the part is all of the document."""
        return self.part == (0, len(self.text))

    def source(self, by: str) -> Source:
        """Return the part as what a reply is checked against."""
        known = {**self.fields, **headings_above(self.text, self.part[0])}
        return Source(document=self.name, text=self.text, part=self.part, fields=known, by=by)


def task_of(corpus: Corpus, document: int, part: Span, kinds: Sequence[Kind]) -> Task:
    """Return the task to read a part of a document."""
    return Task(
        document=document,
        name=corpus.documents[document],
        text=corpus.document_text(document),
        part=part,
        kinds=tuple(kinds),
        fields=fields_of(corpus, document),
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
            document=task.name,
            text=task.text[start:end],
            start=start,
            fields=task.source("").fields,
            whole=task.whole,
            refused=() if checked is None else checked.refusals,
        )
    )


def extract_all(runtime: Runtime[Context], tasks: Sequence[Task]) -> list[Extraction]:
    """Read all tasks; a task may come back as several, one for each half of it.

    Raises:
        ProviderRejected: the server will serve none of them, for its key, permission or model.
    """
    outcomes: list[Extraction] = []
    waiting = list(tasks)
    while waiting:
        again: list[Task] = []
        replies = ask_each(runtime, [prompt_of(task) for task in waiting], ExtractReply)
        for task, reply in zip(waiting, replies, strict=True):
            cut = isinstance(reply, Failure) and isinstance(reply.error, TruncatedReply)
            halves = _halves(task) if cut else []
            again += halves
            if not halves:
                outcomes.append(_outcome(task, reply, runtime))
        waiting = again
    return _corrected(runtime, outcomes)


def _halves(task: Task) -> list[Task]:
    """Return the halves of a task, parted where its text may be; none where it is too short."""
    start, end = task.part
    text = task.text[start:end]
    tokens = count_tokens(text)
    if tokens <= _SMALLEST:
        return []
    parts = split(text, max(_SMALLEST // 2, -(-tokens // 2)))
    return [replace(task, part=(start + each.start, start + each.end)) for each in parts]


def _outcome(task: Task, reply: ExtractReply | Failure, runtime: Runtime[Context]) -> Extraction:
    if isinstance(reply, Failure):
        return _failed(task, reply.error)
    source = task.source(runtime.context.reasoner.name)
    return Extraction(task=task, checked=check_reply(reply, task.kinds, source))


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
            source = task.source(runtime.context.reasoner.name)
            better[place] = replace(
                better[place], checked=corrected(checked, reply, task.kinds, source)
            )
    return better
