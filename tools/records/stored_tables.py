"""What is known of the stored tables: links, statistics, values; computed once a change."""

import sqlite3
from collections.abc import Sequence

from agent.records.schema import Kind, Link, Schema
from agent.records.tables import FoundValue, TableFacts
from tools.records.folding import folded
from tools.records.identifiers import list_table, quoted
from tools.records.links import ColumnValues, infer_links
from tools.records.statistics import table_facts
from tools.records.store_file import StoreFile

__all__ = ("StoredTables", "compute", "is_computed", "stored_tables")


class StoredTables:
    """The tables as they were when asked for; `find` reads the file."""

    def __init__(self, schema: Schema, facts: Sequence[TableFacts], file: StoreFile) -> None:
        self.schema = schema
        self.facts = tuple(facts)
        self._file = file

    def find(self, text: str, limit: int = 20) -> Sequence[FoundValue]:
        """Return the text values equal to the text without case, then those that contain it.

        Within each, the most frequent come first.
        """
        wanted = folded(text)
        if not wanted:
            return ()
        chosen = "SELECT kind, attribute, value, rows FROM _values WHERE"
        order = "ORDER BY rows DESC, kind, attribute, value LIMIT ?"
        with self._file.reading() as connection:
            found = connection.execute(f"{chosen} folded = ? {order}", (wanted, limit)).fetchall()
            if len(found) < limit:
                found += connection.execute(
                    f"{chosen} folded != ? AND instr(folded, ?) > 0 {order}",
                    (wanted, wanted, limit - len(found)),
                ).fetchall()
        return tuple(
            FoundValue(kind=kind, attribute=attribute, value=value, rows=rows)
            for kind, attribute, value, rows in found
        )


def stored_tables(connection: sqlite3.Connection, file: StoreFile, schema: Schema) -> StoredTables:
    """Return the tables as computed last; call within a transaction."""
    inferred = connection.execute("SELECT data FROM _inferred ORDER BY position").fetchall()
    links = (*schema.links, *(Link.model_validate_json(data) for (data,) in inferred))
    facts = dict(connection.execute("SELECT kind, data FROM _facts").fetchall())
    return StoredTables(
        schema.model_copy(update={"links": links}),
        [TableFacts.model_validate_json(facts[kind.name]) for kind in schema.kinds],
        file,
    )


def is_computed(connection: sqlite3.Connection) -> bool:
    """Tell whether nothing has changed since the tables were computed."""
    found = connection.execute("SELECT 1 FROM _state WHERE name = 'computed'").fetchone()
    return found is not None


def compute(connection: sqlite3.Connection, schema: Schema) -> None:
    """Compute links, statistics and values; call within a transaction."""
    for table in ("_facts", "_inferred", "_values"):
        connection.execute(f"DELETE FROM {table}")
    columns: dict[tuple[str, str], ColumnValues] = {}
    for kind in schema.kinds:
        facts = table_facts(connection, kind)
        connection.execute("INSERT INTO _facts VALUES (?, ?)", (kind.name, facts.model_dump_json()))
        columns |= _columns(connection, kind, facts.rows)
        _keep_values(connection, kind)
    inferred = [each.link for each in infer_links(schema, columns)]
    connection.executemany(
        "INSERT INTO _inferred VALUES (?, ?)",
        [(place, link.model_dump_json()) for place, link in enumerate(inferred)],
    )
    _index_links(connection, schema, (*schema.links, *inferred))
    connection.execute("INSERT OR REPLACE INTO _state VALUES ('computed', '1')")


def _columns(
    connection: sqlite3.Connection, kind: Kind, rows: int
) -> dict[tuple[str, str], ColumnValues]:
    found: dict[tuple[str, str], ColumnValues] = {}
    for attribute in kind.attributes:
        if attribute.many or attribute.type not in ("text", "integer"):
            continue
        column = quoted(attribute.name)
        values = [
            value
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


def _index_links(connection: sqlite3.Connection, schema: Schema, links: Sequence[Link]) -> None:
    """Index the columns over which kinds are joined."""
    ends = {(link.kind, link.attribute) for link in links}
    ends |= {(link.to_kind, link.to_attribute) for link in links}
    for kind_name, name in sorted(ends):
        kind = schema.kind(kind_name)
        attribute = kind.attribute(name) if kind else None
        if attribute is None:
            continue
        table, column = quoted(kind_name), quoted(name)
        if attribute.many:
            table, column = quoted(list_table(kind_name, name)), "value"
        index = quoted(f"_link_{kind_name}__{name}")
        connection.execute(f"CREATE INDEX IF NOT EXISTS {index} ON {table} ({column})")
