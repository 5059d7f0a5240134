"""Rows in text: a sentence of `attribute is value` pairs, `key: value` lines, table lines."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ("Row", "rows_in")

_RECORD: Final = re.compile(r"^(?P<label>[^:\n]{1,80}): (?P<body>[^\n]+)$", re.MULTILINE)
_PAIR: Final = re.compile(
    r"(?:^|, | and )(?P<key>[a-z][\w /\-]{0,60}?) is (?P<value>.*?)"
    r"(?=(?:, | and )[a-z][\w /\-]{0,60}? is |\.?$)"
)
_BLOCK: Final = re.compile(r"(?:^[A-Za-z][\w /\-]{0,40}: [^\n]+(?:\n|\Z)){2,}", re.MULTILINE)
_KEY_LINE: Final = re.compile(r"^([A-Za-z][\w /\-]{0,40}): ([^\n]+)$", re.MULTILINE)
_TABLE: Final = re.compile(r"(?:^[^\n|]*(?:\|[^\n|]*){1,}(?:\n|\Z)){2,}", re.MULTILINE)
_RULE: Final = re.compile(r"[\s|:+=\-]+\Z")


@dataclass(frozen=True, slots=True)
class Row:
    """One entity's attributes as a piece of text gives them."""

    label: str
    """What precedes the attributes: `Battle record 3`; empty where nothing does."""
    attributes: Mapping[str, str]
    """Lower-cased attribute → value as written."""
    start: int
    end: int


def rows_in(text: str) -> Iterator[Row]:
    """Yield the rows of a text in the three forms, each form from top to bottom.

    >>> [row] = rows_in("Ship record 2: name is Tana, tonnage is 90 and flag is Norway.")
    >>> row.label, dict(row.attributes)
    ('Ship record 2', {'name': 'Tana', 'tonnage': '90', 'flag': 'Norway'})
    """
    taken: list[tuple[int, int]] = []
    for found in _RECORD.finditer(text):
        pairs = {pair["key"]: pair["value"].strip() for pair in _PAIR.finditer(found["body"])}
        if len(pairs) >= 2:
            taken.append(found.span())
            yield Row(found["label"], pairs, *found.span())
    if taken:
        return
    for block in _BLOCK.finditer(text):
        keys = {key.lower(): value.strip() for key, value in _KEY_LINE.findall(block.group())}
        yield Row("", keys, block.start(), block.start() + len(block.group().rstrip()))
    for table in _TABLE.finditer(text):
        yield from _table_rows(text, table.start(), table.end())


def _table_rows(text: str, start: int, end: int) -> Iterator[Row]:
    header: list[str] = []
    for line in re.finditer(r"[^\n]+", text[start:end]):
        if _RULE.match(line.group()):
            continue
        cells = [cell.strip() for cell in line.group().strip().strip("|").split("|")]
        if not header:
            header = [cell.lower() for cell in cells]
        elif len(cells) == len(header):
            pairs = {key: cell for key, cell in zip(header, cells, strict=True) if key}
            yield Row("", pairs, start + line.start(), start + line.end())
