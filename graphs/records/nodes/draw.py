"""draw: a schema proposed from some documents, then refined by others and by questions."""

from collections.abc import Sequence
from typing import Final

from langgraph.runtime import Runtime

import prompts
from agent.errors import LimitReached, MalformedReply, ModelError, ProviderError, ProviderRejected
from agent.records.induction import (
    Disagreement,
    InductionState,
    InductionUpdate,
    SampleDocument,
    SchemaChange,
)
from agent.records.record_replies import InduceReply
from agent.records.record_schema import Schema
from graphs.asking import ask
from graphs.asking_many import failed
from graphs.asking_records import fields_of
from graphs.context import Context
from tools.records.limits import sample_tokens
from tools.records.sampling import sample_document, turn
from tools.records.uniting import difference, schema_from

__all__ = ("draw", "is_settled", "redrawn", "samples")

_ROUNDS: Final = 4
"""S-RAG, appendix B."""


def draw(state: InductionState, runtime: Runtime[Context]) -> InductionUpdate:
    """Ask for a schema, or for a better one.

    Raises:
        ProviderRejected: the server will not serve the request as it is.
    """
    options, group = state.options, state.groups[state.at]
    shown = turn(group.order, state.round, options.documents)
    later = state.schema is not None and bool(state.schema.kinds)
    asked = _questions(state) if later else ()
    update = redrawn(state, runtime, samples(runtime, shown, asked), questions=asked)
    if "stopped" in update:
        return update
    changed = bool(update.get("history", state.history) != state.history)
    update["quiet"] = 0 if changed else state.quiet + 1
    update["round"] = state.round + 1
    return update


def is_settled(state: InductionState) -> bool:
    """Tell whether another round would not be worth it."""
    options = state.options
    if state.round >= (_ROUNDS if options.rounds is None else max(1, options.rounds)):
        return True
    nothing = state.schema is None or not state.schema.kinds
    unasked = len(state.questions) > (state.round - 1) * options.questions
    return nothing or (state.quiet > 0 and not unasked)


def _questions(state: InductionState) -> tuple[str, ...]:
    """Return the questions of a round: the next ones."""
    size = state.options.questions
    places = turn(range(len(state.questions)), max(0, state.round - 1), size)
    return tuple(state.questions[place] for place in places)


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


def redrawn(
    state: InductionState,
    runtime: Runtime[Context],
    documents: Sequence[SampleDocument],
    *,
    questions: Sequence[str],
    troubles: Sequence[Disagreement] = (),
) -> InductionUpdate:
    """Ask for a schema and return what changes; what cannot be had is told."""
    schema = state.schema if state.schema is not None and state.schema.kinds else None
    prompt = prompts.induce(
        documents=documents, questions=questions, schema=schema, disagreements=troubles
    )

    def usable(reply: InduceReply) -> tuple[Schema, str]:
        drawn = schema_from(reply)
        if schema is not None and not drawn.kinds:
            raise MalformedReply("the whole table must be returned, unchanged parts too")
        return drawn, reply.why

    try:
        drawn, why = ask(runtime, prompt, InduceReply, usable)
    except LimitReached as limit:
        return {"stopped": str(limit)}
    except ProviderRejected:
        raise
    except (ModelError, ProviderError) as error:
        about = f"a schema for group {state.at + 1}, round {state.round + 1}"
        return {"failures": (*state.failures, failed("induce", about, error))}
    return _changed(state, _with_examples(drawn, schema), why, mending=bool(troubles))


def _with_examples(drawn: Schema, before: Schema | None) -> Schema:
    """Return the schema with the example documents that its kinds had before."""
    known = {kind.name: kind.documents for kind in before.kinds} if before else {}
    kinds = (
        kind.model_copy(update={"documents": known.get(kind.name, ())}) for kind in drawn.kinds
    )
    return Schema(kinds=tuple(kinds))


def _changed(state: InductionState, drawn: Schema, why: str, *, mending: bool) -> InductionUpdate:
    added, removed, changed = difference(state.schema, drawn)
    if not (added or removed or changed):
        return {"schema": drawn}
    step = "mend" if mending else "refine" if state.schema and state.schema.kinds else "propose"
    change = SchemaChange(
        step=step,
        group=state.at,
        round=state.round,
        added=added,
        removed=removed,
        changed=changed,
        why=why,
    )
    return {"schema": drawn, "history": (*state.history, change)}
