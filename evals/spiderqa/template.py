"""Templates: the sentence that states a row, one a table."""

import re
from collections.abc import Mapping
from typing import Final

from evals.spiderqa.database import Cell, Database, Table

__all__ = ("Template", "fill", "plain_template", "spoken", "wrong_with")

_SLOT: Final = re.compile(r"\{([^{}]*)\}")
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+|\d+")
_NOTHING: Final = "not given"
Template = str
"""A sentence with each column in braces once, and the row's number as `{#}`."""


def plain_template(table: Table) -> Template:
    """Return a template by code.

    >>> plain_template(Table("tblShips", ("Ship_ID", "name"), (), (), {}))
    'Tbl ships {#}: ship id is {Ship_ID}; name is {name}.'
    """
    told = "; ".join(f"{spoken(name)} is {{{name}}}" for name in table.columns)
    title = spoken(table.name)
    return f"{title[:1].upper()}{title[1:]} {{#}}: {told}."


def wrong_with(template: Template, table: Table) -> str | None:
    """Return why a template does not state a table's rows, or None where it does."""
    slots = _SLOT.findall(template)
    wanted = {"#", *table.columns}
    if sorted(slots) != sorted(wanted):
        lacking, extra = sorted(wanted - set(slots)), sorted(set(slots) - wanted)
        return f"each column must stand once: missing {lacking}, unknown {extra}, of {slots}"
    return "it must be one line" if "\n" in template.strip() else None


def fill(template: Template, database: Database, table: Table) -> Mapping[int, str]:
    """Return the sentence of each row, by row id; relations are spelled out.

    A value that refers to another table's row stands with that row's name behind it.
    """
    names = _names(database, table)
    sentences = {}
    for number, (row_id, row) in enumerate(table.rows.items(), start=1):
        cells = dict(zip(table.columns, row, strict=True))
        told = {name: _told(cell, names.get(name, {})) for name, cell in cells.items()}
        told["#"] = str(number)
        parts = _SLOT.split(template.strip())
        sentences[row_id] = "".join(told[part] if at % 2 else part for at, part in enumerate(parts))
    return sentences


def _names(database: Database, table: Table) -> dict[str, dict[Cell, str]]:
    """Return by a column that refers to rows with names what each of its values means."""
    found: dict[str, dict[Cell, str]] = {}
    own = {name.lower(): name for name in table.columns}
    for each in table.references:
        other = database.table(each.table)
        column = own.get(each.column.lower())
        if other is None or other.title is None or column is None:
            continue
        to = next((name for name in other.columns if name.lower() == each.to.lower()), None)
        if to is not None:
            named = zip(other.values(to), other.values(other.title), strict=True)
            found[column] = {key: f"{spoken(other.name)} {_written(name)}" for key, name in named}
    return found


def spoken(name: str) -> str:
    """Return an identifier as words.

    >>> spoken("Lost_in_battle"), spoken("StuID"), spoken("dept2name")
    ('lost in battle', 'stu id', 'dept 2 name')
    """
    return " ".join(_WORD.findall(name)).lower() or name


def _told(cell: Cell, names: Mapping[Cell, str]) -> str:
    named = None if cell is None else names.get(cell)
    return f"{_written(cell)} ({named})" if named else _written(cell)


def _written(cell: Cell) -> str:
    if cell is None or cell == "":
        return _NOTHING
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return " ".join(str(cell).split())
