"""The store of records: one SQLite file in the corpus directory, kept document by document.

Its tables are made anew from the cells after a change. A kind has one table, a list attribute a
child table; column statistics after S-RAG, appendix D. A column without a declared unit has the one
that its values are written in.

Linked columns of text are joined over one key for a value, however it is written (`Peru`, `PERU`,
`Perú`); accents tell values apart where a referred column has some that differ by these alone.
"""

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Final, Literal, NamedTuple

from agent.english import singular
from agent.errors import ProgramFault
from agent.records.record import Failure, Record
from agent.records.record_schema import (
    Attribute,
    AttributeType,
    CellValue,
    ColumnFacts,
    Kind,
    Link,
    MixedUnits,
    Schema,
    TableFacts,
    Tables,
)
from agent.units import ColumnUnits, column_units, value_unit
from tools.records.sql_terms import list_table, quoted, register_functions
from tools.sqlite_file import FileForm, SQLiteFile


class DocumentState(NamedTuple):
    """What is known of one document."""

    document: str
    digest: str
    status: Literal["read", "partial", "failed", "stale"]
    """read: nothing failed; partial: records and failures; failed: only failures; stale: to be read
    again, since the schema changed; its records are kept until then."""
    kinds: tuple[str, ...]
    """For which kinds it was read."""


