"""The ledger's contents: for each condition disjoint sets of chunks, one a state."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pyroaring import BitMap

from agent.coverage import CoverageState

__all__ = ("NO_DETAIL", "Cell", "Cells", "Move")

NO_DETAIL = -1


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One state of one condition, with a detail.

    The detail is for `pruned` the step, for verdicts the number of the note that names the reader,
    for failures that of the reason.
    """

    condition: str
    state: CoverageState
    detail: int = NO_DETAIL


@dataclass(frozen=True, slots=True)
class Move:
    """Chunks that went from a cell to another of the same condition."""

    source: Cell
    target: Cell
    ids: BitMap


class Cells:
    """Who is where; moving a chunk takes it out of its cell and puts it into another."""

    def __init__(self, sets: Mapping[Cell, BitMap]) -> None:
        self.sets = dict(sets)
        self.moves: list[Move] = []
        """What was moved since this object was made, in order."""

    def copy(self) -> "Cells":
        """Return a copy whose moves leave this one as it is; sets are replaced, never changed."""
        return Cells(self.sets)

    def move(self, ids: BitMap, to: Cell, *, out_of: Iterable[CoverageState]) -> None:
        """Move those of the chunks that are in the given states of the condition."""
        states = set(out_of)
        moved = BitMap()
        for cell, members in list(self.sets.items()):
            if cell.condition == to.condition and cell.state in states and cell != to:
                leaving = members & ids
                if leaving:
                    self._put(cell, members - leaving)
                    self.moves.append(Move(cell, to, leaving))
                    moved |= leaving
        if moved:
            self._put(to, self.sets.get(to, BitMap()) | moved)

    def ids(self, condition: str, state: CoverageState) -> BitMap:
        """Return the chunks in a state of a condition, whatever the detail."""
        return BitMap.union(
            BitMap(),
            *(
                members
                for cell, members in self.sets.items()
                if (cell.condition, cell.state) == (condition, state)
            ),
        )

    def repeat(self, move: Move) -> None:
        """Carry out a move that is known to be possible, as a log of moves tells it."""
        self._put(move.source, self.sets.get(move.source, BitMap()) - move.ids)
        self._put(move.target, self.sets.get(move.target, BitMap()) | move.ids)

    def balance(self, condition: str) -> tuple[int, int]:
        """Return the sum of the sizes and the size of the union: equal if no two sets meet."""
        sets = [members for cell, members in self.sets.items() if cell.condition == condition]
        return sum(map(len, sets)), len(BitMap.union(BitMap(), *sets))

    def _put(self, cell: Cell, members: BitMap) -> None:
        if members:
            self.sets[cell] = members
        else:
            self.sets.pop(cell, None)
