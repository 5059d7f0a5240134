"""What linked columns are joined over: one key for values that are the same however written.

`Peru`, `PERU` and `Perú` are one value, `Q1` and `Q2` are two. Accents of Latin letters are left
out only where no column that is referred to has two values that differ by them alone.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from agent.accents import unaccented
from agent.records.record_schema import AttributeType, CellValue, Link, Schema
from tools.records.folding import folded

__all__ = ("Column", "Linked", "is_keyed", "key_column", "linked_columns", "linked_keys")

Column = tuple[str, str]
"""A kind and an attribute."""

_NUMBER: Final = re.compile(r"[-+]?\d+(?:\.\d+)?")


def key_column(column: str) -> str:
    """Return the name of the column of keys that stands beside a linked one."""
    return f"_key_{column}"


def is_keyed(one: AttributeType, other: AttributeType) -> bool:
    """Tell whether columns of two types are joined over keys; numbers are joined as they are."""
    return "text" in (one, other)


class Linked(NamedTuple):
    """Columns that links connect with one another."""

    columns: tuple[Column, ...]
    referred: frozenset[Column]
    """Those of them that are referred to: each value there is another thing."""


def linked_columns(schema: Schema) -> tuple[Linked, ...]:
    """Return the columns that are joined over keys, those that links connect together."""
    links = [each for each in schema.links if _keyed(schema, each)]
    groups: list[set[Column]] = []
    for link in links:
        ends = {(link.kind, link.attribute), (link.to_kind, link.to_attribute)}
        touched = [each for each in groups if each & ends]
        groups = [each for each in groups if not each & ends]
        groups.append(ends.union(*touched))
    referred = {(link.to_kind, link.to_attribute) for link in links}
    return tuple(Linked(tuple(sorted(each)), frozenset(each & referred)) for each in groups)


def _keyed(schema: Schema, link: Link) -> bool:
    types = [
        attribute.type
        for kind_name, name in ((link.kind, link.attribute), (link.to_kind, link.to_attribute))
        if (kind := schema.kind(kind_name)) and (attribute := kind.attribute(name))
    ]
    return len(types) == 2 and is_keyed(types[0], types[1])


def linked_keys(
    referring: Sequence[Iterable[CellValue]], referred: Sequence[Iterable[CellValue]]
) -> Mapping[CellValue, CellValue]:
    """Return the key of each value of columns that links connect.

    Text is folded (`tools.records.folding`). Beside a column of numbers a text that is one, is it;
    among texts `007` and `7` are two.

    >>> keys = linked_keys([["Perú", "chile "]], [["PERU", "Chile"]])
    >>> keys["Perú"] == keys["PERU"], keys["Chile"] == keys["chile "]
    (True, True)
    >>> keys = linked_keys([["ANO"]], [["año", "ano"]])
    >>> keys["año"] == keys["ANO"], keys["ano"] == keys["ANO"]
    (False, True)
    """
    things = [set(each) - {None} for each in referred]
    held = things + [set(each) - {None} for each in referring]
    numbers = any(not isinstance(value, str) for values in held for value in values)
    apart = _told_apart_by_accents(
        {folded(value) for value in values if isinstance(value, str)} for values in things
    )
    return {value: _key(value, apart, numbers=numbers) for values in held for value in values}


def _key(value: CellValue, apart: frozenset[str], *, numbers: bool) -> CellValue:
    if not isinstance(value, str):
        return value
    text = folded(value)
    if numbers and _NUMBER.fullmatch(text):
        number = Decimal(text)
        return int(number) if number == number.to_integral_value() else float(number)
    plain = unaccented(text)
    return text if plain in apart else plain


def _told_apart_by_accents(columns: Iterable[Iterable[str]]) -> frozenset[str]:
    """Return the texts without accents that stand for two texts of one column."""
    apart: set[str] = set()
    for texts in columns:
        seen: set[str] = set()
        for plain in map(unaccented, texts):
            (apart if plain in seen else seen).add(plain)
    return frozenset(apart)