_TABLES: Final = (
    """CREATE TABLE _kinds (
        kind TEXT PRIMARY KEY, position INTEGER NOT NULL, data TEXT NOT NULL) WITHOUT ROWID""",
    "CREATE TABLE _links (position INTEGER PRIMARY KEY, data TEXT NOT NULL)",
    """CREATE TABLE _documents (
        document TEXT PRIMARY KEY, digest TEXT NOT NULL, status TEXT NOT NULL,
        kinds TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE _records (
        record INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,
        document TEXT NOT NULL REFERENCES _documents, data TEXT NOT NULL)""",
    "CREATE INDEX _records_of_document ON _records (document, kind)",
    """CREATE TABLE _failures (
        number INTEGER PRIMARY KEY, document TEXT NOT NULL REFERENCES _documents,
        data TEXT NOT NULL)""",
    "CREATE INDEX _failures_of_document ON _failures (document)",
    """CREATE TABLE _facts (
        kind TEXT PRIMARY KEY, data TEXT NOT NULL) WITHOUT ROWID""",
    "CREATE TABLE _state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)


class RecordStore(SQLiteFile):
    """Records of all kinds, each cell with its quote.

    A document's records are replaced as a whole, in one transaction: after a kill a document is
    either as it was or as it shall be. Safe among threads and processes.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, FORM)

    def schema(self) -> Schema:
        """Return the schema as written last, with its declared links only."""
        with self.reading() as connection:
            return _read_schema(connection)

    def write_schema(self, schema: Schema) -> tuple[str, ...]:
        """Write a schema; return the documents to be read again.

        Records stay where a kind's attributes were only taken away or labelled anew. Stale become
        documents that were read for a kind that is read otherwise, were one record of a kind that
        is gone, or may hold a new one: all for a kind of rows, those without a record for one of
        documents.
        """
        with self.transaction() as connection:
            old = _read_schema(connection)
            if old == schema:
                return ()
            _change_schema(connection, old, schema)
            _touch(connection)
            rows = connection.execute("SELECT document FROM _documents WHERE status = 'stale'")
            return tuple(sorted(document for (document,) in rows))

    def put(
        self,
        document: str,
        digest: str,
        records: Sequence[Record],
        failures: Sequence[Failure] = (),
        kinds: Sequence[str] | None = None,
    ) -> None:
        """Replace all that is known of a document, and keep its text's digest.

        Values are as `normalise` returns them. Without `kinds` the document counts as read for all.

        Raises ProgramFault: a record is of another document or of no known kind.
        """
        with self.transaction() as connection:
            schema = _read_schema(connection)
            _remove(connection, document)
            status = "read" if not failures else "partial" if records else "failed"
            for_ = "\n".join(kinds or [kind.name for kind in schema.kinds])
            state = (document, digest, status, for_)
            connection.execute("INSERT INTO _documents VALUES (?, ?, ?, ?)", state)
            for each in records:
                if schema.kind(each.kind) is None or each.document != document:
                    raise ProgramFault(
                        f"a record of kind {each.kind!r} in {each.document!r} cannot be stored as "
                        f"one of {document!r}: kinds are {', '.join(k.name for k in schema.kinds)}"
                    )
            connection.executemany(
                "INSERT INTO _records (kind, document, data) VALUES (?, ?, ?)",
                [(each.kind, document, _written(each)) for each in records],
            )
            connection.executemany(
                "INSERT INTO _failures (document, data) VALUES (?, ?)",
                [(document, _written(each)) for each in failures],
            )
            _touch(connection)

    def forget(self, document: str) -> None:
        """Remove all that is known of a document."""
        with self.transaction() as connection:
            _remove(connection, document)
            _touch(connection)

    def documents(self) -> Mapping[str, DocumentState]:
        """Return what is known of each document, by name."""
        with self.reading() as connection:
            return _states(connection)

    def failures(self) -> tuple[Failure, ...]:
        """Return what could not be read, by document."""
        rows = self.read("SELECT data FROM _failures ORDER BY document, number")
        return tuple(Failure.model_validate_json(data) for (data,) in rows)

    def records(self, ids: Iterable[int]) -> Mapping[int, Record]:
        """Return records by id, each with its cells and their quotes."""
        query = "SELECT data FROM _records WHERE record = ?"
        with self.reading() as connection:
            rows = {each: connection.execute(query, (each,)).fetchone() for each in ids}
        return {each: Record.model_validate_json(row[0]) for each, row in rows.items() if row}

    def records_of(self, document: str) -> tuple[Record, ...]:
        """Return what was read from a document, in its order."""
        query = "SELECT data FROM _records WHERE document = ? ORDER BY record"
        rows = self.read(query, document)
        return tuple(Record.model_validate_json(data) for (data,) in rows)

    def tables(self) -> Tables:
        """Return the schema with the units and links found, and statistics, as they are now."""
        unchanged = "SELECT 1 FROM _state WHERE name = 'computed' AND value = ?"
        with self.snapshot() as connection:
            if connection.execute(unchanged, (_FORM,)).fetchone():
                return stored_tables(connection)
        with self.transaction() as connection:
            compute(connection, _read_schema(connection))
            return stored_tables(connection)


def _meaning(attribute: Attribute) -> tuple[object, ...]:
    """Return what, if it changes, has values read again: not labels, order or examples."""
    description = attribute.description.strip()
    return attribute.name, attribute.type, attribute.unit, attribute.many, description


def _read_schema(connection: sqlite3.Connection) -> Schema:
    kinds = connection.execute("SELECT data FROM _kinds ORDER BY position").fetchall()
    links = connection.execute("SELECT data FROM _links ORDER BY position").fetchall()
    return Schema(
        kinds=tuple(Kind.model_validate_json(data) for (data,) in kinds),
        links=tuple(Link.model_validate_json(data) for (data,) in links),
    )


def _states(connection: sqlite3.Connection) -> dict[str, DocumentState]:
    rows = connection.execute("SELECT * FROM _documents ORDER BY document").fetchall()
    return {
        name: DocumentState(name, digest, status, tuple(filter(None, kinds.split("\n"))))
        for name, digest, status, kinds in rows
    }


def _change_schema(connection: sqlite3.Connection, old: Schema, new: Schema) -> None:
    """Write a schema, forget what it does not have, and mark the documents to be read again."""
    gone = {each.name: each.grain for each in old.kinds if new.kind(each.name) is None}
    pairs = ((each, new.kind(each.name)) for each in old.kinds)
    otherwise = {now.name for each, now in pairs if now and _is_read_otherwise(each, now)}
    added = [each.grain for each in new.kinds if old.kind(each.name) is None]
    lost = otherwise | gone.keys()
    held: defaultdict[str, set[str]] = defaultdict(set)
    for document, kind in connection.execute("SELECT DISTINCT document, kind FROM _records"):
        held[document].add(kind)
    for name, state in _states(connection).items():
        single = any(gone.get(each) == "document" for each in held[name])
        lacking = bool(added) and not held[name] - lost
        again = single or lacking or "row" in added or not otherwise.isdisjoint(state.kinds)
        kinds = "\n".join(each for each in state.kinds if each not in lost)
        connection.execute(
            "UPDATE _documents SET status = ?, kinds = ? WHERE document = ?",
            ("stale" if again else state.status, kinds, name),
        )
    connection.executemany("DELETE FROM _records WHERE kind = ?", [(each,) for each in lost])
    for table in ("_kinds", "_links"):
        connection.execute(f"DELETE FROM {table}")
    rows = [(kind.name, place, kind.model_dump_json()) for place, kind in enumerate(new.kinds)]
    connection.executemany("INSERT INTO _kinds VALUES (?, ?, ?)", rows)
    links = [(place, link.model_dump_json()) for place, link in enumerate(new.links)]
    connection.executemany("INSERT INTO _links VALUES (?, ?)", links)


def _is_read_otherwise(old: Kind, new: Kind) -> bool:
    """Tell whether what was read for a kind is not what would be read for it now."""
    if (old.grain, old.description.strip()) != (new.grain, new.description.strip()):
        return True
    before = set(map(_meaning, old.attributes))
    return any(_meaning(each) not in before for each in new.attributes)


def _touch(connection: sqlite3.Connection) -> None:
    """Mark the tables as out of date."""
    connection.execute("DELETE FROM _state WHERE name = 'computed'")


def _remove(connection: sqlite3.Connection, document: str) -> None:
    for table in ("_records", "_failures", "_documents"):
        connection.execute(f"DELETE FROM {table} WHERE document = ?", (document,))


def _written(held: Record | Failure) -> str:
    return held.model_dump_json(exclude_defaults=True)


FORM: Final = FileForm(
    name="file of records",
    migrations=(*[()] * 3, _TABLES),  # formats before the fourth were of no release
    remedy="move the file away and fill again",
    checked=True,
    prepare=partial(register_functions, late=lambda: False),
)


_NUMBERS: Final = frozenset({"integer", "number"})
_SQL_TYPES: Final[dict[AttributeType, str]] = {
    "text": "TEXT", "integer": "INTEGER", "number": "REAL", "boolean": "INTEGER", "date": "TEXT",
    "time": "TEXT",
}  # fmt: skip


def _create_tables(connection: sqlite3.Connection, kind: Kind) -> None:
    columns = ["_record INTEGER PRIMARY KEY", "_document TEXT NOT NULL"]
    columns += [
        f"{quoted(each.name)} {_SQL_TYPES[each.type]}" for each in kind.attributes if not each.many
    ]
    connection.execute(f"CREATE TABLE {quoted(kind.name)} ({', '.join(columns)})")
    for attribute in (each for each in kind.attributes if each.many):
        table = list_table(kind.name, attribute.name)
        connection.execute(
            f"CREATE TABLE {quoted(table)} (_record INTEGER NOT NULL, _document TEXT NOT NULL, "
            f"value {_SQL_TYPES[attribute.type]} NOT NULL)"
        )
        name = quoted(f"_record_of_{table}")
        connection.execute(f"CREATE INDEX {name} ON {quoted(table)} (_record)")


def _units(connection: sqlite3.Connection, kind: Kind) -> Mapping[str, ColumnUnits]:
    """Return the units of a kind's columns of numbers for which the schema knows none."""
    unknown = {each.name for each in kind.attributes if each.type in _NUMBERS and not each.unit}
    if not unknown:
        return {}
    counts: dict[str, Counter[str]] = {}
    bare: dict[str, float] = {}
    rows = connection.execute(
        "SELECT c.value ->> 'attribute', c.value ->> 'unit', COUNT(*), "
        "MAX(ABS(c.value ->> 'value')) FROM _records AS r, json_each(r.data, '$.cells') AS c "
        "WHERE r.kind = ? AND c.value ->> 'value' IS NOT NULL GROUP BY 1, 2",
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


def _fill(connection: sqlite3.Connection, kind: Kind) -> None:
    """Write the rows of a kind and of its lists; of several cells of one value the first counts."""
    named = {each.name: each for each in kind.attributes}
    columns = [each.name for each in kind.attributes if not each.many]
    into = f"INSERT INTO {quoted(kind.name)} VALUES ({', '.join('?' * (len(columns) + 2))})"
    records = connection.execute(
        "SELECT record, document, data FROM _records WHERE kind = ? ORDER BY record", (kind.name,)
    )
    for record, document, data in records:
        row: dict[str, CellValue] = {}
        for cell in json.loads(data).get("cells", ()):
            attribute = named.get(cell["attribute"])
            value = cell.get("value")
            if attribute is None or value is None:
                continue
            if attribute.many:
                table = quoted(list_table(kind.name, attribute.name))
                values = (record, document, value)
                connection.execute(f"INSERT INTO {table} VALUES (?, ?, ?)", values)
            else:
                row.setdefault(attribute.name, value)
        connection.execute(into, (record, document, *map(row.get, columns)))


_MOST_VALUES: Final = 50
_SCHEMA: Final = "schema"
"""Under which name the file keeps the schema with what was found: units, links."""
_FORM: Final = "5"
"""Of what is computed: another form of it is computed anew."""


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
    values: list[tuple[CellValue, int]] = []
    if attribute.type in ("text", "boolean"):
        values = connection.execute(
            f"SELECT {column}, COUNT(*) FROM {table} WHERE {column} IS NOT NULL "
            f"GROUP BY {column} ORDER BY 2 DESC, 1 LIMIT {_MOST_VALUES}"
        ).fetchall()
    if attribute.type == "boolean":
        values = [(bool(value), rows) for value, rows in values]
    return ColumnFacts(
        attribute=attribute.name, filled=filled, nonzero=nonzero, distinct=distinct,
        mean=mean_value, least=least, most=most, values=tuple(values), units=units.counts,
    )  # fmt: skip


def stored_schema(connection: sqlite3.Connection) -> Schema:
    """Return the schema with what was found in the tables; an empty one before they were made."""
    query = "SELECT value FROM _state WHERE name = ?"
    found = connection.execute(query, (_SCHEMA,)).fetchone()
    return Schema.model_validate_json(found[0]) if found else Schema()


def stored_tables(connection: sqlite3.Connection) -> Tables:
    """Return the tables as computed last; call within a transaction."""
    schema = stored_schema(connection)
    facts = dict(connection.execute("SELECT kind, data FROM _facts").fetchall())
    found = [TableFacts.model_validate_json(facts[kind.name]) for kind in schema.kinds]
    return Tables(schema, tuple(found))


def compute(connection: sqlite3.Connection, declared: Schema) -> None:
    """Make the tables, with units, links and statistics; call within a transaction."""
    connection.execute("DELETE FROM _facts")
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (name,) in names:  # also those of an earlier schema
        if not name.startswith(("_", "sqlite_")):
            connection.execute(f"DROP TABLE {quoted(name)}")
    kinds: list[Kind] = []
    mixed: list[MixedUnits] = []
    for each in declared.kinds:
        units = _units(connection, each)
        attributes = tuple(
            one.model_copy(update={"unit": units[one.name].unit}) if one.name in units else one
            for one in each.attributes
        )
        kind = each.model_copy(update={"attributes": attributes})
        kinds.append(kind)
        mixed += [
            MixedUnits(kind=kind.name, attribute=name, units=tuple(unit for unit, _ in own.counts))
            for name, own in units.items()
            if own.mixed
        ]
        _create_tables(connection, kind)
        _fill(connection, kind)
        query = f"SELECT COUNT(*), COUNT(DISTINCT _document) FROM {quoted(kind.name)}"
        rows, documents = connection.execute(query).fetchone()
        own = ((one, units.get(one.name, ColumnUnits())) for one in kind.attributes)
        columns = tuple(_column(connection, kind, *told) for told in own)
        facts = TableFacts(kind=kind.name, rows=rows, documents=documents, columns=columns)
        connection.execute("INSERT INTO _facts VALUES (?, ?)", (kind.name, facts.model_dump_json()))
    schema = declared.model_copy(update={"kinds": tuple(kinds), "mixed": tuple(mixed)})
    links = (*schema.links, *_inferred_links(connection, schema))
    schema = schema.model_copy(update={"links": links})
    join_columns(connection, schema)
    state = {_SCHEMA: schema.model_dump_json(), "computed": _FORM}
    connection.executemany("INSERT OR REPLACE INTO _state VALUES (?, ?)", state.items())


def key_column(column: str) -> str:
    """Return the name of the column of keys that stands beside a linked column of text."""
    return f"_key_{column}"


def join_columns(connection: sqlite3.Connection, schema: Schema) -> None:
    """Give linked columns of tables just made an index, and those of text their keys."""
    referred = {(link.to_kind, link.to_attribute) for link in schema.links}
    linked = referred | {(link.kind, link.attribute) for link in schema.links}
    texts = {
        (kind.name, each.name)
        for kind in schema.kinds
        for each in kind.attributes
        if each.type == "text"
    }
    key = "plain"
    for kind, name in referred & texts:
        differ = f"COUNT(DISTINCT fold({quoted(name)})) > COUNT(DISTINCT plain({quoted(name)}))"
        if connection.execute(f"SELECT {differ} FROM {quoted(kind)}").fetchone()[0]:
            key = "fold"
    for kind, name in sorted(linked):
        table, held = quoted(kind), quoted(name)
        if (kind, name) in texts:
            held = quoted(key_column(name))
            connection.execute(f"ALTER TABLE {table} ADD COLUMN {held}")
            connection.execute(f"UPDATE {table} SET {held} = {key}({quoted(name)})")
        index = quoted(f"_link_{kind}__{name}")
        connection.execute(f"CREATE INDEX {index} ON {table} ({held})")


_IDENTIFIER: Final = frozenset(
    {"id", "ids", "key", "code", "no", "nr", "num", "number", "ref", "uuid", "guid"}
)
_SHARE: Final = 0.9
"""The least share of a column's values that stand in the other, and of rows that state a column
that identifies them."""


def _inferred_links(connection: sqlite3.Connection, schema: Schema) -> tuple[Link, ...]:
    """Return the links of tables just made; a column with a declared link keeps that only.

    A column refers to another kind where nearly all its values stand in a column that is unique
    there, and its name says so: it ends in the other kind's (`team_id`, `lost_in_battle`), or both
    columns have one name and are identifiers or text. Kinds that stand in the same documents refer
    to each other, those that stand alone to any that does so.
    """
    reach = _reach(connection, schema)
    taken = {(link.kind, link.attribute) for link in schema.links}
    links: dict[tuple[tuple[str, str], tuple[str, str]], Link] = {}
    for _, link in sorted(_likely_links(connection, schema), key=lambda each: each[0]):
        place, target = (link.kind, link.attribute), (link.to_kind, link.to_attribute)
        if link.to_kind in reach[link.kind]:
            if place not in taken and (target, place) not in links:
                links[place, target] = link
            taken.add(place)
    return tuple(links.values())


def _likely_links(
    connection: sqlite3.Connection, schema: Schema
) -> Iterator[tuple[tuple[bool, int, str, str], Link]]:
    """Yield links that names speak for, each with its place: the kind's own name, most values."""
    columns = [
        (kind.name, each)
        for kind in schema.kinds
        for each in kind.attributes
        if not each.many and each.type in ("text", "integer")
    ]
    unique = {(kind, each.name): _is_unique(connection, kind, each.name) for kind, each in columns}
    for (kind, source), (to_kind, target) in permutations(columns, 2):
        named = _names(source.name, to_kind)
        same = source.name == target.name not in _IDENTIFIER
        own = unique[kind, source.name] and _names(source.name, kind)
        key = target.type == "text" or not _IDENTIFIER.isdisjoint(target.name.split("_"))
        if own or kind == to_kind or source.type != target.type or not (named or same):
            continue
        if key and unique[to_kind, target.name]:
            values, held = connection.execute(
                f"SELECT COUNT(*), COUNT(*) FILTER (WHERE v IN (SELECT fold({quoted(target.name)}) "
                f"FROM {quoted(to_kind)})) FROM (SELECT DISTINCT fold({quoted(source.name)}) AS v "
                f"FROM {quoted(kind)} WHERE v IS NOT NULL)"
            ).fetchone()
            if held and held >= _SHARE * values:
                ends = {"attribute": source.name, "to_kind": to_kind, "to_attribute": target.name}
                yield (not named, -held, to_kind, target.name), Link(kind=kind, **ends)


def _names(attribute: str, kind: str) -> bool:
    """Tell whether an attribute's name ends in a kind's, but for words that say it identifies."""
    words = [singular(word) for word in attribute.split("_") if word not in _IDENTIFIER]
    wanted = [singular(word) for word in kind.split("_")]
    return words[-len(wanted) :] == wanted


def _is_unique(connection: sqlite3.Connection, kind: str, name: str) -> bool:
    """Tell whether no value stands in two rows, and nearly every row has one."""
    column = quoted(name)
    stated, different, rows = connection.execute(
        f"SELECT COUNT({column}), COUNT(DISTINCT fold({column})), COUNT(*) FROM {quoted(kind)}"
    ).fetchone()
    return bool(stated >= max(2, _SHARE * rows) and stated == different)


def _reach(connection: sqlite3.Connection, schema: Schema) -> dict[str, set[str]]:
    """Return the kinds that each may refer to: those beside it, else any alone, and documents."""
    documents = {
        kind.name: set(connection.execute(f"SELECT DISTINCT _document FROM {quoted(kind.name)}"))
        for kind in schema.kinds
    }
    beside = {
        kind: {other for other in documents if other != kind and documents[other] & held}
        for kind, held in documents.items()
    }
    whole = {kind.name for kind in schema.kinds if kind.grain == "document"}
    alone = {kind for kind, others in beside.items() if not others}
    return {kind: (others or alone) | whole for kind, others in beside.items()}
