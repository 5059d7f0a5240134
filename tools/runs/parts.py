"""The ledger read out: sets of chunks by where they stand, and the moves that led there."""

from collections.abc import Mapping
from dataclasses import dataclass

from pyroaring import BitMap

from agent.story import Standing
from tools.runs.cells import NO_DETAIL, Cell

__all__ = ("Part", "Transition", "standing")


@dataclass(frozen=True, slots=True)
class Part:
    """The chunks that stand alike under a condition."""

    condition: str
    standing: Standing
    ids: BitMap


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """Chunks that went from one standing to another."""

    sequence: int
    """Changes in order; what was moved at once has one number."""
    condition: str
    before: Standing
    after: Standing
    step: int | None
    """The step of the history during which it was done; None where that was not recorded."""
    ids: BitMap


def standing(cell: Cell, notes: Mapping[int, str]) -> Standing:
    """Say a cell of the ledger in words, given the notes it may refer to."""
    if cell.detail == NO_DETAIL:
        return Standing(state=cell.state)
    match cell.state:
        case "pruned":
            return Standing(state=cell.state, step=cell.detail)
        case "yes" | "no":
            return Standing(state=cell.state, by=notes[cell.detail])
        case _:
            return Standing(state=cell.state, reason=notes[cell.detail])
