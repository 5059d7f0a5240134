"""Asking for the records of texts: parts side by side, cut replies halved, slips corrected once."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
from langgraph.runtime import Runtime

import prompts
from agent.errors import HeadcountError, LimitReached, TruncatedReply
from agent.prompt_values import ExtractValues
from agent.reasoner import Failure, Prompt
from agent.records.record import Extract, SampleDocument, Span
from agent.records.record_replies import ExtractReply, SeveralReply
from agent.records.record_schema import Kind
from graphs.asking import ask_each, trace_prompt
from graphs.context import Context
from graphs.search.cost_model import passage_tokens
from tools.corpus.chunking.token_counts import count_tokens
from tools.corpus.corpus import Corpus
from tools.packing import Limits, in_order
from tools.records.reply_checking import CheckedReply, Task, check_reply, corrected
from tools.records.text_parts import headings_above, in_rows, part_tokens, split, unlikely_kinds

_SMALLEST: Final = 60
"""Tokens of a part that is not halved any more."""
_MARKED: Final = 40
"""Tokens of a document's markers and fields, about."""
CELL: Final = 45
"""Tokens of a value in a reply, with its quote."""


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


Extracted = tuple[Task, CheckedReply | HeadcountError]
"""A task with what it brought, or why it could not be read; of a cut reply's, each of its halves.
"""


def fields_of(corpus: Corpus, document: int) -> dict[str, str]:
    """Return what is known of a document beside its text, as written."""
    return {name: value.raw for name, value in corpus.document_fields(document).items()}


def digest_of(corpus: Corpus, document: int) -> str:
    """Return the digest of all that is read of a document."""
    told = [corpus.document_text(document), sorted(fields_of(corpus, document).items())]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def prompt_of(*tasks: Task, checked: CheckedReply | None = None) -> Prompt:
    """Return the prompt of tasks, several only of whole documents, or of a reply's corrections."""
    documents = []
    for each in tasks:
        text = each.text[slice(*each.part)]
        fields = {key: held for key, held in each.fields.items() if f"{key}: {held}" not in text}
        extract = Extract(text=text, start=each.part[0])
        documents.append(SampleDocument(name=each.document, fields=fields, extracts=(extract,)))
    task = tasks[0]
    return prompts.extract(
        ExtractValues(
            kinds=task.kinds,
            documents=documents,
            all_kinds=task.all_kinds,
            unlikely=unlikely_kinds(" ".join(each.text for each in documents), task.kinds),
            whole=task.whole,
            refused=() if checked is None else checked.refusals,
        )
    )


Told = tuple[Task, ExtractReply | Failure | None]
"""A task with what it brought; None where it is still to be asked alone."""


def extract_all(runtime: Runtime[Context], tasks: Sequence[Task]) -> list[Extracted]:
    """Read all tasks; a task may come back as several, one for each half of it.

    Raises ProviderRejected: the server will serve none of them, for its key, permission or model.
    """
    outcomes: list[Extracted] = []
    told = _side_by_side(runtime, tasks)
    while told:
        waiting: list[Task] = []
        for task, reply in told:
            cut = isinstance(reply, Failure) and isinstance(reply.error, TruncatedReply)
            if reply is None:
                waiting.append(task)
            elif cut and (halves := _halves(task, runtime)):
                waiting += halves
            else:
                brought = reply.error if isinstance(reply, Failure) else check_reply(reply, task)
                outcomes.append((task, brought))
        served = any(isinstance(each, CheckedReply) for _, each in outcomes)
        sent = [prompt_of(task) for task in waiting]
        told = [*zip(waiting, ask_each(runtime, sent, ExtractReply, served=served), strict=True)]
    return _corrected(runtime, outcomes)


def packed(tasks: Sequence[Task], context: Context) -> list[list[Task]]:
    """Put short documents of the same kinds together, as many as a request and its reply hold."""
    alike: dict[tuple[object, ...], list[Task]] = {}
    for task in tasks:
        sort = (task.kinds, task.all_kinds, task.whole or id(task), in_rows(task.text))
        alike.setdefault(sort, []).append(task)
    packs = []
    for group in alike.values():
        kinds, reasoner = group[0].kinds, context.reasoner
        columns = max((len(kind.attributes) for kind in kinds), default=1)
        most = part_tokens(reasoner, kinds, rows=in_rows(group[0].text))
        room = min(passage_tokens(context), most)
        limits = Limits(room, max(1, reasoner.reply_tokens // (CELL * columns)), _MARKED)
        costs = limits.costs(np.array([count_tokens(each.text) for each in group]))
        pieces = in_order(range(len(group)), costs, limits)
        packs += [[group[place] for place in piece] for piece in pieces]
    return packs


def _side_by_side(runtime: Runtime[Context], tasks: Sequence[Task]) -> list[Told]:
    """Read short documents together; what a reply leaves out or names twice is asked alone."""
    packs = packed(tasks, runtime.context)
    several = [pack for pack in packs if len(pack) > 1]
    replies = ask_each(runtime, [prompt_of(*each) for each in several], SeveralReply, served=True)
    told: list[Told] = [(pack[0], None) for pack in packs if len(pack) == 1]
    for pack, reply in zip(several, replies, strict=True):
        if isinstance(reply, Failure):
            limit = reply if isinstance(reply.error, LimitReached) else None
            told += [(task, limit) for task in pack]
            continue
        for number, task in enumerate(pack, start=1):
            own = [each for each in reply.documents if each.document == number]
            told.append((task, own[0] if len(own) == 1 else None))
    return told


def _halves(task: Task, runtime: Runtime[Context]) -> list[Task]:
    """Return the halves of a task, parted where its text may be; none where it is too short."""
    start, end = task.part
    text = task.text[start:end]
    tokens = count_tokens(text)
    if tokens <= _SMALLEST:
        return []
    parts = split(text, max(_SMALLEST // 2, -(-tokens // 2)))
    spans = ((start + first, start + last) for first, last in parts)
    own = partial(task_of, runtime.context.corpus, task.number, kinds=task.kinds, by=task.by)
    return [replace(own(span), all_kinds=task.all_kinds) for span in spans]


def _corrected(runtime: Runtime[Context], outcomes: Sequence[Extracted]) -> list[Extracted]:
    """Ask once more for values that were refused."""
    better = list(outcomes)
    wrong = [(at, task, checked) for at, (task, checked) in enumerate(outcomes)
             if isinstance(checked, CheckedReply) and checked.refusals]  # fmt: skip
    if not wrong:
        return better
    asked = [prompt_of(task, checked=checked) for _, task, checked in wrong]
    trace_prompt(runtime, asked[0])
    replies = runtime.context.reasoner.ask_many(asked, ExtractReply)
    for (at, task, checked), reply in zip(wrong, replies, strict=True):
        if not isinstance(reply, Failure):
            better[at] = task, corrected(checked, reply, task)
    return better
