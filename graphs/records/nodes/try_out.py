"""try_out: a schema tried on documents that had no part in it, and what is amiss with it."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from agent.adf import AdfFailure
from agent.records.induction import InductionState, InductionUpdate, SchemaChange
from agent.records.record import Record
from agent.records.record_schema import Schema
from graphs.asking_records import Outcome, Task, fields_of, read_all
from graphs.context import Context
from tools.records.disagreement import disagreements
from tools.records.limits import part_tokens
from tools.records.parting import Parted, found_of, part
from tools.records.parts import best_parts, split
from tools.records.reading import settle
from tools.records.uniting import difference

__all__ = ("try_out",)


def try_out(state: InductionState, runtime: Runtime[Context]) -> InductionUpdate:
    """Read the likeliest part of held-back documents; kinds that turn out to be two are parted.

    Raises:
        ProviderRejected: the server will serve none of the requests.
    """
    schema = state.schema
    if schema is None or not schema.kinds or state.options.held_back == 0:
        return {}
    documents = _held_back(state)
    outcomes = read_all(runtime, [_task(each, schema, runtime) for each in documents])
    records = [record for each in outcomes if each.reading for record in settle(each.reading)]
    update: InductionUpdate = {"tried": documents, "failures": _failures(state, outcomes)}
    stopped = next((each.stopped for each in outcomes if each.stopped), "")
    if stopped:
        update["stopped"] = stopped
    known = found_of(schema, records) if _saw_all(state, outcomes) else schema
    parted = part(known, records)
    if parted.schema != schema:
        update |= _parted(state, schema, parted)
    same = Schema(kinds=tuple(kind for kind in schema.kinds if kind in parted.schema.kinds))
    found = disagreements(same, records, _unread(outcomes, records))
    return {**update, "troubles": found}


def _saw_all(state: InductionState, outcomes: Sequence[Outcome]) -> bool:
    """Tell whether every document of the group was read from end to end."""
    whole = all(each.reading and each.task.part == (0, len(each.task.text)) for each in outcomes)
    return whole and len(outcomes) == state.groups[state.at].size


def _held_back(state: InductionState) -> tuple[int, ...]:
    """Return documents that were not shown, where there are any."""
    order = state.groups[state.at].order
    shown = state.round * state.options.documents
    return (order[shown:] or order)[: state.options.held_back]


def _task(document: int, schema: Schema, runtime: Runtime[Context]) -> Task:
    corpus = runtime.context.corpus
    text = corpus.document_text(document)
    tokens = part_tokens(runtime.context.reasoner, schema.kinds)
    parts = split(text, tokens)
    if len(parts) > 1:
        attributes = [each for kind in schema.kinds for each in kind.attributes]
        texts = [text[each.start : each.end] for each in parts]
        parts = (parts[best_parts(texts, attributes)[0]],)
    return Task(
        document=document,
        name=corpus.documents[document],
        text=text,
        part=(parts[0].start, parts[0].end),
        kinds=schema.kinds,
        fields=fields_of(corpus, document),
    )


def _failures(state: InductionState, outcomes: Sequence[Outcome]) -> tuple[AdfFailure, ...]:
    lost = [
        AdfFailure(step="extract", about=f"the trial of {each.task.name!r}", error=each.error)
        for each in outcomes
        if each.error
    ]
    return (*state.failures, *lost)


def _unread(outcomes: Sequence[Outcome], records: Sequence[Record]) -> list[str]:
    """Return the documents that were read and in which nothing was found."""
    found = {each.document for each in records if each.cells}
    names = dict.fromkeys(each.task.name for each in outcomes if each.reading)
    return [name for name in names if name not in found]


def _parted(state: InductionState, before: Schema, parted: Parted) -> InductionUpdate:
    after = parted.schema
    added, removed, changed = difference(before, after)
    why = "; ".join(parted.why) or "kinds that were never found are left out"
    change = SchemaChange(
        step="part",
        group=state.at,
        round=state.round,
        added=added,
        removed=removed,
        changed=changed,
        why=why,
    )
    return {"schema": after, "history": (*state.history, change)}
