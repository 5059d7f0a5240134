"""The benchmarks as a Markdown table and as JSON."""

import os
import platform
from collections.abc import Sequence

from pydantic import JsonValue

from evals.benchmarks.row import Figure, Row
from evals.tables import markdown

__all__ = ("report", "rows_table")

_BOUNDS = {"at most": "≤", "at least": "≥", "times": "≥"}


def rows_table(rows: Sequence[Row]) -> str:
    """Return a line a row; `better` says how many times better ours is than the peer.

    `aim` is what is promised for a million chunks of real text, and whether these figures meet it.
    """
    head = ("what", "ours", "peer", "better", "aim", "note")
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
    better = "" if row.gain is None else f"{_short(row.gain)} ×"
    sides = _told(row.ours, row.unit), _told(row.peer, row.unit)
    return (row.what, *sides, better, _aim(row), row.note)


def _told(figure: Figure | None, unit: str) -> str:
    return "" if figure is None else f"{_short(figure.value)} {unit} ({figure.name})"


def _aim(row: Row) -> str:
    if row.aim is None:
        return ""
    unit = "×" if row.aim.bound == "times" else row.unit
    bound = f"{_BOUNDS[row.aim.bound]} {_short(row.aim.value)} {unit}"
    return f"{bound}: {'met' if row.met else '**missed**'}"


def _short(value: float) -> str:
    """Return three significant digits, thousands parted.

    >>> _short(0.01234), _short(1.5), _short(12345.6)
    ('0.0123', '1.5', '12,346')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
