"""Carrying a query out: its number, what the number is about, and what could change it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import isfinite

from agent.errors import QueryError
from agent.records.columns import columns_of, constants_of, denies, queries_of
from agent.records.plan import Column, Combination, Plan, Query
from agent.records.record import CellValue
from agent.records.replies import QueryReply
from graphs.linked_rows import LinkedRows, linked_rows
from graphs.records_at_hand import AtHand
from tools.records.compile import compile_plan, compile_rows, compile_unknown
from tools.records.compile_statement import Role, Statement

__all__ = ("Item", "Outcome", "absent", "carried_out")

Sum = float | int
Value = Sum | dict[str, Sum] | None
_Key = tuple[str | None, ...]
_EXACT = 2**53
"""Whole numbers below it are written in full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that a result is about: a record, a group, or one of several different values."""

    kind: str
    records: tuple[int, ...]
    """The records behind it."""
    name: str = ""
    """Empty where the record's own name serves."""
    value: CellValue = None
    about: str = ""
    """The kind that the item is of, where it is not that of the records: a group's, a value's."""
    named_by: tuple[Column, ...] = ()
    """Where it is a group or one of several different values: of which columns."""
    document: str = ""
    """Where no record is known, the document that the statement itself names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a query came to."""

    sql: str
    parameters: tuple[CellValue, ...]
    value: Value
    unit: str | None = None
    items: tuple[Item, ...] = ()
    columns: tuple[Column, ...] = ()
    """The columns that the plan needs: their quotes are its proof."""
    linked: LinkedRows = field(default_factory=LinkedRows)
    """The linked records that made the rows pass or gave them values: proof too."""
    untold: int = 0
    """Records that might pass the tests, had they stated what these are about."""
    unmeasured: int = 0
    """Records that pass and state no measure or group."""
    only_more: bool = False
    """Whether these could only add to a count."""
    counts: bool = False
    """Whether the number counts records, each once."""
    of_records: bool = True
    """Whether the records behind the result are known: a free statement does not tell."""

    @property
    def doubtful(self) -> int:
        """How many records could change the result by what they do not state."""
        return self.untold + self.unmeasured

    @property
    def empty(self) -> bool:
        """Whether nothing came of it."""
        return not self.items and self.value in (None, 0, {})


def carried_out(reply: QueryReply, found: AtHand) -> Outcome:
    """Compile and run a query.

    Raises:
        QueryError: it cannot be compiled, is forbidden, or takes too long.
    """
    if reply.plan is not None:
        return _planned(reply.plan, found)
    if reply.sql:
        return _stated(reply.sql, found)
    raise QueryError("there is neither a plan nor a statement")


def absent(plan: Plan, found: AtHand) -> list[str]:
    """Return the words that a plan requires of a column and that no row of it holds."""
    wanted = {pair for query in queries_of(plan) for pair in constants_of(query.where)}
    return sorted(
        f"{value!r} in {column.kind}.{column.attribute}"
        for column, value in wanted
        if not _holds(column, value, found)
    )


def _holds(column: Column, value: str, found: AtHand) -> bool:
    kind = found.tables.schema.kind(column.kind)
    attribute = kind.attribute(column.attribute) if kind else None
    if attribute is None or attribute.type != "text":
        return True
    places = found.tables.find(value, 200)
    return any((each.kind, each.attribute) == (column.kind, column.attribute) for each in places)


def _planned(plan: Plan, found: AtHand) -> Outcome:
    schema = found.tables.schema
    statement = compile_plan(plan, schema)
    rows = found.select(statement)
    queries = queries_of(plan)
    items = tuple(item for query in queries for item in _items(query, statement, rows, found))
    if isinstance(plan, Combination):
        items = tuple(Item(kind=each.kind, records=each.records) for each in items)
    first = queries[0]
    doubted = [passes for query in queries for passes in _doubted(query, found)]
    unit = next(
        (each.unit for each in statement.outputs if each.role in {"value", "measure"}), None
    )
    return Outcome(
        sql=statement.sql,
        parameters=statement.parameters,
        value=_value(plan, statement, rows),
        unit=unit,
        items=items,
        columns=columns_of(plan),
        linked=linked_rows(plan, found),
        untold=sum(not passes for passes in doubted),
        unmeasured=sum(doubted),
        only_more=not denies(first.where),
        counts=plan is first
        and first.operation in {"count", "list"}
        and not first.group_by
        and not first.distinct
        and first.limit is None,
    )


def _items(
    query: Query, statement: Statement, rows: Sequence[tuple[CellValue, ...]], found: AtHand
) -> list[Item]:
    """Return what a query's result is about, in the result's order."""
    if query.operation == "count_distinct":
        query = _of_values(query)
    behind = compile_rows(query, found.tables.schema)
    records = found.select(behind)
    if query.group_by:
        keyed = _by(behind, records, "group", query)
        return _named(keyed, statement, rows, "group", "value")
    if query.distinct:
        keyed = _by(behind, records, "show", query)
        if query.operation == "list":
            return _named(keyed, statement, rows, "show", "measure")
        return list(keyed.values())
    return [
        Item(
            kind=query.kind,
            records=_ids(behind, row),
            name=_own(_values(behind, row, "show")),
            value=_one(behind, row, "measure"),
        )
        for row in records
    ]


def _of_values(query: Query) -> Query:
    """Return a count of different values without what else it would show: each value once."""
    distinct = query.distinct
    if not distinct and isinstance(query.measure, Column):
        distinct = (query.measure,)
    return query.model_copy(update={"distinct": distinct, "show": ()})


