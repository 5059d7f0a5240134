"""The steps that draw up a schema: one for each group of alike documents, then one of them all."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from langgraph.runtime import Runtime

import prompts
from agent.errors import (
    CorpusError,
    LimitReached,
    MalformedReply,
    ModelError,
    ProviderError,
    ProviderRejected,
)
from agent.prompt_values import InduceValues
from agent.records.induction import Group, InductionState, InductionUpdate, SampleDocument
from agent.records.record_replies import InduceReply
from agent.records.record_schema import Schema
from graphs.asking import ask, failed
from graphs.context import Context
from graphs.records.available_records import document_rows
from graphs.records.extraction import fields_of
from tools.records.document_groups import (
    examples_of,
    group_documents,
    reading_order,
    sample_document,
    turn,
)
from tools.records.schema_union import alike, revised, schema_from
from tools.records.schema_union import unite as united
from tools.records.text_parts import sample_tokens

_MOST = 500
"""Documents of a group that may be looked at."""
_DOCUMENTS: Final = 12
"""Shown in a round, as in S-RAG, appendix B; so are the two below."""
_QUESTIONS: Final = 10
"""Shown in a round, from the second one on."""
_ROUNDS: Final = 4
"""Rounds at most in each group of documents."""


def group(state: InductionState, runtime: Runtime[Context]) -> InductionUpdate:
    """Part the corpus into groups of alike documents; raises CorpusError where it has none."""
    corpus = runtime.context.corpus
    if state.groups:
        return {}
    if not corpus.documents:
        raise CorpusError("the corpus has no documents; index some with `headcount index`")
    rows = document_rows(corpus)
    found = group_documents(rows)
    groups = []
    for members in found:
        order = [int(members[place]) for place in reading_order(rows[members], _DOCUMENTS)]
        examples = () if len(found) == 1 else examples_of(rows, members, _DOCUMENTS)
        names = tuple(corpus.documents[each] for each in examples)
        groups.append(Group(order=tuple(order[:_MOST]), examples=names))
    return {"groups": tuple(groups)}


def draw(state: InductionState, runtime: Runtime[Context]) -> InductionUpdate:
    """Ask for a schema, or for a better one; what cannot be had is told.

    Raises ProviderRejected: no request is served.
    """
    shown = turn(state.groups[state.at].order, state.round, _DOCUMENTS)
    schema = state.schema if state.schema is not None and state.schema.kinds else None
    asked = () if schema is None else _questions(state)
    values = InduceValues(documents=samples(runtime, shown, asked), questions=asked, schema=schema)
    update: InductionUpdate = {"round": state.round + 1, "quiet": state.quiet + 1}
    try:
        drawn = ask(runtime, prompts.induce(values), InduceReply, partial(_usable, schema))
    except LimitReached as limit:
        return {"stopped": str(limit)}
    except ProviderRejected:
        raise
    except (ModelError, ProviderError) as error:
        about = f"a schema for group {state.at + 1}, round {state.round + 1}"
        return {**update, "failures": (*state.failures, failed("induce", about, error))}
    if schema is None or not alike(schema, drawn):
        update["quiet"] = 0
    return {**update, "schema": drawn}


def _usable(before: Schema | None, reply: InduceReply) -> Schema:
    """Return the schema of a reply; raises MalformedReply where none is left."""
    drawn = schema_from(reply) if before is None else revised(before, reply)
    if before is not None and not drawn.kinds:
        raise MalformedReply("every kind was taken out; leave those that stay unnamed")
    return drawn


def _questions(state: InductionState) -> tuple[str, ...]:
    if state.extended:
        return state.questions
    places = turn(range(len(state.questions)), max(0, state.round - 1), _QUESTIONS)
    return tuple(state.questions[place] for place in places)


def is_settled(state: InductionState) -> bool:
    """Tell whether another round would not be worth it."""
    if state.extended or state.round >= _ROUNDS:
        return True
    nothing = state.schema is None or not state.schema.kinds
    unasked = len(state.questions) > (state.round - 1) * _QUESTIONS
    return nothing or (state.quiet > 0 and not unasked)


def samples(
    runtime: Runtime[Context], documents: Sequence[int], questions: Sequence[str]
) -> tuple[SampleDocument, ...]:
    """Return documents as they are shown, long ones in parts."""
    corpus = runtime.context.corpus
    tokens = sample_tokens(runtime.context.reasoner, len(documents), questions)
    return tuple(
        sample_document(
            corpus.documents[each], corpus.document_text(each), fields_of(corpus, each), tokens
        )
        for each in documents
    )


def close(state: InductionState, runtime: Runtime[Context]) -> InductionUpdate:  # noqa: ARG001
    """Keep the schema; its kinds get the group's examples, by which other documents are known."""
    update: InductionUpdate = {"at": state.at + 1, "round": 0, "quiet": 0, "schema": None}
    if state.schema is not None and state.schema.kinds:
        examples = state.groups[state.at].examples
        kinds = tuple(
            kind if kind.documents else kind.model_copy(update={"documents": examples})
            for kind in state.schema.kinds
        )
        done = state.schema.model_copy(update={"kinds": kinds})
        update["drafts"] = (*state.drafts, done)
    return update


def unite(state: InductionState, runtime: Runtime[Context]) -> InductionUpdate:  # noqa: ARG001
    """Join the kinds that groups have in common."""
    return {"result": united(state.drafts)}


def what_was_drawn(
    state: InductionState, update: dict[str, Any], _: Runtime[Context]
) -> dict[str, Any]:
    """Tell the trace what the schema of the group in hand has."""
    drawn: Schema | None = update.get("schema")
    if drawn is None:
        return {}
    kinds = {kind.name: len(kind.attributes) for kind in drawn.kinds}
    return {"drawn": {"group": state.at + 1, "round": update["round"], "kinds": kinds}}


INDUCTION = (group, draw, close, unite)
"""In the order of the graph."""
