"""What is known of the stored tables, computed once a change: units, links, statistics, values.

Column statistics after S-RAG, appendix D. Numbers: how many, and unless they are in several units
mean, least and most. Text and booleans: the different values. All: how many are not null, and how
many of them are not zero, empty or false.

A column of numbers without a declared unit whose cells have units that convert to one another by
definition is rewritten in the most frequent of them, always from the cells, so that the order of
reading does not show. One whose units do not convert is marked in the schema, and gets a column
beside it that states each value's unit: what may then be computed is decided when a plan is
compiled (`tools.records.sql_terms`).
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import groupby
from typing import Final

from agent.records.record_schema import (
    Attribute,
    ColumnFacts,
    FoundValue,
    Kind,
    MixedUnits,
    Schema,
    TableFacts,
)
from agent.units import (
    ColumnUnits,
    column_units,
    converted,
    value_unit,
)
from tools.records.kind_tables import list_table, quoted
from tools.records.record_values import column_unit
from tools.records.sql_functions import folded, plainly
from tools.records.table_links import ColumnValues, infer_links, join_columns
from tools.sqlite_file import SQLiteFile

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


_MOST_VALUES: Final = 50
_SCHEMA: Final = "schema"
"""Under which name the file keeps the schema with what was found: units, links."""
_FORM: Final = "2"
"""Of what is computed: another form of it is computed anew."""
_FOUND: Final = (
    "SELECT kind, attribute, value, rows FROM _values WHERE {way} "
    "ORDER BY rows DESC, kind, attribute, value LIMIT :limit"
)
_ACCENTED: Final = "(folded = :plain OR (folded GLOB '*[^ -~]*' AND plain(folded) = :plain))"
_WAYS: Final = (
    "folded = :wanted",
    f"folded != :wanted AND {_ACCENTED}",
    f"instr(folded, :wanted) > 0 AND NOT {_ACCENTED}",
)
"""How a text is found: as it is, but for its accents, within a value."""


class _StoredTables:
    """The tables as they were when asked for; `find` reads the file."""

    def __init__(self, schema: Schema, facts: Sequence[TableFacts], file: SQLiteFile) -> None:
        self.schema = schema
        self.facts = tuple(facts)
        self._file = file

    def find(self, text: str, limit: int = 20) -> Sequence[FoundValue]:
        """Return the text values equal to the text without case, then those that contain it.

        Between them stand those that are equal but for accents. Within each, the most frequent come
        first.
        """
        names = {"wanted": folded(text), "plain": plainly(text)}
        if not names["wanted"]:
            return ()
        found: list[tuple[str, str, str, int]] = []
        with self._file.reading() as connection:
            for way in _WAYS:
                if len(found) < limit:
                    sought = {**names, "limit": limit - len(found)}
                    found += connection.execute(_FOUND.format(way=way), sought).fetchall()
        return tuple(
            FoundValue(kind=kind, attribute=attribute, value=value, rows=rows)
            for kind, attribute, value, rows in found
        )


def _table_facts(
    connection: sqlite3.Connection, kind: Kind, units: Mapping[str, ColumnUnits]
) -> TableFacts:
    """Return the statistics of a kind's table; those of a list attribute are over its values.

    Args:
        connection: to the tables.
        kind: which one.
        units: those of its columns of numbers for which the schema names none.
    """
    rows, documents = connection.execute(
        f"SELECT COUNT(*), COUNT(DISTINCT _document) FROM {quoted(kind.name)}"
    ).fetchone()
    return TableFacts(
        kind=kind.name,
        rows=rows,
        documents=documents,
        columns=tuple(
            _column(connection, kind, each, units.get(each.name, ColumnUnits()))
            for each in kind.attributes
        ),
    )


def _column(
    connection: sqlite3.Connection, kind: Kind, attribute: Attribute, units: ColumnUnits
) -> ColumnFacts:
    table, column = quoted(kind.name), quoted(attribute.name)
    if attribute.many:
        table, column = quoted(list_table(kind.name, attribute.name)), "value"
    measured = attribute.type in ("integer", "number") and not units.mixed
    mean = f"AVG({column})" if measured else "NULL"
    ends = f"MIN({column}), MAX({column})"
    if attribute.type in ("text", "boolean") or units.mixed:
        ends = "NULL, NULL"
    something = f"COUNT(CASE WHEN {column} NOT IN (0, '') THEN 1 END)"
    filled, nonzero, distinct, mean_value, least, most = connection.execute(
        f"SELECT COUNT({column}), {something}, COUNT(DISTINCT {column}), {mean}, {ends} "
        f"FROM {table}"
    ).fetchone()
    values: list[tuple[object, int]] = []
    if attribute.type in ("text", "boolean"):
        values = connection.execute(
            f"SELECT {column}, COUNT(*) FROM {table} WHERE {column} IS NOT NULL "
            f"GROUP BY {column} ORDER BY 2 DESC, 1 LIMIT {_MOST_VALUES}"
        ).fetchall()
    if attribute.type == "boolean":
        values = [(bool(value), rows) for value, rows in values]
    return ColumnFacts.model_validate(
        {
            "attribute": attribute.name,
            "filled": filled,
            "nonzero": nonzero,
            "distinct": distinct,
            "mean": mean_value,
            "least": least,
            "most": most,
            "values": tuple(values),
            "units": units.counts,
        }
    )


def stored_tables(connection: sqlite3.Connection, file: SQLiteFile) -> _StoredTables:
    """Return the tables as computed last; call within a transaction."""
    query = "SELECT value FROM _state WHERE name = ?"
    (data,) = connection.execute(query, (_SCHEMA,)).fetchone()
    schema = Schema.model_validate_json(data)
    facts = dict(connection.execute("SELECT kind, data FROM _facts").fetchall())
    found = [TableFacts.model_validate_json(facts[kind.name]) for kind in schema.kinds]
    return _StoredTables(schema, found, file)


def is_computed(connection: sqlite3.Connection) -> bool:
    """Tell whether nothing has changed since the tables were computed, as they are now."""
    query = "SELECT 1 FROM _state WHERE name = 'computed' AND value = ?"
    return connection.execute(query, (_FORM,)).fetchone() is not None


def compute(connection: sqlite3.Connection, declared: Schema) -> None:
    """Compute units, links, statistics and values; call within a transaction."""
    for table in ("_facts", "_values"):
        connection.execute(f"DELETE FROM {table}")
    schema, units = measure_columns(connection, declared)
    columns: dict[tuple[str, str], ColumnValues] = {}
    for kind in schema.kinds:
        own = {name: each for (of, name), each in units.items() if of == kind.name}
        facts = _table_facts(connection, kind, own)
        connection.execute("INSERT INTO _facts VALUES (?, ?)", (kind.name, facts.model_dump_json()))
        columns |= _columns(connection, kind, facts.rows)
        _keep_values(connection, kind)
    inferred = infer_links(schema, columns, _documents(connection, schema))
    schema = schema.model_copy(update={"links": (*schema.links, *inferred)})
    join_columns(connection, schema)
    state = {_SCHEMA: schema.model_dump_json(), "mixed": _mixed(schema), "computed": _FORM}
    connection.executemany("INSERT OR REPLACE INTO _state VALUES (?, ?)", state.items())


def _columns(
    connection: sqlite3.Connection, kind: Kind, rows: int
) -> dict[tuple[str, str], ColumnValues]:
    """Return what columns of text and whole numbers hold, text as it is compared."""
    found: dict[tuple[str, str], ColumnValues] = {}
    for attribute in kind.attributes:
        if attribute.many or attribute.type not in ("text", "integer"):
            continue
        column = quoted(attribute.name)
        values = [
            folded(value) if isinstance(value, str) else value
            for (value,) in connection.execute(
                f"SELECT {column} FROM {quoted(kind.name)} WHERE {column} IS NOT NULL"
            )
        ]
        found[kind.name, attribute.name] = ColumnValues(
            kind.name, attribute.name, attribute.type, rows, len(values), frozenset(values)
        )
    return found


def _keep_values(connection: sqlite3.Connection, kind: Kind) -> None:
    for attribute in kind.attributes:
        if attribute.type != "text":
            continue
        table, column = quoted(kind.name), quoted(attribute.name)
        if attribute.many:
            table, column = quoted(list_table(kind.name, attribute.name)), "value"
        connection.execute(
            f"INSERT INTO _values SELECT ?, ?, fold({column}), {column}, COUNT(*) FROM {table} "
            f"WHERE {column} IS NOT NULL GROUP BY {column}",
            (kind.name, attribute.name),
        )


def _documents(connection: sqlite3.Connection, schema: Schema) -> dict[str, frozenset[str]]:
    """Return the documents that hold rows of each kind."""
    found = {}
    for kind in schema.kinds:
        rows = connection.execute(f"SELECT DISTINCT _document FROM {quoted(kind.name)}")
        found[kind.name] = frozenset(document for (document,) in rows)
    return found


def _mixed(schema: Schema) -> str:
    """Return, as JSON, tables and columns of several units, each with the column of its units."""
    return json.dumps(
        [
            (each.kind, each.attribute, each.stated_by)
            if each.stated_by
            else (list_table(each.kind, each.attribute), "value", None)
            for each in schema.mixed
        ]
    )
