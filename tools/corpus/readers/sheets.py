"""Spreadsheets (XLSX, XLSM, XLSB, XLS, ODS): their rows as documents, sheet by sheet."""

import io
import math
import posixpath
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time
from functools import reduce
from itertools import groupby
from struct import unpack_from
from typing import TYPE_CHECKING, Any

from agent.english import currency_of, names_money
from agent.errors import DocumentUnreadable
from agent.value import counted
from tools.corpus.fields.literals import parse_number
from tools.corpus.readers.extracted import Extracted, normalised
from tools.corpus.readers.packed import archive_of, told_in, xml_of
from tools.corpus.readers.rows import table_documents

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

_MOST_CELLS = 100_000_000
"""Of a sheet, filled or not: a single far cell makes it 170 times as large."""
_EXACT = 2**53
"""From here on a spreadsheet's whole numbers are rounded."""
_HEADER = 0.75
"""The share of the most filled row's cells that a header fills at least."""
_SHOWN = 80
"""Characters of what stands above a table, in a note."""
_FORMULA = re.compile(rb"<(?:\w+:)?f\b")
_UNSAVED = re.compile(
    rb"(?:</(?:\w+:)?f>|<(?:\w+:)?f\b[^>]*/>)\s*"
    rb"(?:<(?:\w+:)?v\b[^>]*/>|<(?:\w+:)?v\b[^>]*></(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
"""A formula whose value was not saved with it."""
_TO_CALCULATE = re.compile(rb"fullCalcOnLoad=.(?:1|true)")
"""What programs write that leave all calculating to the one that opens the file."""
_CORE = {
    "Author": "{http://purl.org/dc/elements/1.1/}creator",
    "Created": "{http://purl.org/dc/terms/}created",
}
_UNREAD = (
    ("comments", "xl/comments", re.compile(rb"<(?:\w+:)?comment\b|\A[^<\xef]")),  # of XLSB: no XML
    ("comments", "content.xml", re.compile(rb"<office:annotation\b")),
    ("text boxes", "xl/drawings/drawing", re.compile(rb"<a:t>[^<]")),
    ("text boxes", "content.xml", re.compile(rb"<draw:[\w-]+\b[^>]*>\s*<text:p\b[^>]*[^/]>")),
)
"""What is not read: what the names of its files begin with, and what stands in them."""
_NOTE, _TXO = 0x1C, 0x1B6
"""The records of XLS that are a comment, and the text of one or of another box."""


def read_sheets(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return a document for each row of a table, and one for each sheet that is none.

    Of several sheets the rows are named after theirs, which is a field of them. Formulas have the
    values that were saved with them; where there are none, that is noted, and so is what stands
    beside a table. Numbers of XLSX files have the currency that their formats show. What an XLSX
    file's properties say is a sheet's that is a text; rows have its author as the workbook's, and
    no date, which a question by year would take for theirs.
    """
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetVisibleEnum

    try:
        notes, about = _told(data)
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        read = {name: _filled(book.get_sheet_by_name(name)) for name in book.sheet_names}
        shown = {e.name for e in book.sheets_metadata if e.visible == SheetVisibleEnum.Visible}
    except PasswordError:
        raise DocumentUnreadable("it needs a password; save a copy without one") from None
    except (CalamineError, zipfile.BadZipFile) as error:
        raise DocumentUnreadable(f"damaged spreadsheet ({error}); save it again") from None
    money = _money_formats(data)
    sheets = {
        name: cells
        for name, (rows, _) in read.items()
        if (cells := _cells(rows, money.get(name, {})))
    }
    if not sheets:
        raise DocumentUnreadable("its sheets are empty")
    found = list[Extracted]()
    for name, cells in sheets.items():
        notes += () if name in shown else (f"sheet {name!r} is hidden",)
        if read[name][1]:
            notes += (f"numbers merged over rows of sheet {name!r} count in each",)
        for each in _documents(name, cells, notes):
            is_row = each.key is not None
            told = {"Workbook author": about.get("Author", "")} if is_row else about
            own = {key: value for key, value in told.items() if value} | dict(each.properties)
            if len(sheets) == 1:
                found.append(replace(each, properties=own))
                continue
            key = f"{name}/{each.key}" if is_row else name
            found.append(replace(each, key=key, properties={"Sheet": name, **own}))
        notes = ()
    return found


def _told(data: bytes) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return notes on uncalculated formulas and unread parts; an XLSX file's properties."""
    from lxml.etree import XMLSyntaxError

    if not zipfile.is_zipfile(io.BytesIO(data)):
        return _unread(_parts_of_xls(data)), {}
    with archive_of(data) as archive:
        names = archive.namelist()
        sheets = [archive.read(each) for each in names if each.startswith("xl/worksheets/")]
        book = archive.read("xl/workbook.xml") if "xl/workbook.xml" in names else b""
        core = archive.read("docProps/core.xml") if "docProps/core.xml" in names else b"<none/>"
        unread = [
            kind
            for kind, start, sign in _UNREAD
            if any(each.startswith(start) and sign.search(archive.read(each)) for each in names)
        ]
    try:
        about = told_in(xml_of(core), _CORE)
    except XMLSyntaxError:
        about, unread = {}, [*unread, "damaged properties"]
    formulas = _FORMULA if _TO_CALCULATE.search(book) else _UNSAVED
    unsaved = sum(len(formulas.findall(each)) for each in sheets)
    told = f"{counted(unsaved, 'formula')} without a saved value: save it in a spreadsheet program"
    return ((told,) if unsaved else ()) + _unread(unread), about


def _unread(parts: Sequence[str]) -> tuple[str, ...]:
    return (f"parts not read: {', '.join(parts)}",) if parts else ()


def _parts_of_xls(data: bytes) -> list[str]:
    """Return what an XLS file holds that is not read, by the records of its workbook."""
    from olefile import OleFileIO, isOleFile

    if not isOleFile(data=data):
        return []
    kinds, at = Counter[int](), 0
    with OleFileIO(data) as opened:
        name = next((each for each in ("Workbook", "Book") if opened.exists(each)), None)
        book = opened.openstream(name).read() if name else b""
    while at + 4 <= len(book):
        kind, size = unpack_from("<HH", book, at)
        kinds[kind] += 1
        at += 4 + size
    comments, boxes = kinds[_NOTE], kinds[_TXO] - kinds[_NOTE]
    told = (("comments", comments), ("text boxes", boxes))
    return [kind for kind, count in told if count > 0]


def _joined(name: str, rows: Sequence[Sequence[str]]) -> tuple[list[Sequence[str]], str, bool]:
    """Return a sheet's filled rows, a note where empty ones part them, and if they are a table.

    The same names again go on with the table. Under a line of its own, or with texts in columns
    that have no name, another table may begin, or a section: by its form nobody can tell, so that
    the sheet is read as a text.
    """
    parts = [list(part) for filled, part in groupby(rows, any) if filled]
    found, note = parts[0], ""
    for part in parts[1:]:
        first, last = _table(found)
        names = found[first]
        full = [row for row in part if sum(map(bool, row)) > 1]
        if part[0] != names and last > first + 1 and len(full) > 1:
            note = f"empty rows part sheet {name!r}, which is read as one table"
            others = any(own and not old for own, old in zip(full[0], names, strict=True))
            if full[0] is not part[0] or others:
                told = "may hold several tables and is read as a text: give each a sheet of its own"
                return [row for row in rows if any(row)], f"sheet {name!r} {told}", False
        found = found + part
    return found, note, True


def _is_amount(text: str) -> bool:
    """Tell whether a cell holds a number or a date.

    >>> _is_amount("2.5"), _is_amount("2024-01-31"), _is_amount("Rent"), _is_amount("nan")
    (True, True, False, False)
    """
    try:
        return math.isfinite(float(text))
    except ValueError:
        pass
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True


def _filled(sheet: "CalamineSheet") -> tuple[list[list[Any]], bool]:
    """Return a sheet's rows, what is merged downwards in each, and whether a number is among it."""
    height, width = (place + 1 for place in sheet.end or (0, 0))
    if height * width > _MOST_CELLS:
        raise DocumentUnreadable(
            f"sheet {sheet.name!r} goes to row {height} and column {width}; "
            "delete what stands far from its table"
        )
    numbers = False
    rows = sheet.to_python(skip_empty_area=False)
    for (first, column), (last, _) in sheet.merged_cell_ranges or ():
        if first < len(rows) and column < len(rows[first]):
            value = rows[first][column]
            below = rows[first + 1 : last + 1]
            numbers |= bool(below) and _is_number(value)
            for row in below:
                row[column] = value
    return rows, numbers


def _documents(name: str, rows: Sequence[Sequence[str]], notes: tuple[str, ...]) -> list[Extracted]:
    """Return the rows of a sheet's table; a sheet of one column or row is a text."""
    joined, note, is_table = _joined(name, rows)
    places = [at for row in joined for at, cell in enumerate(row) if cell]
    filled = slice(min(places), max(places) + 1)
    cells = [list(row[filled]) for row in joined]
    notes += (note,) if note else ()
    first, last = _table(cells)
    if not is_table or max(map(len, cells)) < 2 or last - first < 2:
        text, broken = normalised("".join("\t".join(row).strip() + "\n" for row in cells))
        return [Extracted(text=text, title=name, warnings=(*notes, *broken))]
    beside = [("above", row) for row in cells[:first]] + [("below", row) for row in cells[last:]]
    told = ((side, " ".join(" ".join(row).split())[:_SHOWN]) for side, row in beside)
    notes += tuple(f"{side} the table of sheet {name!r}: {line}" for side, line in told)
    if any(not any(column) for column in zip(*cells[first:last], strict=True)):
        notes += (f"an empty column parts sheet {name!r}, which is read as one table",)
    head, below = cells[first], cells[first + 1 : last]
    named = not any(map(_is_amount, head))
    rows = [head, *(row for row in below if not (named and row == head))]
    return table_documents(rows, None, notes)


def _table(cells: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Return from which row to which a table goes: what is filled well, no lone cells below."""
    filled = [sum(map(bool, row)) for row in cells]
    most = max(filled)
    first = next(
        at
        for at, own in enumerate(filled)
        if own >= _HEADER * most or (own == most - 1 > 1 and not cells[at][0])  # names an index
    )
    last = len(cells)
    while last - first > 2 and filled[last - 1] == 1:
        last -= 1
    return first, last if min(filled[first:last]) > 1 else len(cells)


def _cells(rows: Sequence[Sequence[Any]], money: Mapping[tuple[int, int], str]) -> list[list[str]]:
    """Return the rows as text, numbers with their money; none where nothing is filled."""
    texts = [[_text(cell) for cell in row] for row in rows]
    for (row, column), unit in money.items():
        if row < len(rows) and column < len(rows[row]) and _is_number(rows[row][column]):
            texts[row][column] += f" {unit}"
    return texts if any(map(any, texts)) else []


def _is_number(value: object) -> bool:
    return isinstance(value, float) or type(value) is int


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


_FILES = ("xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml")
_DOLLARS = dict.fromkeys(("5", "6", "7", "8", "42", "44"), "$")
"""Formats that need not be defined in a file."""
_STATED = re.compile(r"\[\$([^\]-]+)")
_UNSHOWN = re.compile(r'\[[^\]]*\]|[_*].|["\\#0?,.]')
"""What a format says of a number's form, and its quotes."""
_PLACE = re.compile(rb"<(?:\w+:)?(row|c)\b([^>]*)>")
_ATTRIBUTE = re.compile(rb"\s([rs])=[\"'](\w+)")


def _money_formats(data: bytes) -> dict[str, dict[tuple[int, int], str]]:
    """Return by sheet the currency of each cell, by row and column from 0, that shows one."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return {}
    with archive_of(data) as archive:
        names = set(archive.namelist())
        if not names.issuperset(_FILES):
            return {}
        book, links, styles = (xml_of(archive.read(each)) for each in _FILES)
        own = {each.get("numFmtId"): each for each in styles.iterfind("{*}numFmts/{*}numFmt")}
        codes = _DOLLARS | {number: each.get("formatCode", "") for number, each in own.items()}
        formats = (each.get("numFmtId") for each in styles.iterfind("{*}cellXfs/{*}xf"))
        shown = {
            str(at).encode(): money
            for at, number in enumerate(formats)
            if (money := _money(codes.get(number, "")))
        }
        places = {each.get("Id"): posixpath.join("/xl", each.get("Target", "")) for each in links}
        found = dict[str, dict[tuple[int, int], str]]()
        for sheet in book.iter("{*}sheet") if shown else ():
            link = next((own for key, own in sheet.items() if key.endswith("}id")), None)
            place = posixpath.normpath(places.get(link, "")).lstrip("/")
            if place in names:
                found[sheet.get("name")] = dict(_priced_cells(archive.read(place), shown))
    return found


def _money(code: str) -> str | None:
    """Return the currency that a number format shows, as a number can have it behind.

    >>> _money('#,##0.00 "EUR"'), _money("[$US$-409]#,##0.00"), _money('0.0,"k"'), _money("0%")
    ('EUR', 'USD', None, None)
    """
    shown = code.partition(";")[0]
    stated = _STATED.search(shown)
    words = [stated[1].strip()] if stated else _UNSHOWN.sub("", shown).split()
    word = next((each for each in words if stated or names_money(each)), "")
    return word if word and parse_number(f"1 {word}") is not None else currency_of(word)


def _priced_cells(
    sheet: bytes, shown: Mapping[bytes, str]
) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the places and currencies of cells; one that tells no place follows the last."""
    row = column = -1
    for kind, attributes in _PLACE.findall(sheet):
        told = dict(_ATTRIBUTE.findall(attributes))
        place = told.get(b"r", b"")
        digits = place.lstrip(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        if kind == b"row":
            row, column = int(digits) - 1 if digits else row + 1, -1
            continue
        row = int(digits) - 1 if digits else row
        letters = place.removesuffix(digits)
        at = reduce(lambda number, letter: 26 * number + letter - 64, letters, 0)
        column = at - 1 if letters else column + 1
        if told.get(b"s") in shown:
            yield (row, column), shown[told[b"s"]]
