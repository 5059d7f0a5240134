"""Rows as documents: of tables (CSV, TSV), JSON Lines and arrays of JSON objects."""

import csv
import io
import itertools
import json
import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from agent.errors import DocumentUnreadable
from tools.corpus.fields.header import flattened
from tools.corpus.fields.literals import parse_date, parse_number
from tools.corpus.readers.extracted import Extracted, Reader, decode, normalised

Row = Mapping[str, str]
_TEXT_KEYS = ("text", "content", "body", "abstract")
_KEY_KEYS = ("id", "name", "title")
_LONG = 200
_FEWEST_ROWS = 2
_SUMMARY = re.compile(
    r"^(?:grand |over-?all |sub-?)?(?:total|sum|average|mean)s?\b(?![\w'’-])|\b(?:sub-?)?totals?$",
    re.IGNORECASE,
)
"""How the label of a row begins or ends that sums up others."""
_DECIMALS = re.compile(r"\d(?:\.|,(?!\d{3}\b))(\d+)\D*$")
_ROUNDED_SHARE = 0.02
"""Of a total, what the rounding of its parts changes at most."""
_LONGEST_KEY = 80
_DAY_LENGTH = len("2024-01-31")
_Type = Literal["number", "date", "year", "text"]
_MOST_COLUMNS = 50_000
"""Three times what a spreadsheet has: each is a field of the whole corpus."""
LONGEST_CELL = 2**31 - 1
_SAMPLE = 65_536
_SEPARATOR = re.compile(r'"?sep=([^\w" \n])"?[ ,;\t]*\n', re.IGNORECASE)


def row_documents(
    rows: Sequence[tuple[int, Row, str]], encoding: str | None, warnings: Sequence[str] = ()
) -> list[Extracted]:
    """Return a document for each (number, columns, source) row, its text from its text column.

    The text column is the one called text, content, body or abstract, else those that are long in
    half of the rows or on average; without one the row reads as `Key: value` lines. The other
    columns are its fields. A row is named by its id, name or title, else by its number, and then
    has its first column for a title, where that tells all rows apart. A row that sums up others is
    returned without text.
    """
    text_keys = _text_keys([row for _, row, _ in rows])
    added = _summaries([row for _, row, _ in rows])
    told = [row for at, (_, row, _) in enumerate(rows) if at not in added]
    key_key = _named(told, _KEY_KEYS)
    title_key = key_key or _telling(told, text_keys) or ""
    seen: set[str] = set()
    extracted: list[Extracted] = []
    for at, (number, row, source) in enumerate(rows):
        key = (row.get(key_key, "") if key_key else "").strip() or str(number)
        key = key if key not in seen else f"{key}~{number}"
        seen.add(key)
        if at in added:
            extracted.append(
                Extracted(text="", key=key, row=row, broken="a row of totals, no record")
            )
            continue
        text, notes = _rendered(row, text_keys)
        extracted.append(
            Extracted(
                text=text,
                encoding=encoding,
                title=row.get(title_key) or None,
                key=key,
                source=source,
                properties={k: v for k, v in row.items() if k not in text_keys and v},
                row=row,
                warnings=(*warnings, *notes),
            )
        )
    return extracted


def _telling(rows: Sequence[Row], text_keys: Sequence[str]) -> str | None:
    """Return the first column, where it is filled, short and another in each of several rows."""
    first = next(iter(rows[0]), None) if len(rows) > 1 else None
    if first is None or first in text_keys:
        return None
    values = [row.get(first, "").strip() for row in rows]
    short = all(0 < len(each) <= _LONGEST_KEY for each in values)
    return first if short and len({*values}) == len(values) else None


def _summaries(rows: Sequence[Row]) -> set[int]:
    """Return the places of the rows that sum up others: by their label, or last and unlabelled.

    Such a row holds the sum or the mean of a column's numbers, above it or since the last one; one
    without a label holds sums wherever it is filled.
    """
    found: set[int] = set()
    begun = 0
    for at, row in enumerate(rows):
        cells = [cell.strip() for cell in row.values()]
        label = next(filter(None, cells), "")
        named = _SUMMARY.search(label) is not None
        if not named and (at < len(rows) - 1 or any(cells[:1]) or at < _FEWEST_ROWS):
            continue
        enough = any if named else all
        above = [each for place, each in enumerate(rows[:at]) if place not in found]
        since = [each for place, each in enumerate(rows[begun:at], begun) if place not in found]
        if any(enough(_sums_up(row, each, named=named)) for each in (above, since)):
            found.add(at)
            begun = at + 1
    return found


