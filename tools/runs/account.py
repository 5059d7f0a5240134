"""What happened to all chunks of a run: which of them stand where, and the steps that did it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from agent.coverage import CoverageState
from agent.history import Step
from agent.story import Cause
from tools.runs.ledger import CoverageLedger
from tools.runs.parts import Part
from tools.runs.store import RunStore

__all__ = ("BY_FIELDS", "Account", "account", "causes")

BY_FIELDS = 0
"""The step under which chunks are booked that need no reading, for a field decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One run, or one reading of a run, chunk by chunk."""

    run: str
    """The run; for a second or later reading with the reading's number, `RUN.1`."""
    chunks: int
    """N: the parts of each condition add up to it."""
    parts: tuple[Part, ...]
    effects: dict[str, dict[int | None, Counter[CoverageState]]]
    """By condition and step, how many chunks the step moved into each state, in order; they may
    have left it since. Under None what was moved outside a recorded step."""
    causes: dict[int, Cause]
    """The steps by number."""


def account(store: RunStore, run: str, history: Sequence[Step] = ()) -> Account:
    """Return what happened to the chunks of a run.

    Args:
        store: where the run is kept.
        run: the run's id.
        history: the steps of the run's state, where it is at hand: it knows more steps than the
            store, which knows those that made a snapshot.

    Raises:
        RunError: the run has searched nothing yet.
    """
    ledger = CoverageLedger.stored(store, run)
    return Account(
        run=run,
        chunks=ledger.chunks,
        parts=ledger.parts(),
        effects=_effects(ledger),
        causes=causes(store, run, history),
    )


def _effects(ledger: CoverageLedger) -> dict[str, dict[int | None, Counter[CoverageState]]]:
    found: dict[str, dict[int | None, Counter[CoverageState]]] = {}
    for move in ledger.transitions():
        by_step = found.setdefault(move.condition, {})
        by_step.setdefault(move.step, Counter())[move.after.state] += len(move.ids)
    return found


def causes(store: RunStore, run: str, history: Sequence[Step] = ()) -> dict[int, Cause]:
    """Return the steps of a run by number; arguments as of `account`."""
    found = {
        BY_FIELDS: Cause(
            step=BY_FIELDS, tool="fields", arguments={}, why="a field of the document decides"
        )
    }
    for number, shot in store.steps(run).items():
        found[number] = Cause(
            step=number,
            tool=shot.tool,
            arguments=shot.arguments,
            why=shot.why,
            undone=shot.outcome == "rolled_back",
        )
    for step in history:
        known = found.get(step.round)
        found[step.round] = Cause(
            step=step.round,
            tool=step.call.tool,
            arguments=step.call.arguments,
            why=step.why or step.call.why,
            undone=known is not None and known.undone,
        )
    return found
