"""Short texts that a ledger refers to by number: who judged, why a request failed."""

from collections.abc import Collection

from tools.statements import Statements

__all__ = ("MOST_REASONS", "OTHER_REASON", "notes", "reader_number", "reason_numbers")

MOST_REASONS = 500
"""Different reasons that a run keeps: each is a set of its own in the ledger."""
OTHER_REASON = f"another reason: a run keeps the first {MOST_REASONS} different ones"
_LONGEST = 400


def notes(connection: Statements, run: str) -> dict[int, str]:
    """Return a run's notes by number."""
    return dict(
        connection.execute("SELECT number, text FROM ledger_notes WHERE run = ?", (run,)).fetchall()
    )


def reader_number(connection: Statements, run: str, name: str) -> int:
    """Return the number of a reader's name, a new one if need be."""
    return _number(connection, run, name)


def reason_numbers(connection: Statements, run: str, reasons: Collection[str]) -> dict[str, int]:
    """Return the number of each reason; white space is single, long ones are cut.

    The number of different notes is bounded: reasons beyond it share `OTHER_REASON`.
    """
    return {reason: _bounded(connection, run, _short(reason)) for reason in reasons}


def _bounded(connection: Statements, run: str, text: str) -> int:
    known = _find(connection, run, text)
    if known is not None:
        return known
    query = "SELECT count(*) FROM ledger_notes WHERE run = ?"
    full: bool = connection.execute(query, (run,)).fetchone()[0] >= MOST_REASONS
    return _number(connection, run, OTHER_REASON if full else text)


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"


def _find(connection: Statements, run: str, text: str) -> int | None:
    query = "SELECT number FROM ledger_notes WHERE run = ? AND text = ?"
    row = connection.execute(query, (run, text)).fetchone()
    return None if row is None else int(row[0])


def _number(connection: Statements, run: str, text: str) -> int:
    connection.execute(
        "INSERT INTO ledger_notes SELECT ?, count(*), ? FROM ledger_notes WHERE run = ? "
        "ON CONFLICT DO NOTHING",
        (run, text, run),
    )
    query = "SELECT number FROM ledger_notes WHERE run = ? AND text = ?"
    return int(connection.execute(query, (run, text)).fetchone()[0])
