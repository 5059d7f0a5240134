"""Tables: Markdown and ASCII tables, lines of delimited values, columns set with spaces."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agent.reasoners.rules.records.shapes import shape_of
from agent.reasoners.rules.records.structure.entry import Entry, Statement

__all__ = ("Line", "Table", "read_table", "table_entries")

_RULE: Final = re.compile(r"[\s|:+=\-–—_┼│─├┤]*\Z")
_WIDE: Final = re.compile(r"[ \t]{2,}")
_NUMBER: Final = re.compile(r"\W*\d[\d.,%\s]*\Z")
_WORDED: Final = re.compile(r"[^\W\d_]")
_SEVERAL: Final = 3
_LONGEST_HEADER: Final = 60


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text and where it begins."""

    start: int
    text: str


Cells = list[tuple[str, int]]
"""Each cell of a line as written, with its offset in the text."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table's header and rows."""

    header: tuple[str, ...]
    rows: tuple[Cells, ...]
    after: int
    """Index of the first line behind the table."""
    upright: bool = False
    """Whether its first column holds the keys and its second one the values."""


def read_table(lines: Sequence[Line], first: int) -> Table | None:
    """Return the table whose header is the line `first`, or None.

    At least one row must follow a header over a rule, two rows another one; all have as many cells
    as the header, which holds words only.
    """
    for cut in _ways(lines[first].text):
        table = _table(lines, first, cut)
        if table is not None:
            return table
    return None


def table_entries(table: Table, heading: str) -> Iterator[Entry]:
    """Yield an entry for each row, empty cells stating nothing; a table of keys is one entry."""
    if table.upright:
        stated = tuple(
            Statement(key, value, key_at, at) for (key, key_at), (value, at) in table.rows if value
        )
        if stated:
            yield Entry("keys", "", heading, stated, stated[0].start, stated[-1].end)
        return
    for row in table.rows:
        stated = tuple(
            Statement(label, value, at, at)
            for label, (value, at) in zip(table.header, row, strict=True)
            if label and value
        )
        if stated:
            yield Entry("table", "", heading, stated, stated[0].start, stated[-1].end)


def _ways(line: str) -> Iterator[Callable[[Line], Cells]]:
    """Yield the ways in which a line may be cut into cells, the surest first."""
    if "|" in line or "│" in line:
        yield _piped
    if "\t" in line.strip():
        yield lambda each: _parted(each, re.compile(r"\t"))
    if line.count(";") >= 2:
        yield lambda each: _delimited(each, ";")
    if line.count(",") >= 2 and line.count(", ") * 2 <= line.count(","):
        yield lambda each: _delimited(each, ",")
    if len(_WIDE.split(line.strip())) >= 3:
        yield lambda each: _parted(each, _WIDE)


def _table(lines: Sequence[Line], first: int, cut: Callable[[Line], Cells]) -> Table | None:
    header = cut(lines[first])
    names = [re.sub(r"[*_`]{2}|`", "", name).strip() for name, _ in header]
    if len(names) < 2 or not _is_header(names):
        return None
    rows: list[Cells] = []
    ruled = False
    at = first + 1
    while at < len(lines) and lines[at].text.strip():
        if _RULE.match(lines[at].text):
            ruled = ruled or not rows
        else:
            cells = cut(lines[at])
            if len(cells) != len(names):
                break
            rows.append(cells)
        at += 1
    if len(rows) < (1 if ruled else 2):
        return None
    if len(names) == 2 and _holds_keys([header, *rows]):
        return Table(("", ""), tuple(rows if ruled else [header, *rows]), at, upright=True)
    return Table(tuple(names), tuple(rows), at)


def _holds_keys(rows: Sequence[Cells]) -> bool:
    """Tell whether lines of two cells hold a key and its value each.

    Then every key stands once and the values are of several types, none of them a mere exception.
    """
    keys = [row[0][0] for row in rows]
    if len(set(keys)) < len(keys) or not all(_WORDED.search(key) for key in keys):
        return False
    types = Counter(shape_of(row[1][0])[0] for row in rows if row[1][0])
    often = [kind for kind, count in types.items() if count >= 2]
    return len(types) >= _SEVERAL or len(often) >= 2


def _is_header(names: Sequence[str]) -> bool:
    filled = [name for name in names if name]
    return (
        len(filled) * 2 > len(names)
        and len({name.casefold() for name in filled}) == len(filled)
        and all(len(name) <= _LONGEST_HEADER and not _NUMBER.match(name) for name in filled)
        and all(_WORDED.search(name) for name in filled)
        and not any(name.endswith((".", "!", "?", ":")) and " " in name for name in filled)
    )


def _piped(line: Line) -> Cells:
    return _parted(line, re.compile(r"(?<!\\)[|│]"), framed=True)


def _parted(line: Line, separator: re.Pattern[str], *, framed: bool = False) -> Cells:
    text = line.text.rstrip()
    begin = len(text) - len(text.lstrip(" \t" if separator.pattern != r"\t" else " "))
    end = len(text)
    if framed and text[begin : begin + 1] in {"|", "│"}:
        begin += 1
    if framed and end > begin and text[end - 1] in "|│":
        end -= 1
    cells: Cells = []
    for found in separator.finditer(text, begin, end):
        cells.append(_cell(line, begin, found.start()))
        begin = found.end()
    return [*cells, _cell(line, begin, end)]


def _cell(line: Line, begin: int, end: int) -> tuple[str, int]:
    part = line.text[begin:end]
    bare = part.strip()
    return bare, line.start + begin + (len(part) - len(part.lstrip()) if bare else 0)


def _delimited(line: Line, mark: str) -> Cells:
    """Cut a line of delimited values; a quoted value stands for what is between its marks."""
    try:
        values = next(csv.reader([line.text], delimiter=mark, strict=True), [])
    except csv.Error:
        return []
    cells: Cells = []
    at = 0
    for value in values:
        found = line.text.find(value, at)
        if found < 0:
            return []
        bare = value.strip()
        cells.append((bare, line.start + found + len(value) - len(value.lstrip())))
        at = found + len(value)
    return cells
