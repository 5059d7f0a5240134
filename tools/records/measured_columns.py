"""Columns of numbers without a declared unit, brought to one unit or known to have several.

Each cell keeps its own unit. When the tables are computed, a column whose units convert to one
another by definition is rewritten in the most frequent of them, always from the cells, so that the
order of reading does not show. A column whose units do not convert is marked in the schema, and
gets a column beside it that states each value's unit: what may then be computed is decided when a
plan is compiled (`tools.records.sql_terms`).
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import groupby
from typing import Final

from agent.records.record_schema import Attribute, Kind, MixedUnits, Schema
from agent.units import (
    ColumnUnits,
    column_units,
    converted,
    value_unit,
)
from tools.records.kind_tables import list_table, quoted
from tools.records.record_values import column_unit

_Units = Mapping[tuple[str, str], ColumnUnits]
"""By kind and attribute."""
_NUMBERS: Final = frozenset({"integer", "number"})
_CELLS: Final = (
    "_records AS r, json_each(r.data, '$.cells') AS c "
    "WHERE r.kind = ? AND json_extract(c.value, '$.value') IS NOT NULL"
)
_ATTRIBUTE: Final = "json_extract(c.value, '$.attribute')"
_VALUE: Final = "json_extract(c.value, '$.value')"
_UNIT: Final = "json_extract(c.value, '$.unit')"
_REWRITTEN: Final = "rewritten "
"""Begins the names under which the file remembers which columns were rewritten."""


def measure_columns(connection: sqlite3.Connection, schema: Schema) -> tuple[Schema, _Units]:
    """Bring columns to one unit each; return the schema with what was found, and the units.

    Call within a transaction that computes the tables.
    """
    units: dict[tuple[str, str], ColumnUnits] = {}
    mixed: list[MixedUnits] = []
    kinds = []
    for kind in schema.kinds:
        _drop_unit_columns(connection, kind)
        found = _units(connection, kind)
        units |= {(kind.name, name): each for name, each in found.items()}
        kinds.append(_measured(connection, kind, found, mixed))
    return schema.model_copy(update={"kinds": tuple(kinds), "mixed": tuple(mixed)}), units


def _drop_unit_columns(connection: sqlite3.Connection, kind: Kind) -> None:
    """Remove the columns of units of an earlier state of the tables."""
    own = {each.name for each in kind.attributes}
    table = quoted(kind.name)
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    for name in columns:
        if name not in own and not name.startswith("_"):
            connection.execute(f"ALTER TABLE {table} DROP COLUMN {quoted(name)}")


def _units(connection: sqlite3.Connection, kind: Kind) -> dict[str, ColumnUnits]:
    """Return the units of a kind's columns of numbers for which the schema knows none."""
    unknown = {
        each.name for each in kind.attributes if each.type in _NUMBERS and not column_unit(each)
    }
    if not unknown:
        return {}
    counts: dict[str, Counter[str]] = {}
    bare: dict[str, float] = {}
    rows = connection.execute(
        f"SELECT {_ATTRIBUTE}, {_UNIT}, COUNT(*), MAX(ABS({_VALUE})) FROM {_CELLS} GROUP BY 1, 2",
        (kind.name,),
    )
    for name, written, values, largest in rows:
        unit = value_unit(written)
        counts.setdefault(name, Counter())[unit] += values
        if not unit:
            bare[name] = max(bare.get(name, 0.0), float(largest))
    return {
        name: column_units(found, bare.get(name, 0.0))
        for name, found in counts.items()
        if name in unknown
    }


def _measured(
    connection: sqlite3.Connection,
    kind: Kind,
    units: Mapping[str, ColumnUnits],
    mixed: list[MixedUnits],
) -> Kind:
    """Return a kind with the units of its columns, and the columns that state them."""
    attributes: list[Attribute] = []
    for attribute in kind.attributes:
        found = units.get(attribute.name)
        if found is None:
            attributes.append(_with_unit(attribute))
            continue
        whole = _rewrite(connection, kind, attribute, found)
        type_ = attribute.type if whole else "number"
        attributes.append(attribute.model_copy(update={"unit": found.unit, "type": type_}))
        if found.mixed:
            beside = _unit_column(connection, kind, attribute)
            attributes += [beside] if beside else []
            mixed.append(
                MixedUnits(
                    kind=kind.name,
                    attribute=attribute.name,
                    units=tuple(unit for unit, _ in found.counts),
                    stated_by=beside.name if beside else None,
                )
            )
    return kind.model_copy(update={"attributes": tuple(attributes)})


