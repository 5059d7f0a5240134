"""Under which name a reading's snapshots, coverage and findings are kept in the run store."""

from agent.question import Condition, atoms
from agent.state import State
from graphs.context import Context
from tools.runs.ledger import CoverageLedger

__all__ = ("ledger", "open_conditions", "scope")


def scope(state: State) -> str:
    """Return the run's id; for a second or later reading, with the reading's number."""
    return state.run if state.reading == 0 else f"{state.run}.{state.reading}"


def open_conditions(state: State) -> tuple[Condition, ...]:
    """Return the conditions that text has to decide; one empty one where there is none at all.

    An entity that is named in the text without any condition still has to be read from it.
    """
    interpretation = state.interpretation
    if interpretation is None:
        return ()
    conditions = tuple(atoms(interpretation.conditions))
    texts = tuple(atom for atom in conditions if atom.predicate is None)
    if texts or interpretation.entity_field or not _read_from_text(state):
        return texts
    return (Condition(id="c0", text=f"names a {interpretation.entity_type}"),)


def _read_from_text(state: State) -> bool:
    interpretation = state.interpretation
    if interpretation is None:
        return False
    measured = interpretation.measure is not None and interpretation.measure.field is None
    return measured or interpretation.grain == "entity"


def ledger(state: State, context: Context) -> CoverageLedger:
    """Open the coverage ledger of the reading being answered."""
    interpretation = state.interpretation
    named = tuple(atom.id for atom in atoms(interpretation.conditions)) if interpretation else ()
    extra = tuple(atom.id for atom in open_conditions(state) if atom.id not in named)
    return CoverageLedger(context.store, scope(state), named + extra, len(context.corpus))
