"""Columns that name the rows of a kind."""

from typing import Final

from agent.reasoners.rules.language.words import word_set
from agent.reasoners.rules.records.querying.phrases import alike, name_words
from agent.records.query_plan import Column
from agent.records.record_schema import Kind, Tables

__all__ = ("naming_columns", "own_key", "tells_apart")

_NAMES: Final = word_set("name title label")
_KEYS: Final = word_set("id identifier code number symbol key")
_APART: Final = 0.8
"""The share of different values among a column's above which it tells the rows apart."""
_PARTS: Final = (("first", "last"), ("given", "family"), ("first", "family"), ("given", "last"))


def naming_columns(tables: Tables, kind: Kind) -> tuple[Column, ...]:
    """Return the columns by which a person tells the rows apart: a name, else the first text."""
    parts = _person(kind)
    if parts:
        return tuple(Column(kind=kind.name, attribute=each) for each in parts)
    ranked = sorted(kind.attributes, key=lambda each: -_naming(tables, kind, each.name))
    if not ranked:
        return ()
    return (Column(kind=kind.name, attribute=ranked[0].name),)


def own_key(tables: Tables, kind: Kind) -> Column | None:
    """Return the column that numbers the rows of a kind, each with another value."""
    for attribute in kind.attributes:
        words = name_words(attribute.name)
        if words[-1] in _KEYS and _share(tables, kind.name, attribute.name) == 1:
            return Column(kind=kind.name, attribute=attribute.name)
    return None


def tells_apart(tables: Tables, column: Column) -> bool:
    """Tell whether hardly any two rows share a value of a column: two hotels of one name may."""
    return _share(tables, column.kind, column.attribute) >= _APART


def _person(kind: Kind) -> list[str]:
    """Return the first and last name where a kind has no whole one."""
    words = {each.name: set(name_words(each.name)) for each in kind.attributes}
    for parts in _PARTS:
        names = [
            next((n for n, has in words.items() if {part, "name"} <= has), "") for part in parts
        ]
        if all(names):
            return names
    return []


def _naming(tables: Tables, kind: Kind, attribute: str) -> float:
    words = name_words(attribute)
    own = any(alike(word, each) for word in words for each in name_words(kind.name))
    score = 0.0
    if words[-1] in _NAMES:
        score += 3.0 if own or len(words) == 1 else 1.5
    elif words[-1] in _KEYS:
        score += 0.6
    found = kind.attribute(attribute)
    if found is not None and found.type == "text":
        score += 1.0
    return score + _share(tables, kind.name, attribute)


def _share(tables: Tables, kind: str, attribute: str) -> float:
    table = next((each for each in tables.facts if each.kind == kind), None)
    facts = table.column(attribute) if table is not None else None
    return facts.distinct / facts.filled if facts is not None and facts.filled else 0.0
