"""Drawing up a schema from samples: for each group of alike documents, then one of them all.

S-RAG, section 3.2.1: rounds that show other documents and, from the second one on, questions.
"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Final

from langgraph.runtime import Runtime

import prompts
from agent.adf_state import AdfFailure
from agent.cost import Cost
from agent.errors import (
    CorpusError,
    LimitReached,
    MalformedReply,
    ModelError,
    ProviderError,
    ProviderRejected,
    SchemaError,
)
from agent.prompt_values import InduceValues
from agent.records.record import SampleDocument
from agent.records.record_replies import InduceReply
from agent.records.record_schema import Schema
from graphs.asking import ask, failed, require_writer
from graphs.context import Context
from graphs.node import Meter, Tell, silent
from graphs.records.available_records import document_rows, fields_of, open_records
from tools.corpus.corpus import Corpus
from tools.records.document_groups import (
    examples_of,
    group_documents,
    reading_order,
    sample_document,
    turn,
)
from tools.records.schema_union import alike, revised, unite
from tools.records.text_parts import sample_tokens

_DOCUMENTS: Final = 12
"""Shown in a round, as in S-RAG, 3.2.1 and appendix B; so are the two below."""
_QUESTIONS: Final = 10
_ROUNDS: Final = 4


@dataclass(frozen=True, kw_only=True)
class Induced:
    """What came of drawing up a schema."""

    result: Schema
    failures: tuple[AdfFailure, ...] = ()
    stopped: str = ""
    cost: Cost = Cost()  # noqa: RUF009 - frozen


def induce(
    context: Context,
    questions: Sequence[str] = (),
    tell: Tell = silent,
) -> Induced:
    """Draw up a schema.

    Raises QuestionError: the reader cannot write; CorpusError: the corpus has no documents;
    ProviderRejected: no request is served.
    """
    require_writer(context, "draw up a schema")
    if not context.corpus.documents:
        raise CorpusError("the corpus has no documents; index some with `headcount index`")
    drawing = _Drawing(context, tell)
    drafts = []
    for at, (order, examples) in enumerate(_groups(context.corpus), start=1):
        schema = Schema()
        for done in range(_ROUNDS):
            before = schema
            places = turn(range(len(questions)), max(0, done - 1), _QUESTIONS)
            asked = tuple(questions[place] for place in places) if before.kinds else ()
            schema = drawing.round(turn(order, done, _DOCUMENTS), asked, before, (at, done + 1))
            asked_all = alike(before, schema) and len(questions) <= done * _QUESTIONS
            if drawing.stopped or not schema.kinds or asked_all:
                break
        drafts.append(_exemplified(schema, examples))
        if drawing.stopped:
            break
    return drawing.outcome(unite(drafts))


def extend(
    context: Context,
    schema: Schema,
    tell: Tell = silent,
) -> Induced:
    """Draw up kinds for rows that were of none when they were read; the others stay as they are.

    Raises QuestionError: the reader cannot write; SchemaError: every row is of a kind.
    """
    require_writer(context, "draw up a schema")
    with closing(open_records(context.corpus)) as store:
        failures = [each for each in store.failures() if each.rows]
    places = {name: place for place, name in enumerate(context.corpus.documents)}
    unfit = [each for each in failures if each.document in places]
    if not unfit:
        raise SchemaError("every row that was read is of a kind: there is nothing to extend by")
    shown = tuple(dict.fromkeys(places[each.document] for each in unfit))
    asked = dict.fromkeys(f"What do the rows under {each.original!r} state?" for each in unfit)
    drawing = _Drawing(context, tell)
    drawn = drawing.round(turn(shown, 0, _DOCUMENTS), tuple(asked), schema, (1, 1))
    added = tuple(each for each in drawn.kinds if schema.kind(each.name) is None)
    return drawing.outcome(schema.model_copy(update={"kinds": (*schema.kinds, *added)}))


def _groups(corpus: Corpus) -> list[tuple[tuple[int, ...], tuple[str, ...]]]:
    """Return groups of alike documents, each in reading order; of several groups some examples."""
    rows = document_rows(corpus)
    found = group_documents(rows)
    groups = []
    for members in found:
        order = [int(members[place]) for place in reading_order(rows[members], _DOCUMENTS)]
        examples = () if len(found) == 1 else examples_of(rows, members, _DOCUMENTS)
        names = tuple(corpus.documents[each] for each in examples)
        groups.append((tuple(order), names))
    return groups


def _exemplified(schema: Schema, examples: tuple[str, ...]) -> Schema:
    kinds = (
        kind if kind.documents else kind.model_copy(update={"documents": examples})
        for kind in schema.kinds
    )
    return schema.model_copy(update={"kinds": tuple(kinds)})


class _Drawing:
    """Asks for schemas; keeps what could not be had."""

    def __init__(self, context: Context, tell: Tell) -> None:
        self.stopped = ""
        self._runtime = Runtime(context=context, stream_writer=tell)
        self._meter = Meter(self._runtime)
        self._failures: list[AdfFailure] = []

    def round(
        self,
        shown: Sequence[int],
        asked: tuple[str, ...],
        before: Schema,
        place: tuple[int, int],
    ) -> Schema:
        """Ask for a schema or a better one; where none can be had the one before stays."""
        documents = samples(self._runtime.context, shown, asked)
        known = before if before.kinds else None
        values = InduceValues(documents=documents, questions=asked, schema=known)
        group, number = place
        try:
            use = partial(_usable, before)
            drawn = ask(self._runtime, prompts.induce(values), InduceReply, use)
        except LimitReached as limit:
            self.stopped = str(limit)
            return before
        except ProviderRejected:
            raise
        except (ModelError, ProviderError) as error:
            about = f"a schema for group {group}, round {number}"
            self._failures.append(failed("induce", about, error))
            return before
        kinds = {kind.name: len(kind.attributes) for kind in drawn.kinds}
        told = {"group": group, "round": number, "kinds": kinds}
        self._runtime.stream_writer({"kind": "node", "node": "draw", "drawn": told})
        return drawn

    def outcome(self, result: Schema) -> Induced:
        """Return a schema with what it cost and what could not be had."""
        return Induced(
            result=result,
            failures=tuple(self._failures),
            stopped=self.stopped,
            cost=self._meter.spent(),
        )


def _usable(before: Schema, reply: InduceReply) -> Schema:
    """Return the schema of a reply; raises MalformedReply where none is left."""
    drawn = revised(before, reply)
    if before.kinds and not drawn.kinds:
        raise MalformedReply("every kind was taken out; leave those that stay unnamed")
    return drawn


def samples(
    context: Context, documents: Sequence[int], questions: Sequence[str]
) -> tuple[SampleDocument, ...]:
    """Return documents as they are shown, long ones in parts."""
    corpus = context.corpus
    tokens = sample_tokens(context.reasoner, len(documents), questions)
    return tuple(
        sample_document(
            corpus.documents[each], corpus.document_text(each), fields_of(corpus, each), tokens
        )
        for each in documents
    )
