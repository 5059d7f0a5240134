"""A reading's place in the run store: its name, its open conditions, its ledger, its snapshots."""

from typing import Any

from pyroaring import BitMap

from agent.history import Step
from agent.question import Condition, atoms
from agent.reasoner import ToolCall
from agent.state import State
from graphs.context import Context
from tools.decisions import chunks_of, mattering_in
from tools.runs.coverage_ledger import CoverageLedger


def scope(state: State) -> str:
    """Return the run's id; for a second or later reading, with the reading's number."""
    return state.run if state.reading == 0 else f"{state.run}.{state.reading}"


def open_conditions(state: State) -> tuple[Condition, ...]:
    """Return what a reader has to decide, but for what the records decide for every document.

    A measure has a condition of its own, for the number may stand in another passage than the
    words that satisfy the rest. Things named without any condition have to be read, too.
    """
    reading = state.interpreted
    settled = state.route.settled if state.route else frozenset()
    texts = [
        atom for atom in atoms(reading.conditions) if not atom.by_code and atom.id not in settled
    ]
    if reading.measure is not None and not (reading.measure.field or reading.measure.places):
        texts.append(reading.measure.stated)
    named = any(atom.literal for atom in atoms(reading.conditions))
    if not (texts or settled or named) and reading.grain == "entity" and not reading.entity_field:
        texts.append(Condition(id="named", text=f"names this kind of thing: {reading.entity_type}"))
    return tuple({each.id: each for each in texts}.values())


def within(state: State, context: Context) -> BitMap:
    """Return the chunks that can matter: all but those that code ruled out for certain."""
    certain = [step.after for step in state.history if step.certain]
    whole = BitMap(range(len(context.corpus)))
    return context.store.ids(certain[-1]) if certain else whole


def asked_in(state: State, context: Context) -> dict[str, BitMap]:
    """Return by open condition the chunks of which a reader is asked about it.

    Of `(field and a) or b`, `a` is asked only of documents that the field leaves to it. Where
    readings are searched together, what one of them needs is asked.
    """
    base, reading = within(state, context), state.interpreted
    asked = {each.id: base for each in open_conditions(state)}
    if reading.grain != "document" or reading.across:
        return asked
    if reading.measure and reading.measure.places:
        return asked  # in documents that match already, too
    together = [each.interpretation for each in state.readings if each.interpretation is not None]
    trees = [each.conditions for each in together or [reading]]
    if not any(atom.predicate for tree in trees for atom in atoms(tree)):
        return asked
    open_ = mattering_in(context.corpus, trees)
    return {
        each: base & chunks_of(context.corpus, open_[each]) if each in open_ else base
        for each in asked
    }


def unjudged(state: State, context: Context) -> BitMap:
    """Return the chunks without a verdict on a condition that is asked of them."""
    book, asked = ledger(state, context), asked_in(state, context)
    return BitMap().union(*(chunks - book.judged(each) for each, chunks in asked.items()))


def ledger(state: State, context: Context) -> CoverageLedger:
    """Open the coverage ledger of the reading being answered."""
    every = (*atoms(state.interpreted.conditions), *open_conditions(state))
    named = tuple(dict.fromkeys(atom.id for atom in every))
    return CoverageLedger(context.store, scope(state), named, len(context.corpus))


def keeping(
    kept: BitMap,
    before: str,
    call: ToolCall,
    round_: int,
    state: State,
    context: Context,
    **told: Any,
) -> Step:
    """Keep some chunks of a snapshot, in the run store, and return that as a step of history.

    `told` are its other members; the verdict is else `keep`, and the reason that of the call.
    """
    step = Step(
        round=round_,
        call=call,
        before=before,
        after=context.store.put_ids(kept),
        kept=len(kept),
        discarded=len(context.store.ids(before) - kept),
        **{"verdict": "keep", "why": call.why, **told},
    )
    context.store.add_snapshot(scope(state), round_, step.snapshot)
    return step