def _sums_up(row: Row, above: Sequence[Row], *, named: bool) -> list[bool]:
    """Tell of each filled cell of a row whether it sums up the numbers above it."""
    return [
        _is_sum(cell, [each.get(key, "") for each in above], named=named)
        for key, cell in row.items()
        if cell.strip()
    ]


def _is_sum(cell: str, above: Sequence[str], *, named: bool) -> bool:
    """Tell whether a number is the sum of others, as it is rounded.

    Where the row is named so, it may be their mean, or a sum that was made before they were
    rounded: four standard deviations of what that changes are plausible, no large share of it.
    """
    told = parse_number(cell)
    read = map(parse_number, above)
    numbers = {at: number for at, number in enumerate(read) if number is not None}
    if not told or not numbers:
        return False
    total, own, count = sum(numbers.values()), _rounding(cell), len(numbers)
    close = partial(math.isclose, told, rel_tol=1e-9)
    parts = min(count, 4 * math.sqrt(count / 3)) * min(_rounding(above[at]) for at in numbers)
    parts = min(parts, _ROUNDED_SHARE * abs(told)) if named else 0.0
    return close(total, abs_tol=own + parts) or (named and close(total / count, abs_tol=own))


def _rounding(cell: str) -> float:
    """Return half of what one more in the last digit adds to a number."""
    decimals = _DECIMALS.search(cell)
    return 0.5 * 10.0 ** -len(decimals[1] if decimals else "")


