"""Spreadsheets (XLSX, XLSM, XLSB, XLS, ODS): their rows as documents, sheet by sheet."""

import io
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time
from typing import TYPE_CHECKING, Any

from agent.errors import DocumentUnreadable
from tools.corpus.readers.extracted import Extracted, normalised
from tools.corpus.readers.rows import table_documents

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

_EXACT = 2**53
"""From here on a spreadsheet's whole numbers are rounded."""
_HEADER = 0.75
"""The share of the most filled row's cells that a header fills at least."""
_SHOWN = 80
"""Characters of what stands above a table, in a note."""


def read_sheets(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return a document for each row of a table, and one for each sheet that is none.

    Of several sheets the rows are named after theirs, which is a field of them. Formulas have the
    values that were saved with them. What stands beside a table is named in a note.

    Raises:
        DocumentUnreadable: If it is damaged, needs a password, or no sheet holds anything.
    """
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetVisibleEnum

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        read = {name: _filled(book.get_sheet_by_name(name)) for name in book.sheet_names}
        shown = {e.name for e in book.sheets_metadata if e.visible == SheetVisibleEnum.Visible}
    except PasswordError:
        raise DocumentUnreadable("it needs a password; save a copy without one") from None
    except CalamineError as error:
        raise DocumentUnreadable(f"damaged spreadsheet ({error}); save it again") from None
    sheets = {name: cells for name, rows in read.items() if (cells := _cells(rows))}
    if not sheets:
        raise DocumentUnreadable("its sheets are empty")
    found = list[Extracted]()
    for name, cells in sheets.items():
        notes = () if name in shown else (f"sheet {name!r} is hidden",)
        for each in _documents(name, cells, notes):
            if len(sheets) == 1:
                found.append(each)
                continue
            key = name if each.key is None else f"{name}/{each.key}"
            found.append(replace(each, key=key, properties={"Sheet": name, **each.properties}))
    return found


def _filled(sheet: "CalamineSheet") -> list[list[Any]]:
    """Return a sheet's rows from its first cell on; what is merged downwards stands in each row."""
    rows = sheet.to_python(skip_empty_area=False)
    for (first, column), (last, right) in sheet.merged_cell_ranges or ():
        if column == right and last < len(rows):
            for row in rows[first + 1 : last + 1]:
                row[column] = rows[first][column]
    return rows


def _documents(
    name: str, cells: Sequence[Sequence[str]], notes: tuple[str, ...]
) -> list[Extracted]:
    """Return the rows of a sheet's table; a sheet of one column or row is a text."""
    first, last = _table(cells)
    if max(map(len, cells)) < 2 or last - first < 2:
        text, broken = normalised("".join("\t".join(row).strip() + "\n" for row in cells))
        return [Extracted(text=text, title=name, warnings=(*notes, *broken))]
    beside = [("above", row) for row in cells[:first]] + [("below", row) for row in cells[last:]]
    notes += tuple(f"{side} the table of sheet {name!r}: {_one_line(row)}" for side, row in beside)
    if any(not any(column) for column in zip(*cells[first:last], strict=True)):
        notes += (f"an empty column parts sheet {name!r}, which is read as one table",)
    return table_documents(cells[first:last], None, notes)


def _table(cells: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Return from which row to which a table goes: what is filled well, no lone cells below."""
    filled = [sum(map(bool, row)) for row in cells]
    first = next(at for at, own in enumerate(filled) if own >= _HEADER * max(filled))
    last = len(cells)
    while last - first > 2 and filled[last - 1] == 1:
        last -= 1
    return first, last if min(filled[first:last]) > 1 else len(cells)


def _one_line(row: Sequence[str]) -> str:
    return " ".join(" ".join(row).split())[:_SHOWN]


def _cells(rows: Sequence[Sequence[Any]]) -> list[list[str]]:
    """Return the filled rows as text, empty columns before and behind the filled ones left out."""
    texts = [[_text(cell) for cell in row] for row in rows]
    places = {at for row in texts for at, cell in enumerate(row) if cell}
    edges = slice(min(places, default=0), max(places, default=-1) + 1)
    return [row[edges] for row in texts if any(row)]


def _text(value: object) -> str:
    """Return a cell as it reads: whole numbers without a point, dates as ISO has them.

    >>> _text(3.0), _text(2.5), _text(datetime(2024, 1, 31)), _text(True)
    ('3', '2.5', '2024-01-31', 'true')
    """
    match value:
        case bool():
            return str(value).lower()
        case float() if value.is_integer() and abs(value) < _EXACT:
            return str(int(value))
        case float():
            return f"{value:.15g}"
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case datetime():
            return value.isoformat(" ", "minutes" if not value.second else "seconds")
        case _:
            return str(value).strip()
