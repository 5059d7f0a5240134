"""The lines of runs' bills on a team's server."""

from tools.postgres.tables import ServerTables

__all__ = ("BillRows",)


class BillRows:
    """The lines of one run's bill; satisfies `agent.reasoners.bill.BillLines`."""

    def __init__(self, tables: ServerTables, run: str) -> None:
        self._tables = tables
        self._run = run

    def read(self) -> list[bytes]:
        """Return the lines, oldest first."""
        query = "SELECT line FROM bills WHERE run = ? ORDER BY number"
        with self._tables.reading() as statements:
            return [line.encode() for (line,) in statements.execute(query, (self._run,))]

    def add(self, line: bytes) -> None:
        """Add a line, which the server has on disk when this returns."""
        statement = "INSERT INTO bills (run, line) VALUES (?, ?)"
        with self._tables.reading() as statements:
            statements.execute(statement, (self._run, line.decode()))
