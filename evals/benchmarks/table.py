"""The benchmarks as a Markdown table and as JSON."""

import os
import platform
from collections.abc import Sequence

from pydantic import JsonValue

from evals.benchmarks.row import Figure, Row
from evals.tables import markdown

__all__ = ("report", "rows_table")


def rows_table(rows: Sequence[Row]) -> str:
    """Return a line a row; `better` says how many times better ours is than the peer."""
    head = ("what", "ours", "peer", "better", "note")
    return markdown(head, [_line(row) for row in rows])


def report(rows: Sequence[Row], chunks: int, rounds: int) -> dict[str, JsonValue]:
    """Return the rows with what the figures depend on: sizes, rounds, cores, Python."""
    return {
        "chunks_asked": chunks,
        "rounds": rounds,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "rows": [row.to_json() for row in rows],
    }


def _line(row: Row) -> tuple[str, ...]:
    sides = [_told(each, row.unit) for each in (row.ours, row.peer)]
    return (row.what, *sides, f"{_short(row.gain)} ×", row.note)


def _told(figure: Figure, unit: str) -> str:
    return f"{_short(figure.value)} {unit} ({figure.name})"


def _short(value: float) -> str:
    """Return three significant digits, thousands parted.

    >>> _short(0.01234), _short(1.5), _short(12345.6)
    ('0.0123', '1.5', '12,346')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
