"""What is known of the stored tables, computed once a change: units, links, statistics, values.

Column statistics after S-RAG, appendix D. Numbers: how many, and unless they are in several units
mean, least and most. Text and booleans: the different values. All: how many are not null, and how
many of them are not zero, empty or false.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final

from agent.records.record_schema import Attribute, ColumnFacts, FoundValue, Kind, Schema, TableFacts
from agent.units import ColumnUnits
from tools.records.inferred_links import ColumnValues, infer_links
from tools.records.kind_tables import list_table, quoted
from tools.records.link_keys import join_columns
from tools.records.measured_columns import measure_columns
from tools.records.sql_functions import folded, plainly
from tools.sqlite_file import SQLiteFile

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
    inferred = tuple(
        each.link for each in infer_links(schema, columns, _documents(connection, schema))
    )
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
