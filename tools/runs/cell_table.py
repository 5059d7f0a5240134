"""The ledger's contents on disk: a row a cell, only changed ones rewritten."""

import json
from collections.abc import Sequence

from pyroaring import BitMap

from tools.runs.cells import Cell, Cells
from tools.runs.id_sets import packed
from tools.statements import Statements

__all__ = ("begin", "header", "load", "save")


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
