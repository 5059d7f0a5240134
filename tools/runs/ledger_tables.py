"""The coverage ledger on disk: its cells, the log of its moves, and the notes that they refer to.

For each condition the cells are disjoint sets of chunks, one a state. Only changed cells are
rewritten; rows of the log are added, never changed.
"""

import hashlib
import json
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pyroaring import BitMap

from agent.coverage import CoverageState
from tools.sqlite_file import Statements

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

    def balance(self, condition: str) -> tuple[int, int]:
        """Return the sum of the sizes and the size of the union: equal if no two sets meet."""
        sets = [members for cell, members in self.sets.items() if cell.condition == condition]
        return sum(map(len, sets)), len(BitMap.union(BitMap(), *sets))

    def _put(self, cell: Cell, members: BitMap) -> None:
        if members:
            self.sets[cell] = members
        else:
            self.sets.pop(cell, None)


def digest_of(ids: BitMap) -> str:
    """Return the name of a set: 12 hex digits of the SHA-256 of its sorted ids as uint32.

    Equal sets have equal names, whatever calls made them: the digest is of the members, since
    Roaring can serialise one set in several ways.

    >>> digest_of(BitMap([3, 1])) == digest_of(BitMap([1, 3]))
    True
    """
    members = ids.to_array()
    if sys.byteorder == "big":
        members.byteswap()
    return hashlib.sha256(members.tobytes()).hexdigest()[:12]


def packed(ids: BitMap) -> bytes:
    """Return the set in Roaring's portable format, runs compressed; the argument is unchanged."""
    compact = BitMap(ids)
    compact.run_optimize()
    serialised: bytes = compact.serialize()
    return serialised


def header(connection: Statements, run: str) -> tuple[int, tuple[str, ...], int] | None:
    """Return the number of chunks, the conditions and the version; None without a ledger."""
    row = connection.execute(
        "SELECT chunks, conditions, version FROM ledgers WHERE run = ?", (run,)
    ).fetchone()
    return None if row is None else (row[0], tuple(json.loads(row[1])), row[2])


def begin(connection: Statements, run: str, conditions: Sequence[str], cells: Cells) -> None:
    """Write a new ledger as version 0."""
    chunks = max((len(members) for members in cells.sets.values()), default=0)
    connection.execute(
        "INSERT INTO ledgers VALUES (?, ?, ?, -1)", (run, chunks, json.dumps(list(conditions)))
    )
    save(connection, run, Cells({}), cells)


def load(connection: Statements, run: str) -> Cells:
    """Read all cells of a run."""
    rows = connection.execute(
        "SELECT condition, state, detail, ids FROM ledger_cells WHERE run = ?", (run,)
    )
    return Cells(
        {
            Cell(condition, state, detail): BitMap.deserialize(ids)
            for condition, state, detail, ids in rows
        }
    )


def save(connection: Statements, run: str, before: Cells, after: Cells) -> None:
    """Write the cells whose sets were replaced and raise the version by one."""
    connection.executemany(
        "DELETE FROM ledger_cells WHERE run = ? AND condition = ? AND state = ? AND detail = ?",
        [(run, *_key(cell)) for cell in before.sets.keys() - after.sets.keys()],
    )
    connection.executemany(
        "INSERT INTO ledger_cells VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (run, condition, state, detail) DO UPDATE SET ids = excluded.ids",
        [
            (run, *_key(cell), packed(members))
            for cell, members in after.sets.items()
            if before.sets.get(cell) is not members
        ],
    )
    connection.execute("UPDATE ledgers SET version = version + 1 WHERE run = ?", (run,))


def _key(cell: Cell) -> tuple[str, str, int]:
    return cell.condition, cell.state, cell.detail


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


def logged(
    connection: Statements, run: str, among: BitMap | None
) -> Iterator[tuple[int | None, Move]]:
    """Yield the moves, oldest first, each with the step it was made in.

    Of chunks that are not among the ones asked about nothing is told.
    """
    rows = connection.execute(
        "SELECT step, condition, source, source_detail, target, target_detail, ids "
        "FROM ledger_moves WHERE run = ? ORDER BY sequence, position",
        (run,),
    )
    for step, condition, source, source_detail, target, target_detail, packed_ids in rows:
        moved = BitMap.deserialize(packed_ids)
        ids = moved if among is None else moved & among
        if ids:
            old, new = (
                Cell(condition, *each)
                for each in ((source, source_detail), (target, target_detail))
            )
            yield step, Move(old, new, ids)


MOST_REASONS = 500
"""Different reasons that a run keeps: each is a set of its own in the ledger."""
OTHER_REASON = f"another reason: a run keeps the first {MOST_REASONS} different ones"
_LONGEST = 400


def notes(connection: Statements, run: str) -> dict[int, str]:
    """Return a run's notes by number."""
    return dict(
        connection.execute("SELECT number, text FROM ledger_notes WHERE run = ?", (run,)).fetchall()
    )


def reason_numbers(connection: Statements, run: str, reasons: Collection[str]) -> dict[str, int]:
    """Return the number of each reason; white space is single, long ones are cut.

    The number of different notes is bounded: reasons beyond it share `OTHER_REASON`.
    """
    return {reason: _bounded(connection, run, _short(reason)) for reason in reasons}


def _bounded(connection: Statements, run: str, text: str) -> int:
    query = "SELECT number FROM ledger_notes WHERE run = ? AND text = ?"
    known = connection.execute(query, (run, text)).fetchone()
    if known is not None:
        return int(known[0])
    query = "SELECT count(*) FROM ledger_notes WHERE run = ?"
    full: bool = connection.execute(query, (run,)).fetchone()[0] >= MOST_REASONS
    return note_number(connection, run, OTHER_REASON if full else text)


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"


def note_number(connection: Statements, run: str, text: str) -> int:
    """Return the number of a note, such as a reader's name; a new one if need be."""
    connection.execute(
        "INSERT INTO ledger_notes SELECT ?, count(*), ? FROM ledger_notes WHERE run = ? "
        "ON CONFLICT DO NOTHING",
        (run, text, run),
    )
    query = "SELECT number FROM ledger_notes WHERE run = ? AND text = ?"
    return int(connection.execute(query, (run, text)).fetchone()[0])
