"""A database as one document: a heading a table, a sentence a row."""

from collections.abc import Mapping
from dataclasses import dataclass

from evals.spiderqa.database import Cell, Database, Table
from evals.spiderqa.template import Template, fill, spoken

__all__ = ("Rendered", "render", "table_key")

Place = tuple[str, int]
"""A table's name in lower case, and a row id."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A document with the place of every row."""

    name: str
    text: str
    places: Mapping[Place, tuple[int, int]]
    """Character span of each row's sentence."""


def render(database: Database, templates: Mapping[str, Template]) -> Rendered:
    """Write a database; a table that repeats an earlier one is left out.

    Args:
        database: what is written.
        templates: by a table's name.
    """
    text = f"Records of {spoken(database.name)}\n"
    places: dict[Place, tuple[int, int]] = {}
    seen: set[object] = set()
    for table in database.tables:
        key = table_key(table)
        if not table.rows or key in seen:
            continue
        seen.add(key)
        text += f"\n# {spoken(table.name)}\n"
        lines = []
        start = len(text)
        for row_id, sentence in fill(templates[table.name], database, table).items():
            places[table.name.lower(), row_id] = (start, start + len(sentence))
            lines.append(f"{sentence}\n")
            start += len(sentence) + 1
        text += "".join(lines)
    return Rendered(database.name, text, places)


def table_key(table: Table) -> tuple[tuple[str, ...], tuple[tuple[Cell, ...], ...]]:
    """Return what two tables share that say the same: columns and rows."""
    return tuple(map(str.lower, table.columns)), tuple(table.rows.values())
