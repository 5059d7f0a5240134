"""The rows of a query before anything is done with them, and the tests that they pass.

A condition is true, false or null. Where a linked record or list value is asked for, `EXISTS` knows
no null: with `doubt` a condition is null where what is not stated could change it. A nested test
stands once in its SQL, so that its length grows with the plan's.
"""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from agent.errors import QueryError
from agent.records.query_plan import (
    Aggregate,
    AllTests,
    AnyTest,
    Column,
    Compare,
    Expression,
    Having,
    NotTest,
    Query,
    Related,
    Test,
    columns_in,
)
from agent.records.record_schema import DATED, Kind, Schema
from tools.records.kind_tables import list_table, quoted
from tools.records.plan_scope import Hop, Join, Scope, attribute_of, hop_joins, kind_of, path
from tools.records.sql_terms import NUMERIC, Binder, Term, compared, compared_terms


@dataclass(slots=True)
class Witness:
    """The records that one test of linked records asks for, joined to the row that passes it."""

    chain: Sequence[Join]
    inner: Scope
    parent: "Witness | None"
    """The test within which this one stands."""
    passed: str = "1"

    def joined(self) -> str:
        """Return what stands after the rows' own tables."""
        before = self.parent.joined() if self.parent else ""
        own = "".join(f" JOIN {table} ON {condition}" for table, condition in self.chain)
        return f"{before}{own}{self.inner.joined()}"

    def condition(self) -> str:
        """Return what the joined records must satisfy."""
        before = f"{self.parent.condition()} AND " if self.parent else ""
        return f"{before}({self.passed})"

    def hops(self) -> tuple[Hop, ...]:
        """Return the steps along links from the row to the records."""
        before = self.parent.hops() if self.parent else ()
        return (*before, *self.inner.hops)


AggregateCompiler = Callable[[Aggregate], Term]
"""Brings the number of an aggregate into a statement."""


class Tester:
    """Compiles tests within a scope."""

    def __init__(self, aggregate: AggregateCompiler, *, doubt: bool = False) -> None:
        self._aggregate = aggregate
        self._doubt = doubt
        self.witnesses: list[Witness] = []
        """The tests that linked records satisfy; what must be absent has no witness."""
        self._open: list[Witness] = []
        self._denied = 0

    def condition(self, scope: Scope, test: Test | None) -> str:
        """Return the SQL condition; raises QueryError where names or types do not fit."""
        match test:
            case None:
                return "1"
            case Compare():
                return self._compare(scope, test)
            case Related():
                return self._related(scope, test)
            case NotTest():
                return self._not(scope, test)
            case AllTests():
                return self._all(scope, test)
            case AnyTest():
                parts = [f"({self.condition(scope, part)})" for part in test.parts]
                return " OR ".join(parts) or "0"

    def _not(self, scope: Scope, test: NotTest) -> str:
        self._denied += 1
        denied = f"NOT ({self.condition(scope, test.part)})"
        self._denied -= 1
        return denied

    def _all(self, scope: Scope, test: AllTests) -> str:
        """Join conditions; those on one far kind are about one and the same of its records."""
        far = {place: kind for place, part in enumerate(test.parts) if (kind := _far(scope, part))}
        ends = _ends(scope, set(far.values()))
        groups: dict[str, list[Test]] = {}
        conditions = []
        for place, part in enumerate(test.parts):
            if place in far:
                groups.setdefault(ends[far[place]], []).append(part)
            else:
                conditions.append(self.condition(scope, part))
        conditions += [self._far(scope, kind, parts) for kind, parts in groups.items()]
        return " AND ".join(f"({each})" for each in conditions) or "1"

    def _compare(self, scope: Scope, test: Compare) -> str:
        far = _far(scope, test)
        if far is not None:
            return self._far(scope, far, [test])
        loose = [column for column in _columns(test) if scope.is_loose(column)]
        if loose:
            return self._any_value(scope, loose[0], test)
        if test.comparator in ("null", "not_null"):
            return compared(scope.stated(test.left), test.comparator, None, scope.binder)
        left = scope.term(test.left)
        if test.column is not None:
            return compared_terms(left, test.comparator, scope.term(test.column))
        if test.aggregate is not None:
            return compared_terms(left, test.comparator, self._aggregate(test.aggregate))
        return compared(left, test.comparator, test.value, scope.binder)

    def _far(self, scope: Scope, kind: str, tests: Sequence[Test]) -> str:
        """Ask whether one linked record of a kind passes all tests."""
        where = tests[0] if len(tests) == 1 else AllTests(parts=tuple(tests))
        return self._related(scope, Related(kind=kind, where=where))

    def _any_value(self, scope: Scope, column: Column, test: Compare) -> str:
        """Ask whether any value of a list passes; `!=` asks that none is equal."""
        owner = scope.kind_alias(column.kind)
        alias = scope.binder.alias()
        values = (
            f"FROM {quoted(list_table(column.kind, column.attribute))} AS {alias} "
            f"WHERE {alias}._record = {owner}._record"
        )
        if test.comparator in ("null", "not_null"):
            return f"{'NOT ' if test.comparator == 'null' else ''}EXISTS (SELECT 1 {values})"
        denied = test.comparator == "!="
        asked = test.model_copy(update={"comparator": "="}) if denied else test
        # The attribute stands for one of its values meanwhile.
        scope.lists[column.kind, column.attribute] = alias
        inner = self._compare(scope, asked)
        del scope.lists[column.kind, column.attribute]
        found = f"EXISTS (SELECT 1 {values} AND ({inner}))"
        wanted = f"NOT {found}" if denied else found
        return f"CASE WHEN EXISTS (SELECT 1 {values}) THEN {wanted} END"

    def _related(self, scope: Scope, test: Related) -> str:
        kind_of(scope.schema, test.kind)
        least, most = _bounds(test)
        inner = Scope(scope.schema, scope.binder, test.kind, parent=scope)
        chain = _chain(scope, path(scope.schema, scope.kind, test.kind, test.through), inner)
        witness = Witness(chain, inner, self._open[-1] if self._open else None)
        self._open.append(witness)
        passed = witness.passed = self.condition(inner, test.where)
        self._open.pop()
        if most != 0 and not self._denied:
            self.witnesses.append(witness)
        source = _linked(chain, inner)
        if least == 0 and most is None:
            return "1"
        if least <= 1 and most in (None, 0) and not self._doubt:
            return f"{'' if most is None else 'NOT '}EXISTS (SELECT 1 {source} AND ({passed}))"
        return self._counted(source, passed, inner.alias, least, most)

    def _counted(self, source: str, passed: str, alias: str, least: int, most: int | None) -> str:
        if not self._doubt:
            number = f"(SELECT COUNT(DISTINCT {alias}._record) {source} AND ({passed}))"
            wanted = f">= {least}" if most is None else f"BETWEEN {least} AND {most}"
            return f"{number} {wanted}"
        low, high = (f"COUNT(DISTINCT CASE WHEN {p} THEN r END)" for p in ("p", "IFNULL(p, 1)"))
        sure = f"{low} >= {least}" + (f" AND {high} <= {most}" if most is not None else "")
        never = f"{high} < {least}" + (f" OR {low} > {most}" if most is not None else "")
        # A table of its own: an aggregate of outer columns alone would be the outer SELECT's.
        rows = f"SELECT {alias}._record AS r, ({passed}) AS p {source}"
        return f"(SELECT CASE WHEN {sure} THEN 1 WHEN {never} THEN 0 END FROM ({rows}))"


