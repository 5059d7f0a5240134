"""Carrying a query out: its number, what the number is about, and what could change it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.errors import QueryError
from agent.records.query_plan import (
    Column,
    Combination,
    Plan,
    Query,
    columns_of,
    denies,
    queries_of,
    stated_of,
)
from agent.records.record_replies import QueryReply
from agent.records.record_schema import CellValue
from graphs.records.at_hand import AtHand
from graphs.records.linked_rows import LinkedRows, linked_rows
from graphs.records.result_items import Item, items_of
from graphs.records.result_ties import Ties, ties
from graphs.records.result_values import Number, apart, in_role, name_of, number, one
from graphs.records.unlike_values import UnlikeValues, unlike_values
from tools.records.compile import compile_plan, compile_unknown
from tools.records.compile_statement import Statement
from tools.records.folding import folded, plainly
from tools.records.select import Rows

__all__ = ("Outcome", "absent", "carried_out")

Value = Number | dict[str, Number] | None


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
    ties: Ties = field(default_factory=Ties)
    """What a limit leaves out although it is as great, or small, as the last item."""
    linked: LinkedRows = field(default_factory=LinkedRows)
    """The linked records that made the rows pass or gave them values: proof too."""
    unlike: tuple[UnlikeValues, ...] = ()
    """What the plan leaves out because it is in another unit than asked for."""
    respelled: tuple[tuple[str, str], ...] = ()
    """Texts that the plan states, each with a value that it equals but for accents."""
    several_units: tuple[str, ...] = ()
    """The columns of numbers in several units that a free statement reads."""
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


def respelled(plan: Plan, found: AtHand) -> tuple[tuple[str, str], ...]:
    """Return the texts that a plan states, each with a value held that has other accents."""
    return tuple(
        (text, str(each.value))
        for query in queries_of(plan)
        for column, text in stated_of(query)
        for each in found.tables.find(text, 200)
        if (each.kind, each.attribute) == (column.kind, column.attribute)
        and folded(text) != folded(str(each.value))
        and plainly(text) == plainly(str(each.value))
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
    places = found.tables.find(value, 200)
    return any((each.kind, each.attribute) == (column.kind, column.attribute) for each in places)


def _planned(plan: Plan, found: AtHand) -> Outcome:
    schema = found.tables.schema
    statement = compile_plan(plan, schema)
    rows = found.select(statement)
    queries = queries_of(plan)
    items = tuple(item for query in queries for item in items_of(query, statement, rows, found))
    if isinstance(plan, Combination):
        both = (Item(kind=each.kind, records=each.records) for each in items)
        items = tuple(dict.fromkeys(both))
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
        ties=ties(first, items, found) if plan is first else Ties(),
        linked=linked_rows(plan, found),
        respelled=respelled(plan, found),
        unlike=tuple(unlike_values(plan, found.tables)),
        untold=sum(not passes for passes in doubted),
        unmeasured=sum(doubted),
        only_more=not denies(first.where),
        counts=plan is first
        and first.operation in {"count", "list"}
        and not first.group_by
        and not first.distinct
        and first.limit is None,
    )


def _value(plan: Plan, statement: Statement, rows: Sequence[tuple[CellValue, ...]]) -> Value:
    """Return the number: of lists how many there are, of groups one each."""
    query = queries_of(plan)[0]
    if isinstance(plan, Query) and query.group_by and query.operation != "list":
        counted = {
            apart(in_role(statement, row, "group")): number(one(statement, row, "value"))
            for row in rows
        }
        return {name: value for name, value in counted.items() if value is not None}
    if isinstance(plan, Query) and query.operation == "list":
        return len(rows)
    return number(one(statement, rows[0], "value")) if rows else None


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
        return _free(ran, sql, number(ran.rows[0][named[0]]))
    document = ran.columns.index("_document") if "_document" in ran.columns else None
    items = tuple(
        Item(
            kind="",
            records=(),
            name=name_of([row[place] for place in named]) or ("(none)" if document is None else ""),
            document="" if document is None else str(row[document]),
        )
        for row in ran.rows
    )
    return _free(ran, sql, len(items), items)


def _free(ran: Rows, sql: str, value: Value, items: tuple[Item, ...] = ()) -> Outcome:
    return Outcome(
        sql=sql,
        parameters=(),
        value=value,
        items=items,
        several_units=ran.several_units,
        of_records=False,
    )