def _with_unit(attribute: Attribute) -> Attribute:
    """Return a column of numbers with the unit that its examples show where none is declared."""
    shown = column_unit(attribute) if attribute.type in _NUMBERS else ""
    return attribute.model_copy(update={"unit": shown}) if shown else attribute


def _rewrite(
    connection: sqlite3.Connection, kind: Kind, attribute: Attribute, units: ColumnUnits
) -> bool:
    """Write a column from its cells, in its one unit; tell whether whole numbers stayed whole.

    A column in which nothing is to be converted is left alone, unless an earlier state of the
    tables had it converted.
    """
    remembered = f"{_REWRITTEN}{kind.name}.{attribute.name}"
    before = connection.execute("DELETE FROM _state WHERE name = ?", (remembered,)).rowcount
    if not units.convertible and not before:
        return True
    if units.convertible:
        connection.execute("INSERT INTO _state VALUES (?, '')", (remembered,))
    target = units.unit if units.convertible else None
    whole = True
    for record, cells in _cells(connection, kind, attribute):
        values = [_in_unit(value, unit, target) for value, unit in cells]
        whole = whole and all(value == int(value) for value in values)
        _write(connection, kind, attribute, record, values)
    return whole or attribute.type != "integer"


def _cells(
    connection: sqlite3.Connection, kind: Kind, attribute: Attribute
) -> Iterator[tuple[int, list[tuple[float, str]]]]:
    """Yield each record with the values of an attribute and their units, in their order."""
    rows = connection.execute(
        f"SELECT r.record, {_VALUE}, {_UNIT} FROM {_CELLS} AND {_ATTRIBUTE} = ? "
        "ORDER BY r.record, c.key",
        (kind.name, attribute.name),
    ).fetchall()
    for record, group in groupby(rows, key=lambda row: row[0]):
        yield record, [(value, value_unit(unit)) for _, value, unit in group]


def _in_unit(value: float, unit: str, target: str | None) -> float:
    """Return a value in another unit; one that has the unit, or has none, as it is."""
    if target is None or unit in ("", target):
        return value
    result = converted(Decimal(repr(value)), unit, target)
    return value if isinstance(result, str) else float(result)


def _write(
    connection: sqlite3.Connection,
    kind: Kind,
    attribute: Attribute,
    record: int,
    values: Sequence[float],
) -> None:
    if not attribute.many:
        connection.execute(
            f"UPDATE {quoted(kind.name)} SET {quoted(attribute.name)} = ? WHERE _record = ?",
            (values[0], record),
        )
        return
    table = quoted(list_table(kind.name, attribute.name))
    places = connection.execute(
        f"SELECT rowid FROM {table} WHERE _record = ? ORDER BY rowid", (record,)
    ).fetchall()
    connection.executemany(
        f"UPDATE {table} SET value = ? WHERE rowid = ?",
        [(value, place) for value, (place,) in zip(values, places, strict=True)],
    )


def _unit_column(
    connection: sqlite3.Connection, kind: Kind, attribute: Attribute
) -> Attribute | None:
    """Add the column that states the unit of each value of another; a list has none."""
    if attribute.many:
        return None
    name = _unused(attribute.name, kind)
    connection.execute(f"ALTER TABLE {quoted(kind.name)} ADD COLUMN {quoted(name)} TEXT")
    connection.executemany(
        f"UPDATE {quoted(kind.name)} SET {quoted(name)} = ? WHERE _record = ?",
        [
            (cells[0][1] or None, record)
            for record, cells in _cells(connection, kind, attribute)
            if cells[0][1]
        ],
    )
    told = f"The unit in which {attribute.name} is given."
    return Attribute(name=name, type="text", description=told)


def _unused(name: str, kind: Kind) -> str:
    """Return the name of a column of units: as no attribute is called."""
    taken = {each.name for each in kind.attributes}
    bases = (f"{name[:48]}_unit", *(f"{name[:48]}_unit_{n}" for n in range(2, len(taken) + 3)))
    return next(each for each in bases if each not in taken)
