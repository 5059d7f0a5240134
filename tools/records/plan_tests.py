"""Tests of rows as SQL conditions, and which linked records satisfy them.

A condition is true, false or null. Where a linked record or list value is asked for, `EXISTS` knows
no null: with `doubt` a condition is null where what is not stated could change it. A nested test
stands once in its SQL, so that its length grows with the plan's.
"""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from agent.errors import QueryError
from agent.records.query_plan import AllTests, AnyTest, Column, Compare, NotTest, Related, Test
from tools.records.kind_tables import list_table, quoted
from tools.records.plan_scope import Hop, Join, Scope, columns_of, hop_joins, kind_of, path
from tools.records.sql_terms import Term, compared, compared_terms, fixed_units


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


@dataclass(slots=True)
class _Witnesses:
    """Collects the tests that a linked record can satisfy; what must be absent has no witness."""

    found: list[Witness] = field(default_factory=list)
    _open: list[Witness] = field(default_factory=list)
    _denied: int = 0

    def begin(self, chain: Sequence[Join], inner: Scope) -> None:
        """Enter a test of linked records."""
        parent = self._open[-1] if self._open else None
        self._open.append(Witness(chain, inner, parent))

    def end(self, passed: str, *, wanted: bool) -> None:
        """Leave it; `wanted` tells whether such records may be there."""
        witness = self._open.pop()
        witness.passed = passed
        if wanted and not self._denied:
            self.found.append(witness)

    def deny(self, depth: int) -> None:
        """Enter (1) or leave (-1) a test that must not hold."""
        self._denied += depth


AggregateCompiler = Callable[[Compare], Term]
"""Compiles the aggregate that a comparison names to a scalar sub-select."""


class Tester:
    """Compiles tests within a scope."""

    def __init__(self, aggregate: AggregateCompiler, *, doubt: bool = False) -> None:
        self._aggregate = aggregate
        self._doubt = doubt
        self.witnesses = _Witnesses()
        """The tests that linked records satisfy."""

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
        self.witnesses.deny(1)
        denied = f"NOT ({self.condition(scope, test.part)})"
        self.witnesses.deny(-1)
        return denied

    def _all(self, scope: Scope, test: AllTests) -> str:
        """Join conditions; those on one far kind are about one and the same of its records."""
        with scope.fixing(fixed_units([test], scope.schema)):
            return self._joined(scope, test)

    def _joined(self, scope: Scope, test: AllTests) -> str:
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
            return compared_terms(left, test.comparator, self._aggregate(test))
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
        scope.bind_list(column, alias)
        inner = self._compare(scope, asked)
        scope.free_list(column)
        found = f"EXISTS (SELECT 1 {values} AND ({inner}))"
        wanted = f"NOT {found}" if denied else found
        return f"CASE WHEN EXISTS (SELECT 1 {values}) THEN {wanted} END"

    def _related(self, scope: Scope, test: Related) -> str:
        kind_of(scope.schema, test.kind)
        least, most = _bounds(test)
        inner = Scope(scope.schema, scope.binder, test.kind, parent=scope)
        chain = _chain(scope, path(scope.schema, scope.kind, test.kind, test.through), inner)
        self.witnesses.begin(chain, inner)
        with inner.fixing(fixed_units([test.where], scope.schema)):
            passed = self.condition(inner, test.where)
        self.witnesses.end(passed, wanted=most != 0)
        source = _linked(chain, inner)
        if least <= 1 and most in (None, 0):
            return self._exists(source, passed, wanted=most is None, always=least == 0)
        return self._counted(source, passed, inner.alias, least, most)

    def _exists(self, source: str, passed: str, *, wanted: bool, always: bool) -> str:
        if wanted and always:
            return "1"
        found = f"EXISTS (SELECT 1 {source} AND ({passed}))"
        if self._doubt:
            # A table of its own: an aggregate of outer columns alone would be the outer SELECT's.
            rows = f"SELECT ({passed}) AS p {source}"
            told = "CASE MAX(IFNULL(p, 0.5)) WHEN 1 THEN 1 WHEN 0.5 THEN NULL ELSE 0 END"
            found = f"(SELECT {told} FROM ({rows}))"
        return found if wanted else f"NOT ({found})"

    def _counted(self, source: str, passed: str, alias: str, least: int, most: int | None) -> str:
        if not self._doubt:
            number = f"(SELECT COUNT(DISTINCT {alias}._record) {source} AND ({passed}))"
            return (
                f"{number} BETWEEN {least} AND {most}"
                if most is not None
                else f"{number} >= {least}"
            )
        sure = f"low >= {least}" + (f" AND high <= {most}" if most is not None else "")
        never = f"high < {least}" + (f" OR low > {most}" if most is not None else "")
        rows = f"SELECT {alias}._record AS r, ({passed}) AS p {source}"
        numbers = (
            "SELECT COUNT(DISTINCT CASE WHEN p THEN r END) AS low, "
            f"COUNT(DISTINCT CASE WHEN IFNULL(p, 1) THEN r END) AS high FROM ({rows})"
        )
        return f"(SELECT CASE WHEN {sure} THEN 1 WHEN {never} THEN 0 END FROM ({numbers}))"


def _far(scope: Scope, test: Test) -> str | None:
    """Return the kind of which a comparison is about some linked record, if it is."""
    if not isinstance(test, Compare):
        return None
    for column in _columns(test):
        kind_of(scope.schema, column.kind)
        if scope.is_far(column.kind):
            return column.kind
    return None


def _columns(test: Compare) -> tuple[Column, ...]:
    return (*columns_of(test.left), *columns_of(test.column))


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
