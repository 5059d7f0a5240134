"""Carrying a query out: its number, the items it is about with their proof, what may change it."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite

from agent.errors import QueryError
from agent.records.query_plan import (
    Column,
    Combination,
    Compare,
    Plan,
    Query,
    columns_of,
    denies,
    measured,
    queries_of,
    stated_of,
)
from agent.records.record_replies import QueryReply
from agent.records.record_schema import CellValue
from graphs.records.available_records import AtHand
from tools.records.plan_compiler import (
    compile_links,
    compile_plan,
    compile_rows,
    compile_unknown,
)
from tools.records.sql_functions import Given
from tools.records.sql_terms import Role, Statement

RecordId = tuple[str, int]
"""A record's kind and id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _LinkedRows:
    """Linked records by the row that needs them."""

    of: Mapping[RecordId, tuple[RecordId, ...]] = field(default_factory=dict)
    left: Mapping[RecordId, int] = field(default_factory=dict)
    """How many more there are of a row than are named."""
    columns: tuple[Column, ...] = ()
    """The columns whose equal values link them."""
    why: str = ""
    """Why they could not be found; empty where they were."""


Number = float | int
Key = tuple[str | None, ...]
"""What tells the values of one group from those of others."""
LOOKED_BEYOND = 100
"""Places behind the limit of a query that are looked at for ties."""
_EXACT = 2**53
"""Whole numbers below it are written in full."""
_Rows = Sequence[tuple[CellValue, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that a result is about: a record, a group, or one of several different values."""

    kind: str
    records: tuple[int, ...]
    name: str = ""
    """Empty where the record's own name serves."""
    value: CellValue = None
    document: str = ""
    """Where no record is known, the document that the statement itself names."""

    def rows(self, most: int | None = None) -> list[RecordId]:
        """Return its first records, at most so many."""
        return [(self.kind, each) for each in self.records[:most]]


Value = Number | dict[str, Number] | None


LeftOut = tuple[int, str]
"""How many rows that pass the tests a result leaves out, having no value of theirs, and that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of a query."""

    sql: str
    parameters: tuple[CellValue, ...]
    value: Value
    unit: str | None = None
    items: tuple[Item, ...] = ()
    columns: tuple[Column, ...] = ()
    """The columns that the plan needs: their quotes are its proof."""
    ties: tuple[Item, ...] = ()
    """What a limit leaves out although it is as great, or small, as the last item."""
    linked: _LinkedRows = field(default_factory=_LinkedRows)
    """The linked records that made the rows pass or gave them values: proof too."""
    untold: int = 0
    """Records that might pass the tests, had they stated what these are about."""
    left_out: tuple[LeftOut, ...] = ()
    """Records that pass and state no measure or group."""
    only_more: bool = False
    """Whether the number counts records, each once, and these could only add to it."""
    of_records: bool = True
    """Whether the records behind the result are known: a free statement does not tell."""

    def behind(self, item: Item, most: int | None = None) -> list[RecordId]:
        """Return an item's first records, each followed by those it is linked to."""
        ids = (each for row in item.rows(most) for each in (row, *self.linked.of.get(row, ())))
        return list(dict.fromkeys(ids))

    @property
    def doubtful(self) -> int:
        """How many records could change the result by what they do not state."""
        return self.untold + sum(rows for rows, _ in self.left_out)

    @property
    def empty(self) -> bool:
        """Whether nothing came of it."""
        return not self.items and self.value in (None, 0, {})


def _ties(query: Query, items: Sequence[Item], found: AtHand) -> tuple[Item, ...]:
    """Return what has the value of the last of the first items asked for, as far as is looked."""
    if query.limit is None or query.order is None or len(items) != query.limit:
        return ()
    if items[-1].value is None:
        return ()
    longer = query.model_copy(update={"limit": query.limit + LOOKED_BEYOND})
    statement = compile_plan(longer, found.tables.schema)
    behind = _items_of(longer, statement, found.select(statement), found)[len(items) :]
    return tuple(each for each in behind if each.value == items[-1].value)


def linked_rows(plan: Plan, found: AtHand) -> _LinkedRows:
    """Return the records that a plan's rows are linked to, so far as the plan needs them.

    A result stands without them: where they take too long to find, that is said.
    """
    of: dict[RecordId, dict[RecordId, None]] = {}
    left, columns = Counter[RecordId](), dict[Column, None]()
    try:
        for query in queries_of(plan):
            for each in compile_links(query, found.tables.schema):
                columns |= dict.fromkeys(each.columns)
                named: dict[RecordId, int] = {}
                for row, other, number in found.select(each.statement):
                    if isinstance(row, int) and isinstance(other, int) and isinstance(number, int):
                        of.setdefault((query.kind, row), {})[each.kind, other] = None
                        named[query.kind, row] = named.get((query.kind, row), number) - 1
                left.update(named)
    except QueryError as error:
        return _LinkedRows(why=str(error))
    told = {row: tuple(linked) for row, linked in of.items()}
    return _LinkedRows(of=told, left=+left, columns=tuple(columns))


def _name_of(values: Sequence[CellValue]) -> str:
    """Write what names a row; empty where nothing does, so that its document names it.

    >>> _name_of(["Lee", None]), _name_of([None])
    ('Lee, (none)', '')
    """
    return "" if all(each is None for each in values) else ", ".join(map(written, values))


def key_of(values: Sequence[CellValue]) -> Key:
    """Return what tells values from others, without case."""
    return tuple(None if each is None else written(each).casefold() for each in values)


def _apart(values: Sequence[CellValue]) -> str:
    """Write values that stand for a group, so that no two groups read alike.

    >>> _apart(["Smith, John", "Lee"]), _apart(["Smith", "John, Lee"])
    ('"Smith, John", Lee', 'Smith, "John, Lee"')
    >>> _apart(["Smith, John"]), _apart([None]), _apart(["(none)"])
    ('Smith, John', '(none)', '"(none)"')
    """
    return ", ".join(_quoted(each, several=len(values) > 1) for each in values)


def _quoted(value: CellValue, *, several: bool) -> str:
    told = written(value)
    unclear = told.startswith('"') or (several and "," in told)
    if isinstance(value, str) and (unclear or told == "(none)"):
        return json.dumps(told, ensure_ascii=False)
    return told


def number(value: CellValue) -> Number | None:
    """Return a number, whole ones as such.

    >>> number(3.0), number(2.5), number("2020-01")
    (3, 2.5, None)

    Raises QueryError: it is beyond what a number can hold.
    """
    if value is None or isinstance(value, str | bool):
        return None
    if not isfinite(value):
        raise QueryError("the result is no finite number: it is too great, so compute less of it")
    return int(value) if value == int(value) else value


def written(value: CellValue) -> str:
    """Write a value as a person reads it.

    >>> written(True), written(None), written(12.0), written("Ystad")
    ('yes', '(none)', '12', 'Ystad')
    >>> written(4006381333931.0)
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


def carried_out(reply: QueryReply, found: AtHand) -> Outcome:
    """Compile and run a query; raises QueryError where it is wrong, forbidden or takes too long."""
    if reply.plan is not None:
        return _planned(reply.plan, found)
    if reply.sql:
        return _stated(reply.sql, found)
    raise QueryError("there is neither a plan nor a statement")


def _planned(plan: Plan, found: AtHand) -> Outcome:
    schema = found.tables.schema
    statement = compile_plan(plan, schema)
    rows = found.select(statement)
    queries = queries_of(plan)
    of_query = [_items_of(query, statement, rows, found) for query in queries]
    items = tuple(item for own in of_query for item in own)
    if isinstance(plan, Combination):
        both = (Item(kind=each.kind, records=each.records) for each in items)
        items = tuple(dict.fromkeys(both))
    first = queries[0]
    doubted = [in_doubt(query, found).values() for query in queries]
    left_out = map(_left_out, queries, of_query, doubted)
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
        ties=_ties(first, items, found) if plan is first else (),
        linked=linked_rows(plan, found),
        untold=sum(not passes for own in doubted for passes in own),
        left_out=tuple(each for each in left_out if each[0]),
        only_more=plan is first
        and not denies(first.where)
        and first.operation in {"count", "list"}
        and not first.group_by
        and not first.distinct
        and first.limit is None,
    )


def _left_out(query: Query, items: Sequence[Item], doubted: Iterable[bool]) -> LeftOut:
    """Return what a query leaves out; of how many only where no limit or test cuts the others."""
    rows, behind = sum(doubted), {record for each in items for record in each.records}
    of = "" if query.limit or query.having else f" of {rows + len(behind)}"
    names = ", ".join(each.attribute for each in measured(query))
    told = f"the {query.operation} leaves out {rows}{of} rows of {query.kind}"
    return rows, f"{told} for lack of a value ({names})"


def _items_of(query: Query, statement: Statement, rows: _Rows, found: AtHand) -> list[Item]:
    """Return what a query's result is about, in the result's order."""
    if query.operation == "count_distinct":
        query = _of_values(query)
    behind = compile_rows(query, found.tables.schema)
    records = found.select(behind)
    if query.group_by:
        return _named(_by(behind, records, "group", query), statement, rows, "group", "value")
    if query.distinct:
        keyed = _by(behind, records, "show", query)
        if query.operation == "list":
            return _named(keyed, statement, rows, "show", "measure")
        return list(keyed.values())
    return [
        Item(
            kind=query.kind,
            records=_ids(behind, row),
            name=_name_of(behind.values(row, "show")),
            value=behind.first(row, "measure"),
        )
        for row in records
    ]


def _of_values(query: Query) -> Query:
    """Return a count of different values without what else it would show: each value once."""
    distinct = query.distinct
    if not distinct and isinstance(query.measure, Column):
        distinct = (query.measure,)
    return query.model_copy(update={"distinct": distinct, "show": ()})


def _named(
    keyed: dict[Key, Item], statement: Statement, rows: _Rows, role: Role, valued: Role
) -> list[Item]:
    """Return the items of a result's own rows, each with the records behind it."""
    items = []
    for row in rows:
        values = statement.values(row, role)
        known = keyed.get(key_of(values), Item(kind="", records=()))
        items.append(replace(known, name=_apart(values), value=statement.first(row, valued)))
    return items


def _by(behind: Statement, rows: _Rows, role: Role, query: Query) -> dict[Key, Item]:
    """Put records that bear the same values together."""
    records: dict[Key, dict[int, None]] = {}
    names: dict[Key, str] = {}
    for row in rows:
        values = behind.values(row, role)
        names.setdefault(key_of(values), _apart(values))
        records.setdefault(key_of(values), {}).update(dict.fromkeys(_ids(behind, row)))
    return {
        key: Item(kind=query.kind, records=tuple(records[key]), name=name)
        for key, name in names.items()
    }


def _ids(statement: Statement, row: Sequence[CellValue]) -> tuple[int, ...]:
    return tuple(each for each in statement.values(row, "record") if isinstance(each, int))


def in_doubt(query: Query, found: AtHand) -> dict[int, bool]:
    """Return of each record that could change the result whether it passes as it stands."""
    unknown = compile_unknown(query, found.tables.schema)
    rows = found.select(unknown)
    return {row[0]: bool(unknown.first(row, "flag")) for row in rows if isinstance(row[0], int)}


def _value(plan: Plan, statement: Statement, rows: Sequence[tuple[CellValue, ...]]) -> Value:
    """Return the number: of lists how many there are, of groups one each."""
    query = queries_of(plan)[0]
    if isinstance(plan, Query) and query.group_by and query.operation != "list":
        counted = {
            _apart(statement.values(row, "group")): number(statement.first(row, "value"))
            for row in rows
        }
        return {name: value for name, value in counted.items() if value is not None}
    if isinstance(plan, Query) and query.operation == "list":
        return len(rows)
    return number(statement.first(rows[0], "value")) if rows else None


def _stated(sql: str, found: AtHand) -> Outcome:
    """Run a free statement: one number, or rows named by their columns."""
    ran = found.run(sql)
    named = [place for place, name in enumerate(ran.columns) if not name.startswith("_")]
    if not named:
        raise QueryError("the statement selects nothing but ids: select what names a row")
    items: tuple[Item, ...] = ()
    if len(ran.rows) == 1 and len(named) == 1 and not isinstance(ran.rows[0][named[0]], str):
        value = number(ran.rows[0][named[0]])
    else:
        document = ran.columns.index("_document") if "_document" in ran.columns else None
        items = tuple(
            Item(
                kind="",
                records=(),
                name=_name_of([row[place] for place in named])
                or ("(none)" if document is None else ""),
                document="" if document is None else str(row[document]),
            )
            for row in ran.rows
        )
        value = len(items)
    given: Given = Counter()
    found.run(sql, given)
    told = f"the statement's sums and averages leave out {given[True]} of {given.total()} rows"
    return Outcome(
        sql=sql,
        parameters=(),
        value=value,
        items=items,
        left_out=((given[True], f"{told} for lack of a value"),) if given[True] else (),
        of_records=False,
    )


def absent(plan: Plan, found: AtHand) -> list[str]:
    """Return the words that a plan requires of a column and that no row of it holds."""
    wanted = {pair for query in queries_of(plan) for pair in stated_of(query)}
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
    having = Compare(left=column, comparator="contains", value=value)
    query = Query(kind=column.kind, operation="count", where=having)
    return found.select(compile_plan(query, found.tables.schema))[0] != (0,)
