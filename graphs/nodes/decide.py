"""decide: settle by code whatever the metadata fields decide, before anything is read."""

from langgraph.runtime import Runtime
from pyroaring import BitMap

from agent.errors import QuestionError
from agent.history import Step
from agent.question import AnyOf, Interpretation, atoms
from agent.reasoner import ToolCall
from agent.snapshot import Snapshot
from agent.state import State, Update
from graphs.context import Context
from graphs.scope import ledger, open_conditions, scope
from tools.decisions import Decision, chunks_of, decide_by_field, possible
from tools.runs.ledger import CoverageLedger

__all__ = ("decide",)


def decide(state: State, runtime: Runtime[Context]) -> Update:
    """Decide conditions that fields decide; drop the documents that cannot match any more.

    A search begins here, so what an earlier reading of a resumed run left in the store goes.
    """
    context = runtime.context
    if state.interpretation is None:
        raise QuestionError("nothing to decide: the question was never read")
    context.store.restart(scope(state))
    book = ledger(state, context)
    whole = BitMap(range(len(context.corpus)))
    first = context.store.put_ids(whole)
    decisions = [
        decide_by_field(context.corpus, atom)
        for atom in atoms(state.interpretation.conditions)
        if atom.predicate is not None
    ]
    for decision in decisions:
        _enter(decision, book, state, context)
    update: Update = {"snapshot": first, "coverage": book.coverage()}
    if decisions:
        kept = chunks_of(context.corpus, possible(context.corpus, state.interpretation.conditions))
        update |= _narrowed(state.interpretation, kept, first, book, state, context)
    return update


def _enter(decision: Decision, book: CoverageLedger, state: State, context: Context) -> None:
    """Book a decision: the chunk that bears the field is decided, the others need no reading."""
    book.judge(decision.condition, yes=decision.yes, no=decision.no, by="metadata", step=0)
    rest = BitMap(range(len(context.corpus))) - decision.yes - decision.no
    book.prune(0, rest, conditions=[decision.condition])
    context.store.add_findings(scope(state), decision.findings)


def _narrowed(
    reading: Interpretation,
    kept: BitMap,
    first: str,
    book: CoverageLedger,
    state: State,
    context: Context,
) -> Update:
    """Keep the chunks of documents that may still match, as a step of history."""
    whole = BitMap(range(len(context.corpus)))
    call = _as_call(reading)
    after = context.store.put_ids(kept)
    step = Step(
        round=1,
        call=call,
        before=first,
        after=after,
        kept=len(kept),
        discarded=len(whole) - len(kept),
        verdict="keep",
        why="decided by code from the fields of every document",
    )
    snapshot = Snapshot(
        id=after,
        parent=first,
        tool=call.tool,
        arguments=call.arguments,
        kept=step.kept,
        discarded=step.discarded,
        why=step.why,
    )
    context.store.add_snapshot(scope(state), step.round, snapshot)
    text = [condition.id for condition in open_conditions(state)]
    if text:
        book.prune(step.round, whole - kept, conditions=text)
    return {"snapshot": after, "history": (step,), "coverage": book.coverage()}


def _as_call(reading: Interpretation) -> ToolCall:
    predicates = [atom.predicate for atom in atoms(reading.conditions) if atom.predicate]
    top = reading.conditions
    return ToolCall(
        tool="metadata",
        arguments={
            "predicates": [each.model_dump(mode="json") for each in predicates],
            "match": "any" if isinstance(top, AnyOf) else "all",
        },
        why="metadata fields decide these conditions",
    )
