"""Carrying a query out: its number, the items it is about with their proof, what may change it."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import chain, groupby
from operator import itemgetter
from typing import Final

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
from graphs.records.available_records import AtHand
from tools.records.plan_results import Item, Result, Results, combined, name_of, number
from tools.records.sql_terms import Given, Statement

_MOST: Final = 20
"""Linked records of one kind that are named for one row and test; the rest is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _LinkedRows:
    """Linked records by the row that needs them, all by their ids."""

    of: Mapping[int, Collection[int]] = field(default_factory=dict)
    left: Mapping[int, int] = field(default_factory=dict)
    """How many more there are of a row than are named."""
    columns: tuple[Column, ...] = ()
    why: str = ""


LeftOut = tuple[int, str, tuple[int, ...]]
"""How many rows that pass the tests a result leaves out, having no value of theirs, that, and the
ids of their records, where these are known."""


@dataclass(frozen=True, kw_only=True)
class Outcome(Result):
    """The result of a query."""

    columns: tuple[Column, ...] = ()
    """The columns that the plan needs: their quotes are its proof."""
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

    def behind(self, item: Item, most: int | None = None) -> list[int]:
        """Return an item's first records, each followed by those it is linked to."""
        ids = ((row, *self.linked.of.get(row, ())) for row in item.records[:most])
        return list(dict.fromkeys(chain.from_iterable(ids)))

    @property
    def doubtful(self) -> int:
        """How many records could change the result by what they do not state."""
        return self.untold + sum(rows for rows, *_ in self.left_out)


def _linked(plan: Plan, results: Results) -> _LinkedRows:
    """Return the records that a plan's rows are linked to, or why they could not be found."""
    of: dict[int, dict[int, None]] = {}
    left, columns = Counter[int](), dict[Column, None]()
    try:
        for query in queries_of(plan):
            for statement, ends in results.links(query):
                columns |= dict.fromkeys(ends)
                for row, pairs in groupby(results.select(statement), key=itemgetter(0)):
                    others = [other for _, other in pairs]
                    of.setdefault(row, {}).update(dict.fromkeys(others[:_MOST]))
                    left[row] += len(others[_MOST:])
    except QueryError as error:
        return _LinkedRows(why=str(error))
    return _LinkedRows(of=of, left=+left, columns=tuple(columns))


def carried_out(reply: QueryReply, found: AtHand) -> Outcome:
    """Compile and run a query; raises QueryError where it is wrong, forbidden or takes too long."""
    if reply.plan is not None:
        return _planned(reply.plan, found)
    if reply.sql:
        return _stated(reply.sql, found)
    raise QueryError("there is neither a plan nor a statement")


def _planned(plan: Plan, found: AtHand) -> Outcome:
    results, queries = found.results, queries_of(plan)
    first, of_query = queries[0], [results.of(each) for each in queries]
    result = combined(plan, *of_query) if isinstance(plan, Combination) else of_query[0]
    doubted = [results.in_doubt(query) for query in queries]
    left_out = map(_left_out, queries, of_query, doubted)
    return Outcome(
        **vars(result),
        columns=columns_of(plan),
        linked=_linked(plan, results),
        untold=sum(not passes for own in doubted for passes in own.values()),
        left_out=tuple(each for each in left_out if each[0]),
        only_more=plan is first
        and not denies(first.where)
        and first.operation in {"count", "list"}
        and not first.group_by
        and not first.distinct
        and first.limit is None,
    )


def _left_out(query: Query, result: Result, doubted: Mapping[int, bool]) -> LeftOut:
    """Return what a query leaves out; of how many only where no limit or test cuts the others."""
    left = tuple(record for record, passes in doubted.items() if passes)
    rows, behind = len(left), {record for each in result.items for record in each.records}
    of = "" if query.limit or query.having else f" of {rows + len(behind)}"
    names = ", ".join(each.attribute for each in measured(query))
    told = f"the {query.operation} leaves out {rows}{of} rows of {query.kind}"
    return rows, f"{told} for lack of a value ({names})", left


def _stated(sql: str, found: AtHand) -> Outcome:
    """Run a free statement: one number, or rows named by their columns."""
    given: Given = Counter()
    columns, rows = found.run(sql, given)
    named = [place for place, name in enumerate(columns) if not name.startswith("_")]
    if not named:
        raise QueryError("the statement selects nothing but ids: select what names a row")
    items: tuple[Item, ...] = ()
    if len(rows) == 1 and len(named) == 1 and not isinstance(rows[0][named[0]], str):
        value = number(rows[0][named[0]])
    else:
        document = columns.index("_document") if "_document" in columns else None
        items = tuple(
            Item(
                name=name_of([row[place] for place in named])
                or ("(none)" if document is None else ""),
                document="" if document is None else str(row[document]),
            )
            for row in rows
        )
        value = len(items)
    told = f"the statement's sums and averages leave out {given[True]} of {given.total()} rows"
    return Outcome(
        statement=Statement(sql, (), ()),
        value=value,
        items=items,
        left_out=((given[True], f"{told} for lack of a value", ()),) if given[True] else (),
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
    attribute = found.tables.schema.attribute(column.kind, column.attribute)
    if attribute is None or attribute.type != "text":
        return True
    having = Compare(left=column, comparator="contains", value=value)
    query = Query(kind=column.kind, operation="list", where=having, limit=1)
    return not found.results.of(query).empty