def _far(scope: Scope, test: Test) -> str | None:
    """Return the kind of which a comparison is about some linked record, if it is."""
    columns = _columns(test) if isinstance(test, Compare) else ()
    kinds = (kind_of(scope.schema, column.kind).name for column in columns)
    return next((kind for kind in kinds if scope.is_far(kind)), None)


def _columns(test: Compare) -> tuple[Column, ...]:
    return (*columns_in(test.left), *columns_in(test.column))


def _ends(scope: Scope, kinds: AbstractSet[str]) -> dict[str, str]:
    """Return for each kind the one whose way passes by it, else the kind itself."""
    ways = {kind: path(scope.schema, scope.kind, kind) for kind in sorted(kinds)}
    return {
        kind: next(
            (end for end, way in ways.items() if kind in {hop.to_kind for hop in way[:-1]}), kind
        )
        for kind in ways
    }


def _bounds(test: Related) -> tuple[int, int | None]:
    """Return how many linked records there must and may be; the mere default 1 gives way."""
    stated = "at_least" in test.model_fields_set
    least, most = test.at_least, test.at_most
    if most is not None and (most == 0 or not stated):
        least = 0
    if most is not None and most < least:
        raise QueryError(f"at_most is {most} and at_least is {least}: no number is both")
    if least < 0:
        raise QueryError(f"at_least is {least}: give 0 or more")
    return least, most


def _chain(scope: Scope, way: Sequence[Hop], inner: Scope) -> list[Join]:
    """Return the tables from a row of the outer scope to the inner scope's own."""
    joins: list[Join] = []
    alias = scope.alias
    for hop in way:
        target = inner.alias if hop is way[-1] else scope.binder.alias()
        joins += hop_joins(scope.schema, hop, alias, target, scope.binder)
        inner.reach(hop, target)
        alias = target
    return joins


def _linked(chain: Sequence[Join], inner: Scope) -> str:
    (first, condition), *rest = chain
    joined = "".join(f" JOIN {table} ON {on}" for table, on in rest)
    return f"FROM {first}{joined}{inner.joined()} WHERE {condition}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """A query's rows; every part is SQL over what `source` names."""

    source: str
    where: str
    doubted: str
    """As `where`, but null where what is not stated could change it."""
    record: str
    """The id of the row's own record."""
    groups: tuple[Term, ...]
    """What groups are told apart by."""
    distinct: tuple[Term, ...]
    """Whose different values are counted or shown."""
    shown: tuple[Term, ...]
    """What names a row."""
    measure: Term | None
    """What is aggregated, or what a list is ordered by."""
    havings: tuple[Term | None, ...]
    """What each test of groups aggregates; None for those that count the rows."""
    counted: tuple[str, ...]
    """Tests of the rows that tests of groups count, null as in `doubted`."""
    things: tuple[tuple[str, ...], ...]
    """What tells one measured thing from another: of the measure, then of each test of groups;
    empty where no join may repeat it."""
    joined: tuple[tuple[str, str], ...]
    """Kinds joined for their values, with their aliases."""
    hops: tuple[Hop, ...]
    """The steps along links that led to them."""
    witnesses: tuple[Witness, ...]
    """The tests that linked records satisfy."""


