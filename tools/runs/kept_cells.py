"""The cells of one run's ledger: kept on disk, checked at every change, shared by all openers."""

from collections.abc import Callable, Iterable

from pyroaring import BitMap

from agent.errors import LedgerError
from tools.runs.cell_table import begin, header, load, save
from tools.runs.cells import Cell, Cells
from tools.runs.database import Database
from tools.runs.move_table import LoggedMove, append, logged
from tools.runs.note_table import notes
from tools.statements import Statements

__all__ = ("Change", "KeptCells")

Change = Callable[[Cells, Statements], None]
"""Moves chunks about, within the transaction of the connection."""


class KeptCells:
    """The cells of a run; what was read or written last is cached under its version."""

    def __init__(
        self, database: Database, run: str, conditions: tuple[str, ...], chunks: int
    ) -> None:
        self._database = database
        self.run = run
        self.conditions = conditions
        self.chunks = chunks
        self.everything = BitMap(range(chunks))
        self._cached: tuple[Cells, int] = (Cells({}), -1)

    def current(self) -> Cells:
        """Return the cells as they are on disk; not to be changed."""
        with self._database.transaction() as connection:
            cells, version = self._loaded(connection)
        self._remember(connection, cells, version)
        return cells

    def noted(self) -> tuple[Cells, dict[int, str]]:
        """Return the cells and the notes that they refer to, of one moment."""
        with self._database.transaction() as connection:
            cells, version = self._loaded(connection)
            named = notes(connection, self.run)
        self._remember(connection, cells, version)
        return cells, named

    def apply(self, change: Change, step: int | None) -> None:
        """Carry a change out, check it, save and log what it moved, all or nothing.

        Raises:
            LedgerError: the states of a condition would not add up to the number of chunks.
        """
        with self._database.transaction() as connection:
            before, version = self._loaded(connection)
            after = before.copy()
            change(after, connection)
            self._check(after, {move.target.condition for move in after.moves})
            if after.sets != before.sets:
                version += 1
                save(connection, self.run, before, after)
                append(connection, self.run, version, after.moves, step)
        self._remember(connection, after.copy(), version)

    def moves(self, among: BitMap | None) -> tuple[list[LoggedMove], dict[int, str]]:
        """Return the log's moves of these chunks, oldest first, and the notes they refer to."""
        with self._database.transaction() as connection:
            self._loaded(connection)
            return list(logged(connection, self.run, among)), notes(connection, self.run)

    def _remember(self, connection: Statements, cells: Cells, version: int) -> None:
        """Cache what is on disk for good; a transaction around this one may still undo it."""
        if not connection.in_transaction:
            self._cached = (cells, version)

    def _loaded(self, connection: Statements) -> tuple[Cells, int]:
        found = header(connection, self.run)
        if found is None:
            cells = Cells({Cell(each, "unseen"): self.everything for each in self.conditions})
            begin(connection, self.run, self.conditions, cells)
            return cells, 0
        chunks, conditions, version = found
        if (chunks, conditions) != (self.chunks, self.conditions):
            raise LedgerError(
                f"run {self.run!r} keeps a ledger of {chunks} chunks and conditions {conditions}, "
                f"not of {self.chunks} and {self.conditions}"
            )
        cells, known = self._cached
        if version != known:
            cells = load(connection, self.run)
            self._check(cells, self.conditions)
        return cells, version

    def _check(self, cells: Cells, conditions: Iterable[str]) -> None:
        for condition in conditions:
            balance = cells.balance(condition)
            if balance != (self.chunks, self.chunks):
                raise LedgerError(
                    f"condition {condition!r}: {balance[0]} states over {balance[1]} chunks "
                    f"of {self.chunks}"
                )
