"""Spreadsheets (XLSX, XLSM, XLSB, XLS, ODS): their rows as documents, sheet by sheet."""

import io
import re
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time
from itertools import groupby
from typing import TYPE_CHECKING, Any

from agent.errors import DocumentUnreadable
from agent.value import counted
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
_UNSAVED = re.compile(rb"(?:</f>|<f\b[^>]*/>)\s*(?:<v\s*/>|<v></v>)?\s*</c>")
"""A formula whose value was not saved with it."""


def read_sheets(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return a document for each row of a table, and one for each sheet that is none.

    Of several sheets the rows are named after theirs, which is a field of them; of several tables
    in a sheet after their number. Formulas have the values that were saved with them; where there
    are none, that is noted, and so is what stands beside a table.

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
    sheets = {name: cells for name, (rows, _) in read.items() if (cells := _cells(rows))}
    if not sheets:
        raise DocumentUnreadable("its sheets are empty")
    found = list[Extracted]()
    notes = _unsaved(data)
    for name, cells in sheets.items():
        notes += () if name in shown else (f"sheet {name!r} is hidden",)
        tables, parted = _tables(cells)
        notes += (f"empty rows part sheet {name!r}, which is read as one table",) if parted else ()
        merged = read[name][1]
        notes += (f"numbers merged over rows of sheet {name!r} count in each",) if merged else ()
        for number, table in enumerate(tables, start=1):
            for each in _documents(name, table, notes):
                place = [name] if len(sheets) > 1 else []
                place += [str(number)] if len(tables) > 1 else []
                told = {"Sheet": name} if len(sheets) > 1 else {}
                key = "/".join([*place, *filter(None, [each.key])]) or None
                found.append(replace(each, key=key, properties={**told, **each.properties}))
            notes = ()
    return found


def _unsaved(data: bytes) -> tuple[str, ...]:
    """Return a note on formulas of an XLSX file that no program has calculated."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return ()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheets = [each for each in archive.namelist() if each.startswith("xl/worksheets/")]
        unsaved = sum(len(_UNSAVED.findall(archive.read(each))) for each in sheets)
    told = f"{counted(unsaved, 'formula')} without a saved value: save it in a spreadsheet program"
    return (told,) if unsaved else ()


def _tables(rows: Sequence[Sequence[str]]) -> tuple[list[list[list[str]]], bool]:
    """Return the tables of a sheet, which empty rows part; and whether they part one for no reason.

    What follows empty rows is a table of its own under a line of its own, or where it begins with
    names in columns that have none above. The same names again go on with the table above.
    """
    parts = [list(part) for filled, part in groupby(rows, any) if filled]
    found, parted = parts[:1], False
    for part in parts[1:]:
        above = found[-1]
        if part[0] == above[_table(above)[0]]:
            found[-1] = above + part
        elif _begins_anew(above, part):
            found.append(part)
        else:
            told = sum(sum(map(bool, row)) > 1 for row in part)
            parted |= told > 1 and len(_body(above)) > 0
            found[-1] = above + part
    return [_trimmed(each) for each in found], parted


def _begins_anew(above: Sequence[Sequence[str]], part: Sequence[Sequence[str]]) -> bool:
    if not _body(above) or not _body(part) or max(sum(map(bool, row)) for row in part) < 2:
        return False
    first = _table(part)[0]
    head, before = part[first], above[_table(above)[0]]
    if any(map(_is_amount, head)):
        return False
    wider = any(own and not old for own, old in zip(head, before, strict=True))
    return first > 0 or wider


def _body(cells: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """Return the rows below a table's names."""
    first, last = _table(cells)
    return cells[first + 1 : last]


def _is_amount(text: str) -> bool:
    """Tell whether a cell holds a number or a date.

    >>> _is_amount("2.5"), _is_amount("2024-01-31"), _is_amount("Rent")
    (True, True, False)
    """
    for parsed in (float, date.fromisoformat):
        try:
            parsed(text[:10] if parsed is date.fromisoformat else text)
        except ValueError:
            continue
        return True
    return False


def _filled(sheet: "CalamineSheet") -> tuple[list[list[Any]], bool]:
    """Return a sheet's rows from its first cell on; what is merged downwards stands in each row.

    With them, whether a number is among it, which each row then has.
    """
    numbers = False
    rows = sheet.to_python(skip_empty_area=False)
    for (first, column), (last, right) in sheet.merged_cell_ranges or ():
        if column == right and last < len(rows):
            value = rows[first][column]
            numbers |= isinstance(value, float) or type(value) is int
            for row in rows[first + 1 : last + 1]:
                row[column] = value
    return rows, numbers


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
    head = cells[first]
    rows = [head, *(row for row in cells[first + 1 : last] if row != head)]
    return table_documents(rows, None, notes)


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
    """Return the rows as text; none where nothing is filled."""
    texts = [[_text(cell) for cell in row] for row in rows]
    return texts if any(map(any, texts)) else []


def _trimmed(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the rows without empty columns before and behind the filled ones."""
    places = [at for row in rows for at, cell in enumerate(row) if cell]
    return [list(row[min(places) : max(places) + 1]) for row in rows]


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
