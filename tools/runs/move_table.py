"""The log of a ledger's moves on disk: rows are added, never changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pyroaring import BitMap

from tools.runs.cells import Cell, Move
from tools.runs.id_sets import packed
from tools.statements import Statements

__all__ = ("LoggedMove", "append", "logged")


@dataclass(frozen=True, slots=True)
class LoggedMove:
    """A move as the log has it."""

    sequence: int
    """Changes in order; what was moved at once has one number."""
    step: int | None
    """The step of the history during which it was made, where that is known."""
    move: Move


def append(
    connection: Statements, run: str, sequence: int, moves: Sequence[Move], step: int | None
) -> None:
    """Log the moves of one change; a move costs a row with a compressed set, not a row a chunk."""
    connection.executemany(
        "INSERT INTO ledger_moves VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                run,
                sequence,
                position,
                move.target.condition,
                move.source.state,
                move.source.detail,
                move.target.state,
                move.target.detail,
                step,
                packed(move.ids),
            )
            for position, move in enumerate(moves)
        ),
    )


def logged(connection: Statements, run: str, among: BitMap | None) -> Iterator[LoggedMove]:
    """Yield the moves, oldest first, with one set in memory at a time.

    Args:
        connection: an open transaction.
        run: the ledger's run.
        among: the chunks asked about; of others nothing is told. None for all.
    """
    rows = connection.execute(
        "SELECT sequence, step, condition, source, source_detail, target, target_detail, ids "
        "FROM ledger_moves WHERE run = ? ORDER BY sequence, position",
        (run,),
    )
    for sequence, step, condition, source, source_detail, target, target_detail, packed_ids in rows:
        moved = BitMap.deserialize(packed_ids)
        ids = moved if among is None else moved & among
        if ids:
            old, new = (source, source_detail), (target, target_detail)
            yield LoggedMove(
                sequence, step, Move(Cell(condition, *old), Cell(condition, *new), ids)
            )
