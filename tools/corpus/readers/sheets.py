"""Spreadsheets (XLSX, XLSM, XLSB, XLS, ODS): their rows as documents, sheet by sheet."""

import io
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time
from typing import Any

from agent.errors import DocumentUnreadable
from tools.corpus.readers.extracted import Extracted, normalised
from tools.corpus.readers.rows import table_documents

_SHOWN = 80
"""Characters of what stands above a table, in a note."""


def read_sheets(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return a document for each row of a table, and one for each sheet that is none.

    Of several sheets the rows are named after theirs, which is a field of them. Formulas have the
    values that were saved with them. What stands alone above a table is named in a note.

    Raises:
        DocumentUnreadable: If it is damaged, needs a password, or no sheet holds anything.
    """
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        read = {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}
    except PasswordError:
        raise DocumentUnreadable("it needs a password; save a copy without one") from None
    except CalamineError as error:
        raise DocumentUnreadable(f"damaged spreadsheet ({error}); save it again") from None
    sheets = {name: cells for name, rows in read.items() if (cells := _cells(rows))}
    if not sheets:
        raise DocumentUnreadable("its sheets are empty")
    found = list[Extracted]()
    for name, cells in sheets.items():
        for each in _documents(name, cells):
            if len(sheets) == 1:
                found.append(each)
                continue
            key = name if each.key is None else f"{name}/{each.key}"
            found.append(replace(each, key=key, properties={"Sheet": name, **each.properties}))
    return found


def _documents(name: str, cells: Sequence[Sequence[str]]) -> list[Extracted]:
    """Return the rows of a sheet's table; a sheet of one column or row is a text."""
    above = _above(cells)
    if max(map(len, cells)) < 2 or len(cells) - above < 2:
        text, notes = normalised("".join("\t".join(row).strip() + "\n" for row in cells))
        return [Extracted(text=text, title=name, warnings=notes)]
    told = (f"above the table of sheet {name!r}: {_one_line(row)}" for row in cells[:above])
    return table_documents(cells[above:], None, tuple(told))


def _above(cells: Sequence[Sequence[str]]) -> int:
    """Return how many rows of at most one filled cell stand above a table."""
    rows = (at for at, row in enumerate(cells) if sum(map(bool, row)) > 1)
    return next(rows, 0)


def _one_line(row: Sequence[str]) -> str:
    return " ".join(" ".join(row).split())[:_SHOWN]


def _cells(rows: Sequence[Sequence[Any]]) -> list[list[str]]:
    """Return the filled rows as text, empty columns behind the last filled one left out."""
    texts = [[_text(cell) for cell in row] for row in rows]
    width = max((at + 1 for row in texts for at, cell in enumerate(row) if cell), default=0)
    return [row[:width] for row in texts if any(row)]


def _text(value: object) -> str:
    """Return a cell as it reads: whole numbers without a point, dates as ISO has them.

    >>> _text(3.0), _text(2.5), _text(datetime(2024, 1, 31)), _text(True)
    ('3', '2.5', '2024-01-31', 'true')
    """
    match value:
        case bool():
            return str(value).lower()
        case float():
            return f"{value:.15g}"
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case datetime():
            return value.isoformat(" ", "minutes" if not value.second else "seconds")
        case _:
            return str(value).strip()