def _by(
    behind: Statement, rows: Sequence[tuple[CellValue, ...]], role: Role, query: Query
) -> dict[_Key, Item]:
    """Put records that bear the same values together."""
    columns = query.group_by or query.distinct
    kinds = {each.kind for each in columns}
    about = columns[0].kind if len(kinds) == 1 else query.kind
    records: dict[_Key, list[int]] = {}
    names: dict[_Key, str] = {}
    for row in rows:
        values = _values(behind, row, role)
        names.setdefault(_key(values), _apart(values))
        records.setdefault(_key(values), []).extend(_ids(behind, row))
    return {
        key: Item(
            kind=query.kind,
            records=tuple(dict.fromkeys(records[key])),
            name=name,
            about=about,
            named_by=columns,
        )
        for key, name in names.items()
    }


def _named(
    keyed: dict[_Key, Item],
    statement: Statement,
    rows: Sequence[tuple[CellValue, ...]],
    role: Role,
    valued: Role,
) -> list[Item]:
    """Return the items of a result's own rows, each with the records behind it."""
    items = []
    for row in rows:
        values = _values(statement, row, role)
        known = keyed.get(_key(values), Item(kind="", records=()))
        items.append(replace(known, name=_apart(values), value=_one(statement, row, valued)))
    return items


def _value(plan: Plan, statement: Statement, rows: Sequence[tuple[CellValue, ...]]) -> Value:
    """Return the number: of lists how many there are, of groups one each."""
    query = queries_of(plan)[0]
    if isinstance(plan, Query) and query.group_by and query.operation != "list":
        counted = {
            _apart(_values(statement, row, "group")): _number(_one(statement, row, "value"))
            for row in rows
        }
        return {name: number for name, number in counted.items() if number is not None}
    if isinstance(plan, Query) and query.operation == "list":
        return len(rows)
    return _number(_one(statement, rows[0], "value")) if rows else None


def _doubted(query: Query, found: AtHand) -> list[bool]:
    """Return of each record that could change the result whether it passes as it stands."""
    unknown = compile_unknown(query, found.tables.schema)
    passes, _ = unknown.place("flag")
    return [bool(row[passes]) for row in found.select(unknown)]


def _stated(sql: str, found: AtHand) -> Outcome:
    """Run a free statement: one number, or rows named by their columns."""
    ran = found.run(sql)
    named = [place for place, name in enumerate(ran.columns) if not name.startswith("_")]
    if not named:
        raise QueryError("the statement selects nothing but ids: select what names a row")
    if len(ran.rows) == 1 and len(named) == 1 and not isinstance(ran.rows[0][named[0]], str):
        return Outcome(
            sql=sql, parameters=(), value=_number(ran.rows[0][named[0]]), of_records=False
        )
    document = ran.columns.index("_document") if "_document" in ran.columns else None
    items = tuple(
        Item(
            kind="",
            records=(),
            name=_own([row[place] for place in named]) or ("(none)" if document is None else ""),
            document="" if document is None else str(row[document]),
        )
        for row in ran.rows
    )
    return Outcome(sql=sql, parameters=(), value=len(items), items=items, of_records=False)


def _ids(statement: Statement, row: Sequence[CellValue]) -> tuple[int, ...]:
    values = (row[place] for place in statement.place("record"))
    return tuple(value for value in values if isinstance(value, int))


def _values(statement: Statement, row: Sequence[CellValue], role: Role) -> list[CellValue]:
    return [row[place] for place in statement.place(role)]


def _own(values: Sequence[CellValue]) -> str:
    """Write what names a row; empty where nothing does, so that its document names it.

    >>> _own(["Lee", None]), _own([None])
    ('Lee, (none)', '')
    """
    return "" if all(each is None for each in values) else ", ".join(map(_written, values))


def _key(values: Sequence[CellValue]) -> _Key:
    """Return what tells values from others, without case."""
    return tuple(None if each is None else _written(each).casefold() for each in values)


def _apart(values: Sequence[CellValue]) -> str:
    """Write values that stand for a group, so that no two groups read alike.

    >>> _apart(["Smith, John", "Lee"]), _apart(["Smith", "John, Lee"])
    ('"Smith, John", Lee', 'Smith, "John, Lee"')
    >>> _apart(["Smith, John"]), _apart([None]), _apart(["(none)"])
    ('Smith, John', '(none)', '"(none)"')
    """
    return ", ".join(_quoted(each, several=len(values) > 1) for each in values)


def _quoted(value: CellValue, *, several: bool) -> str:
    written = _written(value)
    unclear = written.startswith('"') or (several and "," in written)
    if isinstance(value, str) and (unclear or written == "(none)"):
        return json.dumps(written, ensure_ascii=False)
    return written


def _one(statement: Statement, row: Sequence[CellValue], role: Role) -> CellValue:
    places = statement.place(role)
    return row[places[0]] if places else None


def _number(value: CellValue) -> Sum | None:
    """Return a number, whole ones as such.

    >>> _number(3.0), _number(2.5), _number("2020-01")
    (3, 2.5, None)

    Raises:
        QueryError: it is beyond what a number can hold.
    """
    if value is None or isinstance(value, str | bool):
        return None
    if not isfinite(value):
        raise QueryError("the result is no finite number: it is too great, so compute less of it")
    return int(value) if value == int(value) else value


def _written(value: CellValue) -> str:
    """Write a value as a person reads it.

    >>> _written(True), _written(None), _written(12.0), _written("Ystad")
    ('yes', '(none)', '12', 'Ystad')
    >>> _written(4006381333931.0)
    '4006381333931'
    """
    if value is None:
        return "(none)"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        whole = value.is_integer() and abs(value) < _EXACT
        return str(int(value)) if whole else f"{value:.12g}"
    return str(value)
