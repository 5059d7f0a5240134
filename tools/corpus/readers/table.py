"""Tables: comma- and tab-separated values, a document a row below the header row."""

import csv
import io

from agent.errors import DocumentUnreadable
from tools.corpus.readers.encoding import decode
from tools.corpus.readers.header_row import is_data
from tools.corpus.readers.reading import Reading
from tools.corpus.readers.rows import row_readings

__all__ = ("read_csv", "read_tsv")

_LONGEST_CELL = 2**31 - 1
_SAMPLE = 65_536


def read_csv(data: bytes, encoding: str | None) -> list[Reading]:
    """Return the rows; commas or, where the header row says so, semicolons or tabs part them."""
    return _read(data, encoding, None)


def read_tsv(data: bytes, encoding: str | None) -> list[Reading]:
    """Return the rows, parted by tabs."""
    return _read(data, encoding, "\t")


def _read(data: bytes, encoding: str | None, delimiter: str | None) -> list[Reading]:
    text, found, warnings = decode(data, encoding)
    mark = delimiter or _delimiter(text)
    csv.field_size_limit(_LONGEST_CELL)
    try:
        cells = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark) if row]
    except csv.Error as error:
        raise DocumentUnreadable(f"broken table ({error})") from error
    if len(cells) < 2:
        raise DocumentUnreadable("a table needs a header row and at least one row")
    headless = is_data(cells[0], cells[1:])
    if headless:
        warnings += ("the first row holds values like the others: the columns are column_N",)
    header = _header([""] * len(cells[0]) if headless else cells[0])
    body = cells if headless else cells[1:]
    ragged = sum(len(row) > len(header) for row in body)
    if ragged:
        warnings += (f"{ragged} rows have more cells than the header; the rest is column_N",)
    width = max(map(len, cells))
    names = header + [f"column_{number}" for number in range(len(header) + 1, width + 1)]
    rows = [
        (number, dict(zip(names, map(str.strip, row), strict=False)), mark.join(row))
        for number, row in enumerate(body, 1)
    ]
    return row_readings(rows, found, warnings)


def _delimiter(text: str) -> str:
    header = text[:_SAMPLE].split("\n", 1)[0]
    return max(",;\t", key=header.count)


def _header(cells: list[str]) -> list[str]:
    """Return distinct column names: empty and repeated ones get their number."""
    names: list[str] = []
    for number, cell in enumerate(cells, 1):
        name = cell.strip() or f"column_{number}"
        names.append(name if name not in names else f"{name}_{number}")
    return names
