"""decide: settle by code whatever the metadata fields decide, before anything is read."""

from collections.abc import Iterator
from dataclasses import dataclass

from langgraph.runtime import Runtime
from pydantic import JsonValue
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
from tools.mentions import Mentions
from tools.runs.coverage_ledger import CoverageLedger

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
    history: tuple[Step, ...] = ()
    last = first
    for ruling in _rulings(state.interpretation, decisions, state, context):
        step = _narrowed(ruling, last, len(history) + 1, state, context)
        history, last = (*history, step), step.after
    return {"snapshot": last, "history": history, "coverage": book.coverage()}


@dataclass(frozen=True, slots=True)
class _Ruling:
    """What code rules out for certain."""

    call: ToolCall
    kept: BitMap
    why: str


def _rulings(
    reading: Interpretation, decisions: list[Decision], state: State, context: Context
) -> Iterator[_Ruling]:
    """Yield what fields and spellings rule out."""
    corpus, node = context.corpus, reading.conditions
    if decisions:
        kept = chunks_of(corpus, possible(corpus, reading.wanted))
        yield _Ruling(_as_call(reading), kept, "decided by code from the fields of every document")
    texts = open_conditions(state)
    mentions = Mentions(corpus)
    looked_for = {each.id: mentions.holding(each.terms) for each in texts}
    holding = {
        each.id: chunks | mentions.across_edges(each.terms)
        for each in texts
        if (chunks := looked_for[each.id]) is not None
    }
    if not holding:
        return
    kept = BitMap(range(len(corpus)))
    if reading.grain == "document":
        kept = chunks_of(corpus, possible(corpus, node, holding))
    if len(holding) == len(texts):
        kept &= BitMap.union(*holding.values())
    words: list[JsonValue] = [word for each in texts for word in each.terms]
    call = ToolCall(tool="mention", arguments={"words": words}, why="a mention needs its words")
    yield _Ruling(call, kept, "decided by code: nothing is mentioned without its words")


def _enter(decision: Decision, book: CoverageLedger, state: State, context: Context) -> None:
    """Book a decision: the chunk that bears the field is decided, the others need no reading."""
    book.judge(decision.condition, yes=decision.yes, no=decision.no, by="metadata", step=0)
    rest = BitMap(range(len(context.corpus))) - decision.yes - decision.no
    book.prune(0, rest, conditions=[decision.condition])
    context.store.add_findings(scope(state), decision.findings)


def _narrowed(ruling: _Ruling, before: str, round_: int, state: State, context: Context) -> Step:
    """Keep the chunks that can still matter, as a step of history."""
    candidates = context.store.ids(before)
    kept = ruling.kept & candidates
    after = context.store.put_ids(kept)
    step = Step(
        round=round_,
        call=ruling.call,
        before=before,
        after=after,
        kept=len(kept),
        discarded=len(candidates) - len(kept),
        certain=True,
        verdict="keep",
        why=ruling.why,
    )
    snapshot = Snapshot(
        id=after,
        parent=before,
        tool=ruling.call.tool,
        arguments=ruling.call.arguments,
        kept=step.kept,
        discarded=step.discarded,
        why=step.why,
    )
    context.store.add_snapshot(scope(state), step.round, snapshot)
    text = [condition.id for condition in open_conditions(state)]
    if text:
        ledger(state, context).prune(step.round, candidates - kept, conditions=text)
    return step


def _as_call(reading: Interpretation) -> ToolCall:
    predicates = [atom.predicate for atom in atoms(reading.conditions) if atom.predicate]
    return ToolCall(
        tool="metadata",
        arguments={
            "predicates": [each.model_dump(mode="json") for each in predicates],
            "match": "any" if isinstance(reading.wanted, AnyOf) else "all",
        },
        why="metadata fields decide these conditions",
    )