def rows_of(query: Query, schema: Schema, binder: Binder, aggregate: AggregateCompiler) -> Rows:
    """Return a query's rows.

    Outputs are compiled before tests, so that a test on a kind that is joined for its values is a
    test of the joined record.

    Raises QueryError: a name is unknown, types do not fit, kinds are not linked.
    """
    scope = Scope(schema, binder, query.kind)
    # Without a measure an order is of what is shown.
    sorted_by_it = query.order is not None and query.measure is None
    shown_as = scope.term if sorted_by_it else scope.stated
    groups, distinct = (tuple(map(scope.term, each)) for each in (query.group_by, query.distinct))
    shown = tuple(map(shown_as, _shown(query, kind_of(scope.schema, query.kind))))
    measure = None if query.measure is None else _measure(scope, query, query.measure)
    doubting, tester = Tester(aggregate, doubt=True), Tester(aggregate)
    havings = tuple(_having(scope, each, doubting) for each in query.having)
    where = tester.condition(scope, query.where)
    doubted = doubting.condition(scope, query.where)
    counted = [doubting.condition(scope, each.where) for each in query.having if each.where]
    measured = (query.measure, *(each.of for each in query.having)) if scope.multiplies else ()
    return Rows(
        source=scope.source(),
        where=where,
        doubted=doubted,
        record=f"{scope.alias}._record",
        groups=groups,
        distinct=distinct,
        shown=shown,
        measure=measure,
        havings=havings,
        counted=tuple(counted),
        things=tuple(_identity(scope, each) for each in measured),
        joined=tuple(scope.at_hand.items())[1:],
        hops=tuple(scope.hops),
        witnesses=tuple(tester.witnesses),
    )


def _shown(query: Query, kind: Kind) -> Sequence[Column]:
    """Return what names the rows of a list, or what is asked for beside another operation.

    Rows are named by their kind's first column of text, else by its first.
    """
    if query.operation != "list" or query.show or query.distinct or query.group_by:
        names = [each for each in query.show if each not in query.distinct]
        # The measure is shown as the row's value; it names a row only where nothing else does.
        return [each for each in names if each != query.measure] or names
    if not kind.attributes:
        raise QueryError(f"kind {kind.name!r} has no attributes to show")
    single = [each for each in kind.attributes if not each.many] or kind.attributes
    chosen = next((each for each in single if each.type == "text"), single[0])
    return [Column(kind=kind.name, attribute=chosen.name)]


def _measure(scope: Scope, query: Query, expression: Expression) -> Term:
    if query.operation in ("sum", "avg", "median", "variance", "stdev"):
        return scope.number(expression, query.operation)
    if query.operation == "count" or (query.operation == "list" and query.order is None):
        return scope.stated(expression)
    term = scope.term(expression)
    if query.operation in ("min", "max") and term.type not in NUMERIC | DATED:
        raise QueryError(
            f"{query.operation} needs numbers, dates or times, and {term.name!r} is {term.type}; "
            "for an order of names use list with an order"
        )
    return term


def _having(scope: Scope, having: Having, tester: Tester) -> Term | None:
    """Return what a test of groups aggregates; None for their rows.

    A row of which nobody knows whether it passes is one too many where there may be none or few.
    """
    if having.where is not None:
        if having.operation != "count" or having.of is not None:
            raise QueryError("`where` in having tells which rows are counted: use count without of")
        passes = tester.condition(scope, having.where)
        if having.comparator in ("<", "<=") or (having.comparator == "=" and not having.number):
            passes = f"IFNULL({passes}, 1)"
        return Term(f"CASE WHEN {passes} THEN {scope.alias}._record END", "integer", name="rows")
    if having.of is None:
        if having.operation != "count":
            raise QueryError(f"a test of groups by {having.operation} needs `of`: what of?")
        return None
    if having.operation == "count":
        return scope.stated(having.of)
    if having.operation == "count_distinct":
        return scope.term(having.of)
    return scope.number(having.of, having.operation)


def _identity(scope: Scope, measure: Expression | None) -> tuple[str, ...]:
    """Name the records (and list values) that a measure is of."""
    found: dict[str, None] = {}
    for column in columns_in(measure):
        alias = scope.kind_alias(column.kind)
        many = attribute_of(scope.schema, column).many
        found[f"{scope.list_alias(column, alias)}.rowid" if many else f"{alias}._record"] = None
    return tuple(found)
