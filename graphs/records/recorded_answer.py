"""The answer that records give: a query carried out, its number, proof by quotes, its bounds."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from operator import itemgetter
from typing import Final

from agent.answer import Answer, Completeness
from agent.errors import CorpusError, QueryError, QuestionError
from agent.evidence import Entity, Evidence
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
from agent.records.record import Record
from agent.records.record_replies import QueryReply
from agent.state import State
from agent.units import is_share
from agent.value import counted
from graphs.answering.answers import answer_of, first_names
from graphs.context import Context
from graphs.disambiguation import Served, served
from graphs.records.available_records import WHY_FAILED, AtHand, at_hand
from graphs.scope import ledger, scope
from tools.records.guarded_select import Selector
from tools.records.plan_results import (
    LOOKED_BEYOND,
    Item,
    Result,
    Results,
    combined,
    name_of,
    number,
    written,
)
from tools.records.sql_terms import Statement

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
    columns, rows = Selector(found.store.path).run(sql)
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
    statement = Statement(sql, (), ())
    return Outcome(statement=statement, value=value, items=items, of_records=False)


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


Named = tuple[str, Record | None]
"""The name that a row has so far, and the first record behind it; None where none is known."""
_QUOTED = 20
"""Records behind one item whose quotes are shown at most, each with the records linked to it."""


def told_apart(rows: Sequence[Named]) -> list[str]:
    """Return the rows' names, in order, each once.

    Behind a name that several bear stands, in brackets, the first of these that tells them all
    apart: what their texts call them, their documents. What nothing tells apart is numbered.
    """
    alike: defaultdict[str, list[int]] = defaultdict(list)
    names = [name for name, _ in rows]
    for place, name in enumerate(names):
        alike[name].append(place)
    for name, places in alike.items():
        if len(places) > 1:
            told = _telling(name, [rows[place][1] for place in places])
            for place, what in zip(places, told, strict=True):
                names[place] = f"{name} ({what})"
    return names


def _telling(name: str, records: Sequence[Record | None]) -> Sequence[str]:
    """Return of rows of one name what tells each from all others."""
    labels = [each.label if each else "" for each in records]
    documents = [each.document if each else "" for each in records]
    for told in (labels, documents):
        if all(told) and len(set(told)) == len(told) and name not in told:
            return told
    return [f"{number} of {len(records)}" for number in range(1, len(records) + 1)]


@dataclass(frozen=True, kw_only=True)
class Unquoted:
    """What is behind a result without words that prove it."""

    records: int = 0
    """An item has only so many quotes."""
    values: Mapping[str, int] = field(default_factory=dict)
    """By attribute, those of the other records that stand in no text: names or fields say them."""


def entities(
    listed: Sequence[Item], outcome: Outcome, found: AtHand
) -> tuple[tuple[Entity, ...], Unquoted]:
    """Return what a result is about, with the words that state it, and what goes unquoted."""
    behind = [outcome.behind(item, _QUOTED) for item in listed]
    known = found.store.records(dict.fromkeys(chain.from_iterable(behind)))
    ids = [item.records[:_QUOTED] for item in listed]
    rows = [[known[each] for each in own if each in known] for own in ids]
    needed: defaultdict[str, set[str]] = defaultdict(set)
    for column in (*outcome.columns, *outcome.linked.columns):
        needed[column.kind].add(column.attribute)
    names = told_apart(list(map(_named, listed, rows)))
    made = []
    for item, name, own, proving in zip(listed, names, rows, behind, strict=True):
        quoted = [known[each] for each in proving if each in known]
        evidence = (said for each in quoted for said in _evidence(each, needed[each.kind], name))
        documents = [each.document for each in own] or [item.document] * bool(item.document)
        made.append(
            Entity(
                name=name,
                documents=tuple(dict.fromkeys(documents)),
                value=written(item.value) if isinstance(item.value, bool) else item.value,
                evidence=tuple(dict.fromkeys(evidence)),
            )
        )
    left = sum(max(0, len(each.records) - _QUOTED) for each in listed)
    left += sum(outcome.linked.left.get(row, 0) for own in ids for row in own)
    values = Counter(
        f"{row.kind}.{cell.attribute}"
        for row in known.values()
        for cell in row.cells
        if cell.attribute in needed[row.kind] and cell.value is not None and not cell.quote
    )
    return tuple(made), Unquoted(records=left, values=values)


def _named(item: Item, rows: Sequence[Record]) -> Named:
    """Return an item with what it is called: by the query, else by its record or document."""
    own = rows[0].label or rows[0].document if rows else item.document
    return item.name or own, rows[0] if rows else None


def _evidence(record: Record, needed: Collection[str], name: str) -> Sequence[Evidence]:
    """Return the quotes of the cells that the query reads; of any cell where it reads none."""
    chosen = [proof for cell, proof in record.quoted if cell.attribute in needed]
    naming = [proof for cell, proof in record.quoted if str(cell.value) == name]
    return chosen or naming or [proof for _, proof in record.quoted[: not needed]]


_LISTED = 5000
"""Items of an answer that are listed at most."""


def recorded(state: State, context: Context, number: int = 0) -> Answer:
    """Build the answer to the interpretation of that number, which the records answered.

    Raises QuestionError: they did not; CorpusError: the records have gone since.
    """
    planned = {each.of: each.reply for each in (state.route.planned if state.route else ())}
    by_number = {each.number: each for each in served(state)}
    if str(number) not in planned or number not in by_number:
        raise QuestionError(f"the records answered no interpretation {number}")
    with at_hand(context) as found:
        if isinstance(found, str):
            raise CorpusError(f"the records are gone ({found}): ask the question again")
        return _answer(by_number[number], planned[str(number)], found, state, context)


def _answer(
    asked: Served, reply: QueryReply, found: AtHand, state: State, context: Context
) -> Answer:
    outcome = carried_out(reply, found)
    listed = outcome.items[:_LISTED]
    shown, left = entities(listed, outcome, found)
    told = f"computed from records: {reply.why}"
    settled = (*asked.interpretation.settled, told)
    steps = context.store.steps(scope(state))
    place = [each.number for each in served(state)].index(asked.number) + 1
    return answer_of(
        state,
        asked.interpretation.model_copy(update={"settled": settled}),
        status="answered",
        value=outcome.value,
        bounds=_bounds(outcome, found),
        # A share is held as a fraction of one, beside which % would lie.
        unit=None if outcome.unit and is_share(outcome.unit) else outcome.unit,
        entities=shown,
        completeness=completeness(outcome, found),
        coverage=ledger(state, context).coverage(),
        snapshots=(steps[place],),
        warnings=(*state.warnings, *warnings(outcome, found, left, len(listed))),
    )


def _bounds(outcome: Outcome, found: AtHand) -> tuple[float, float] | None:
    """Return what the number could be, given what records do not state and who has none."""
    value = outcome.value
    if value is None or isinstance(value, dict) or not outcome.of_records:
        return None
    if not outcome.doubtful and not found.lacking:
        return (value, value)
    one_each = all(each.grain == "document" for each in found.tables.schema.kinds)
    if not outcome.only_more or (found.lacking and not one_each):
        return None
    return (value, value + outcome.doubtful + found.lacking)


def completeness(outcome: Outcome, found: AtHand) -> Completeness:
    """Say what the tables cover; what was misread when they were filled, nothing here bounds."""
    told = [f"records of {found.read} of {counted(found.documents, 'document')}"]
    told += [f"{len(found.failed)} failed"] if found.failed else []
    told += [f"{len(found.partial)} read in part"] if found.partial else []
    for each in outcome.columns:
        held, rows = found.tables.held(each.kind, each.attribute)
        if held < rows:
            filled = f"{held} of {counted(rows, 'row')}"
            told.append(f"{each.kind}.{each.attribute} stated by {filled}")
    if outcome.doubtful:
        told.append(f"{counted(outcome.doubtful, 'row')} without what the question needs")
    return Completeness(method=f"no bound of what was misread: {', '.join(told)}")


def warnings(outcome: Outcome, found: AtHand, left: Unquoted, listed: int) -> tuple[str, ...]:
    """Return a sentence for each thing to know or do; `listed` is how many items are listed."""
    tables, rows = _of_tables(found), _of_rows(outcome, found)
    return (*_of_few(outcome), *tables, *rows, *_unproved(outcome, left, listed))


def _of_few(outcome: Outcome) -> Iterator[str]:
    """Say first where a number is of the fewer rows: the others state no value to compute with."""
    behind = len({record for each in outcome.items for record in each.records})
    if any(rows > behind for rows, *_ in outcome.left_out):
        yield f"of {counted(behind, 'row')} only, since most state no value: take it for a sample's"


def _of_tables(found: AtHand) -> Iterator[str]:
    if found.failed:
        yield f"{_some(found.failed)} could not be read into records: {WHY_FAILED}"
    if found.partial:
        yield f"only parts of {_some(found.partial)} could be read into records: {WHY_FAILED}"
    unread = found.lacking - len(found.failed) - len(found.partial)
    if unread > 0:
        yield (
            f"not read into records yet: {counted(unread, 'document')}; `headcount records fill` "
            "reads what is new"
        )


def _some(documents: tuple[str, ...]) -> str:
    """Say how many documents, and the first names."""
    return f"{counted(len(documents), 'document')} ({first_names(sorted(documents))})"


def _of_rows(outcome: Outcome, found: AtHand) -> Iterator[str]:
    if outcome.untold:
        yield (
            f"left out for not stating what is tested: {counted(outcome.untold, 'row')}; "
            "`headcount records show` says how full each column is"
        )
    for _, told, rows in outcome.left_out:
        records = found.store.records(rows).values()
        documents = tuple(dict.fromkeys(each.document for each in records))
        yield f"{told}: {_some(documents)}" if documents else told
    for column in outcome.columns:
        if mixed := found.tables.schema.units_of(column.kind, column.attribute):
            units = ", ".join(each or "none" for each in mixed.units)
            yield (
                f"{column.kind}.{column.attribute} has values in several units ({units}), which "
                "the quotes tell: the numbers are not to be compared"
            )
    if outcome.ties:
        yield _tied(outcome, found)


def _tied(outcome: Outcome, found: AtHand) -> str:
    """Say what ties with the last place; the order of equals is chance."""
    tied = outcome.ties
    named, _ = entities(tied, outcome, found)
    names = first_names([each.name for each in named])
    count = f"{'at least ' if len(tied) == LOOKED_BEYOND else ''}{len(tied)} more"
    return (
        f"place {len(outcome.items)} is a tie: {count} with the same value "
        f"{written(tied[0].value)} {'is' if len(tied) == 1 else 'are'} left out ({names}): "
        "ask for more places to list them"
    )


def _unproved(outcome: Outcome, left: Unquoted, listed: int) -> Iterator[str]:
    if not outcome.of_records:
        yield (
            "the result comes from a free SQL statement, which does not say from which records, so "
            "there are no quotes, and whose sums leave out what is not stated: check the statement"
        )
    if outcome.linked.why:
        yield (
            f"the linked records that prove the result could not be looked up, so their quotes are "
            f"left out: {outcome.linked.why}"
        )
    for attribute, count in left.values.items():
        yield (
            f"without a quote: {counted(count, 'value')} of {attribute}; the document's name or "
            "fields say so"
        )
    if left.records:
        yield (
            f"behind the result, but not quoted: {counted(left.records, 'more record')}; run the "
            "statement shown for all"
        )
    if len(outcome.items) > listed:
        yield (
            f"the first {counted(listed, 'item')} of {len(outcome.items)} are listed: ask a "
            "narrower question for the others"
        )