def _rendered(row: Row, text_keys: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    texts = [(key, row[key]) for key in text_keys if row.get(key)]
    if len(text_keys) == 1 and texts:
        return normalised(texts[0][1])
    if texts:
        return normalised("\n\n".join(f"{key}\n\n{text}" for key, text in texts))
    return normalised("".join(f"{key}: {value}\n" for key, value in row.items() if value))


def _text_keys(rows: Sequence[Row]) -> list[str]:
    if named := _named(rows, _TEXT_KEYS):
        return [named]
    lengths: defaultdict[str, list[int]] = defaultdict(list)
    for row in rows:
        for key, value in row.items():
            if value:
                lengths[key].append(len(value))
    return [
        key
        for key, own in lengths.items()
        if sum(own) > _LONG * (len(own) if 2 * len(own) >= len(rows) else len(rows))
    ]


def _named(rows: Sequence[Row], names: Sequence[str]) -> str | None:
    """Return the column of the first of the names that any row has, whatever its case."""
    columns = {key.casefold(): key for row in rows for key in row}
    return next((columns[name] for name in names if name in columns), None)


def is_data(first: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first row surely holds values like those below it, and no names.

    It does where a number or a whole date stands above nothing but its like, and no column of
    numbers or dates has another type on top. Years and numbers that rise from column to column
    may well be names, and are no sign alone.

    >>> is_data(["Ann", "61.5"], [["Bob", "70"], ["Cid", "58"]])
    True
    >>> is_data(["City", "2023"], [["Oslo", "70"], ["Bergen", "58"]])
    False
    """
    tops = [_type(cell) for cell in first]
    below = [_common([row[at] for row in rows if at < len(row)]) for at in range(len(first))]
    if any(kind not in {"text", None, top} for top, kind in zip(tops, below, strict=True)):
        return False
    alike = [at for at, top in enumerate(tops) if top == below[at]]
    numbers = [at for at in alike if tops[at] == "number"]
    dates = any(tops[at] == "date" for at in alike)
    return dates or (bool(numbers) and not _rise(first, numbers))


def _type(cell: str) -> _Type:
    date = parse_date(cell)
    if date is not None:
        return "date" if len(date) == _DAY_LENGTH else "year"
    bare = not any(map(str.isalpha, cell))
    return "number" if bare and parse_number(cell) is not None else "text"


def _common(cells: Sequence[str]) -> _Type | None:
    """Return the one type of the filled cells; text for several types; None for too few cells."""
    types = [_type(cell) for cell in cells if cell.strip()]
    if len(types) < _FEWEST_ROWS:
        return None
    return types[0] if len(set(types)) == 1 else "text"


def _rise(first: Sequence[str], columns: Sequence[int]) -> bool:
    """Tell whether these are several neighbouring columns topped by ever larger numbers."""
    tops = [parse_number(first[at]) or 0.0 for at in columns]
    neighbours = all(right - left == 1 for left, right in itertools.pairwise(columns))
    rising = all(left < right for left, right in itertools.pairwise(tops))
    return len(columns) > 1 and neighbours and rising


def read_csv(data: bytes, encoding: str | None, delimiter: str | None = None) -> list[Extracted]:
    """Return the rows, parted as a first line `sep=;` states, else as the header row tells."""
    text, found, warnings = decode(data, encoding)
    stated = _SEPARATOR.match(text)
    text = text[stated.end() :] if stated else text
    likeliest = max(",;\t", key=text[:_SAMPLE].partition("\n")[0].count)
    mark = stated[1] if stated else delimiter or likeliest
    csv.field_size_limit(LONGEST_CELL)
    read = partial(csv.reader, delimiter=mark)
    try:
        cells = list(read(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        warnings += (f"quotes that are not closed ({error}): rows may have run together",)
        cells = list(read(io.StringIO(text, newline="")))
    return table_documents(list(filter(None, cells)), found, warnings, mark)


def table_documents(
    cells: Sequence[Sequence[str]],
    encoding: str | None,
    warnings: tuple[str, ...] = (),
    mark: str = "\t",
) -> list[Extracted]:
    """Return a document for each row of a table whose first row, mostly, names its columns."""
    if len(cells) < 2:
        raise DocumentUnreadable("a table needs a header row and at least one row")
    width = max(map(len, cells))
    if width > _MOST_COLUMNS:
        raise DocumentUnreadable(f"{width} columns, more than {_MOST_COLUMNS}; split the table")
    headless = is_data(cells[0], cells[1:])
    if headless:
        warnings += ("the first row holds values like the others: the columns are column_N",)
    header = _header([""] * len(cells[0]) if headless else [*cells[0]])
    body = cells if headless else cells[1:]
    ragged = sum(len(row) > len(header) for row in body)
    if ragged:
        warnings += (f"{ragged} rows have more cells than the header; the rest is column_N",)
    names = header + [f"column_{number}" for number in range(len(header) + 1, width + 1)]
    rows = [
        (number, dict(zip(names, map(str.strip, row), strict=False)), mark.join(row))
        for number, row in enumerate(body, 1)
    ]
    return row_documents(rows, encoding, warnings)


read_tsv: Reader = partial(read_csv, delimiter="\t")


def _header(cells: list[str]) -> list[str]:
    """Return distinct column names: empty and repeated ones get their number."""
    names: dict[str, None] = {}
    for number, cell in enumerate(cells, 1):
        name = cell.strip() or f"column_{number}"
        while name in names:
            name = f"{name}_{number}"
        names[name] = None
    return list(names)


def read_json_lines(data: bytes, encoding: str | None) -> list[Extracted]:
    """Return a document for each line; a broken line is returned without text, with the reason."""
    text, found, warnings = decode(data, encoding)
    rows = []
    broken = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            if line.strip():
                rows.append(
                    (number, _row(parsed_json(line, f"line {number}"), f"line {number}"), line)
                )
        except DocumentUnreadable as error:
            broken.append(Extracted(text="", key=str(number), broken=str(error)))
    if broken and not rows:
        raise DocumentUnreadable(broken[0].broken)
    return [*row_documents(rows, found, warnings), *broken]


def read_json(data: bytes, encoding: str | None) -> list[Extracted]:
    """Return a document for each object of an array, or one for a single object."""
    text, found, warnings = decode(data, encoding)
    value = parsed_json(text, "file")
    if isinstance(value, dict):
        (row,) = row_documents([(1, _row(value, "file"), "")], found, warnings)
        return [replace(row, key=None, source=None)]
    if not isinstance(value, list):
        raise DocumentUnreadable("JSON is neither an object nor an array of objects")
    rows = [
        (number, _row(item, f"item {number}"), json.dumps(item, sort_keys=True))
        for number, item in enumerate(value, 1)
    ]
    return row_documents(rows, found, warnings)


def parsed_json(text: str, where: str) -> Any:
    """Return what JSON holds; raises DocumentUnreadable, which says `where`, for what is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DocumentUnreadable(f"{where} is no JSON ({error})") from error


def json_values(value: Any, where: str) -> dict[str, str | tuple[str, ...]]:
    """Return what an object holds; raises DocumentUnreadable, which says `where`, for no object."""
    if not isinstance(value, dict):
        raise DocumentUnreadable(f"{where} is no JSON object")
    try:
        return flattened(value)
    except RecursionError as error:
        raise DocumentUnreadable(f"{where} is nested too deeply") from error


def _row(value: Any, where: str) -> Row:
    items = json_values(value, where)
    return {key: own if isinstance(own, str) else "; ".join(own) for key, own in items.items()}
