"""Plans as SQL: the rows of a query and the tests that they pass are one SELECT with parameters.

What is done with the rows is `tools.records.plan_results`. Semantics, where SQL leaves a choice:
- What is not stated (null) passes no test but `null`, and no negated test either. With `doubt` a
  condition is null where what is not stated could change it, which `EXISTS` alone does not know.
- Text is equal without case. A text that the plan itself states is equal without accents too.
- A kind that a measure, group, distinct or shown column names is joined to the rows; a test on
  another kind, of which a row may have many records, asks whether one of them passes, and tests
  joined by `all` are about the same one.
- Nulls come last, and among equals names in order: the same plan always gives the same rows.
- A limit with an order takes the first rows that have a measure; only these are then aggregated.
"""

import re
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from difflib import get_close_matches

from agent.errors import QueryError
from agent.records.query_plan import (
    Aggregate,
    AllTests,
    AnyTest,
    Arithmetic,
    Column,
    Compare,
    Elapsed,
    Expression,
    FirstStated,
    Having,
    NotTest,
    Number,
    Query,
    Related,
    Test,
    columns_in,
)
from agent.records.record_schema import (
    DATED,
    DOCUMENT,
    Attribute,
    AttributeType,
    CellValue,
    Kind,
    Link,
    Schema,
)
from tools.records.record_store import key_column
from tools.records.sql_terms import (
    NUMERIC,
    Binder,
    Statement,
    Term,
    check_units,
    compared,
    compared_terms,
    elapsed_in,
    first_of,
    grouping,
    list_table,
    quoted,
    several_units,
)

_LONGEST = 4
"""Hops; a longer way connects everything with everything and means nothing."""


@dataclass(frozen=True, slots=True)
class Hop:
    """One step along a link, from a record to those that bear the same value."""

    link: Link
    start: Column
    end: Column
    to_one: bool
    """Whether at most one record is reached: the link is followed in its own direction."""


Join = tuple[str, str]
_Key = tuple[str, str]


class Scope:
    """One SELECT in the making: which kind has which alias, and the joins it needs.

    A kind reached in hops to one record each may be joined at any time: that adds no rows. Others
    are joined only where the results need their values; tests ask whether such a record exists.
    """

    def __init__(
        self, schema: Schema, binder: Binder, kind: str, parent: "Scope | None" = None
    ) -> None:
        self.schema = schema
        self.binder = binder
        self.kind = kind_of(schema, kind).name
        self.alias = binder.alias()
        self.joins: list[Join] = []
        self.multiplies = False
        """Whether a joined kind or list may give one record several rows."""
        self._hops: list[Hop] = []
        self.at_hand = {self.kind: self.alias}
        """The kinds at hand with their aliases, the scope's own first."""
        outer = parent.kinds.maps if parent else []
        self.kinds: ChainMap[str, str] = ChainMap(self.at_hand, *outer)
        """The kinds at hand here or, for a SELECT within another, there."""
        self.lists: ChainMap[_Key, str] = parent.lists.new_child() if parent else ChainMap()
        """The tables of values that list attributes stand for, here or there."""
        self._linked: set[str] = set()
        self._parent = parent
        self._chain: list[Join] = []
        """From a row of the parent to this scope's own table, which is the last."""
        self.passed = "1"

    def joined(self) -> str:
        """Return what stands behind the scope's own table."""
        return "".join(f" LEFT JOIN {table} ON {condition}" for table, condition in self.joins)

    def lead(self, way: Sequence[Hop]) -> None:
        """Link the scope's own kind to its parent's; the kinds on the way are at hand too."""
        alias = self._parent.alias if self._parent else self.alias
        for hop in way:
            target = self.alias if hop is way[-1] else self.binder.alias()
            self._chain.append(self._hop_join(hop, alias, target))
            self.at_hand.setdefault(hop.end.kind, target)
            self._hops.append(hop)
            alias = target

    def linked(self) -> str:
        """Return FROM and WHERE of the records that are linked to a row of the parent."""
        (first, condition), *rest = self._chain
        joined = "".join(f" JOIN {table} ON {on}" for table, on in rest)
        return f"FROM {first}{joined}{self.joined()} WHERE {condition}"

    def source(self) -> str:
        """Return what stands after FROM, joined to the rows of the parent where there is one."""
        if self._parent is None:
            return f"{quoted(self.kind)} AS {self.alias}{self.joined()}"
        own = "".join(f" JOIN {table} ON {condition}" for table, condition in self._chain)
        return f"{self._parent.source()}{own}{self.joined()}"

    def ways(self) -> Sequence[Hop]:
        """Return the steps along links from the rows to the kinds at hand."""
        return (*self._parent.ways(), *self._hops) if self._parent else self._hops

    def condition(self) -> str:
        """Return what the records of `source` must satisfy."""
        before = f"{self._parent.condition()} AND " if self._parent else ""
        return f"{before}({self.passed})"

    def is_far(self, kind: str) -> bool:
        """Tell whether a kind is not at hand and may have several records for one row."""
        way = () if kind in self.kinds else path(self.schema, self.kind, kind)
        return not all(hop.to_one for hop in way)

    def is_loose(self, column: Column) -> bool:
        """Tell whether a column is a list whose values are not joined."""
        many = attribute_of(self.schema, column).many
        return many and (column.kind, column.attribute) not in self.lists

    def kind_alias(self, kind: str) -> str:
        """Return the alias of a kind, joining it where it is not at hand."""
        if kind in self.kinds:
            return self.kinds[kind]
        alias = self.alias
        for hop in path(self.schema, self.kind, kind):
            alias = self.at_hand.get(hop.end.kind) or self._join(hop, alias)
        return alias

    def term(self, expression: Expression) -> Term:
        """Return an expression over joined tables; raises QueryError of names, types and units."""
        match expression:
            case Number():
                return Term(self.binder.bind(expression.number), "number", name="the number")
            case Arithmetic():
                return self._arithmetic(expression)
            case FirstStated():
                return first_of([self.term(each) for each in expression.of])
            case Elapsed():
                return elapsed_in(
                    expression.unit, self.term(expression.start), self.term(expression.end)
                )
            case Column():
                kind, name = expression.kind, expression.attribute
                if mixed := self.schema.units_of(kind, name):
                    raise QueryError(several_units(f"{kind}.{name}", mixed.units))
                return self.stated(expression)

    def stated(self, expression: Expression) -> Term:
        """Return an expression that is only counted, shown, or asked for being stated."""
        if not isinstance(expression, Column):
            return self.term(expression)
        column = expression
        attribute = attribute_of(self.schema, column)
        alias = self.kind_alias(column.kind)
        sql = f"{alias}.{quoted(attribute.name)}"
        if attribute.many:
            sql = f"{self.list_alias(column, alias)}.value"
        linked = (f"{alias}._record",) if alias in self._linked else ()
        return Term(sql, attribute.type, attribute.unit, attribute.name, linked)

    def number(self, expression: Expression, purpose: str) -> Term:
        """Return an expression that must be a number; raises QueryError where it is not."""
        term = self.term(expression)
        if term.type not in NUMERIC:
            numbers = [
                each.name
                for each in kind_of(self.schema, self.kind).attributes
                if each.type in NUMERIC
            ]
            raise QueryError(
                f"{purpose} needs numbers, and {term.name!r} is {term.type}; numbers of "
                f"{self.kind!r}: {', '.join(numbers) or 'none'}"
            )
        return term

    def list_alias(self, column: Column, owner: str) -> str:
        """Return the alias of a list's values, joining them where they are not at hand."""
        key = (column.kind, column.attribute)
        if key not in self.lists:
            alias = self.lists[key] = self.binder.alias()
            values = quoted(list_table(*key))
            self.joins.append((f"{values} AS {alias}", f"{alias}._record = {owner}._record"))
            self.multiplies = True
        return self.lists[key]

    def _join(self, hop: Hop, left: str) -> str:
        alias = self.at_hand[hop.end.kind] = self.binder.alias()
        self._hops.append(hop)
        self.joins.append(self._hop_join(hop, left, alias))
        if not hop.to_one or left in self._linked:
            self._linked.add(alias)
            self.multiplies = True
        return alias

    def _hop_join(self, hop: Hop, left: str, right: str) -> Join:
        """Return the table, with its condition, that joins alias `right` to alias `left`."""
        value, end = (_joined(attribute_of(self.schema, each)) for each in (hop.start, hop.end))
        return f"{quoted(hop.end.kind)} AS {right}", f"{right}.{end} = {left}.{value}"

    def _arithmetic(self, expression: Arithmetic) -> Term:
        left = self.number(expression.left, f"{expression.operator!r}")
        right = self.number(expression.right, f"{expression.operator!r}")
        name = f"{left.name} {expression.operator} {right.name}"
        linked = left.linked + right.linked
        if expression.operator == "/":
            sql = f"({left.sql} * 1.0 / NULLIF({right.sql}, 0))"
            return Term(sql, "number", left.unit if right.unit is None else None, name, linked)
        if expression.operator in ("+", "-"):
            check_units(expression.operator, left.unit, right.unit)
        unit = _unit(expression.operator, left, right)
        whole: AttributeType = "integer" if {left.type, right.type} == {"integer"} else "number"
        return Term(f"({left.sql} {expression.operator} {right.sql})", whole, unit, name, linked)


def kind_of(schema: Schema, name: str) -> Kind:
    """Return a kind; raises QueryError, naming near names, where there is none."""
    kind = schema.kind(name)
    if kind is None:
        raise QueryError(f"there is no kind {name!r}{_near(name, [k.name for k in schema.kinds])}")
    return kind


def _near(name: str, names: Sequence[str]) -> str:
    close = get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return f"; did you mean {' or '.join(repr(each) for each in close)}?"
    shown = ", ".join(names[:30])
    return f"; there are: {shown}" if shown else "; there are none"


def path(schema: Schema, start: str, goal: str, through: str | None = None) -> tuple[Hop, ...]:
    """Return the shortest way between two kinds, or from one to itself by a link of its own.

    Of several shortest ways the one with the most hops to one record is preferred. Where `through`
    is given, one of the hops must use that attribute.

    Raises QueryError: there is no way, or there are several equally good ones.
    """
    kind_of(schema, goal)
    found = _shortest(schema, start, goal, through)
    if not found:
        raise QueryError(_no_way(schema, start, goal, through))
    to_one = [sum(hop.to_one for hop in way) for way in found]
    first, *others = (way for way, hops in zip(found, to_one, strict=True) if hops == max(to_one))
    if others:
        refers = (", ".join(repr(hop.link.attribute) for hop in way) for way in (first, *others))
        ways = sorted(set(refers))
        raise QueryError(
            f"{start!r} and {goal!r} are linked in several ways (through {' or '.join(ways)}): "
            "use a related test whose `through` names the attribute"
        )
    return first


def _shortest(
    schema: Schema, start: str, goal: str, through: str | None
) -> Sequence[tuple[Hop, ...]]:
    """Return all ways of the least length that has one."""
    hops = [hop for link in schema.links for hop in _both_ways(link)]
    level: list[tuple[Hop, ...]] = [()]
    for _ in range(_LONGEST):
        level = [(*way, hop) for way in level for hop in hops if _continues(way, hop, start, goal)]
        arrived = (way for way in level if way[-1].end.kind == goal)
        names = ((way, {end for hop in way for end in (hop.start, hop.end)}) for way in arrived)
        if found := [
            way for way, ends in names if through in {None, *(each.attribute for each in ends)}
        ]:
            return found
    return ()


def _both_ways(link: Link) -> Iterator[Hop]:
    one = Column(kind=link.kind, attribute=link.attribute)
    other = Column(kind=link.to_kind, attribute=link.to_attribute)
    yield Hop(link, one, other, to_one=True)
    yield Hop(link, other, one, to_one=False)


def _continues(way: tuple[Hop, ...], hop: Hop, start: str, goal: str) -> bool:
    here = way[-1].end.kind if way else start
    seen = {start, *(each.end.kind for each in way)} - ({goal} if start == goal else set())
    arrived = bool(way) and here == goal
    return hop.start.kind == here and hop.end.kind not in seen and not arrived


def _no_way(schema: Schema, start: str, goal: str, through: str | None) -> str:
    if through is not None:
        return f"no link between {start!r} and {goal!r} uses the attribute {through!r}"
    linked = sorted({link.to_kind for link in schema.links if link.kind == start})
    linked += sorted({link.kind for link in schema.links if link.to_kind == start})
    return f"the records of {start!r} and {goal!r} are not linked; {start!r} is linked to: " + (
        ", ".join(dict.fromkeys(linked)) or "nothing"
    )


def attribute_of(schema: Schema, column: Column) -> Attribute:
    """Return a column's attribute; raises QueryError, naming near names."""
    kind = kind_of(schema, column.kind)
    attribute = kind.attribute(column.attribute)
    if column.attribute == DOCUMENT.name:
        return DOCUMENT
    if attribute is None:
        hint = _near(column.attribute, [each.name for each in kind.attributes])
        raise QueryError(f"kind {kind.name!r} has no attribute {column.attribute!r}{hint}")
    return attribute


def _joined(attribute: Attribute) -> str:
    """Return the column by which a linked attribute is joined: texts by their keys."""
    return quoted(key_column(attribute.name) if attribute.type == "text" else attribute.name)


def _unit(operator: str, left: Term, right: Term) -> str | None:
    if operator == "*":
        return left.unit if right.unit is None else right.unit if left.unit is None else None
    return left.unit if left.unit == right.unit else None


Numbers = Callable[[Aggregate], tuple[CellValue, Term]]
"""Computes the number of an aggregate; the term has its type and unit."""


class Tester:
    """Compiles tests within a scope."""

    def __init__(self, numbers: Numbers, *, doubt: bool = False) -> None:
        self._numbers = numbers
        self._doubt = doubt
        self.witnesses: list[Scope] = []
        """The linked records that tests ask for; what must be absent has no witness."""
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
                self._denied += 1
                denied = f"NOT ({self.condition(scope, test.part)})"
                self._denied -= 1
                return denied
            case AllTests():
                return self._all(scope, test)
            case AnyTest():
                parts = [f"({self.condition(scope, part)})" for part in test.parts]
                return " OR ".join(parts) or "0"

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
            value, term = self._numbers(test.aggregate)
            number = replace(term, sql="NULL" if value is None else scope.binder.bind(value))
            return compared_terms(left, test.comparator, number)
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
        inner.lead(path(scope.schema, scope.kind, test.kind, test.through))
        passed = inner.passed = self.condition(inner, test.where)
        if most != 0 and not self._denied:
            self.witnesses.append(inner)
        source = inner.linked()
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
            (end for end, way in ways.items() if kind in {hop.end.kind for hop in way[:-1]}), kind
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


Linked = tuple[Statement, tuple[Column, ...]]
"""A statement of a row's id and a linked record's id, and the columns that make the link."""


class Rows:
    """A query's rows before anything is done with them, and the SELECTs of them.

    Raises QueryError: a name is unknown, types do not fit, kinds are not linked.
    """

    def __init__(self, query: Query, schema: Schema, numbers: Numbers) -> None:
        self._query, self._binder = query, Binder()
        self._scope = scope = Scope(schema, self._binder, query.kind)
        # Without a measure an order is of what is shown.
        sorted_by_it = query.order is not None and query.measure is None
        shown_as = scope.term if sorted_by_it else scope.stated
        self.groups = tuple(map(scope.term, query.group_by))
        self.distinct = tuple(map(scope.term, query.distinct))
        self.shown = tuple(map(shown_as, _shown(query, kind_of(schema, query.kind))))
        tester, doubting = Tester(numbers), Tester(numbers, doubt=True)
        self.measure = None if query.measure is None else _measure(scope, query, query.measure)
        havings = (_having(scope, each, doubting) for each in query.having)
        self.measures = (self.measure, *havings)
        """What is aggregated, or what a list is ordered by; then what each test of groups
        aggregates, None for those that count the rows."""
        # After the outputs: a test on a kind that is joined for them is of the joined record.
        scope.passed = tester.condition(scope, query.where)
        self._witnesses = tester.witnesses
        self._doubted = doubting.condition(scope, query.where)
        """What the rows must satisfy, but null where what is not stated could change it."""
        self._counted = [doubting.condition(scope, each.where) for each in query.having
                         if each.where]  # fmt: skip
        """Tests of the rows that tests of groups count, null as in `_doubted`."""
        measured = (query.measure, *(each.of for each in query.having)) if scope.multiplies else ()
        self.things = tuple(_identity(scope, each) for each in measured)
        """What tells one measured thing from another, for each of `measures`; empty where no join
        may repeat it."""
        self._record = f"{scope.alias}._record"

    def selected(self, beyond: int) -> Statement:
        """Return the SELECT of the rows that the query's result is made of, in its order.

        Outputs: the record's id, then groups, different and shown values, measures, and ids of what
        is measured. Of max the greatest comes first, of min the least. A limit takes `beyond` more.
        Limits of groups and of different values are not applied.

        Raises QueryError: a limit below 1, or an order without a measure where it cuts.
        """
        query = self._query
        if query.limit is not None and query.limit < 1:
            raise QueryError(f"the limit is {query.limit}: give 1 or more, or none")
        listed, cut = query.operation == "list", query.limit is not None and query.order is not None
        measures = [self.measure] if self.measure else []
        if cut and not (measures or listed or query.group_by):
            raise QueryError("an order needs a measure: what are the rows ordered by?")
        needed = [*self.groups]
        if not query.group_by:
            needed += self.distinct if query.operation in ("count_distinct", "list") else ()
            needed += measures if cut or query.operation not in ("count", "list") else ()
        outputs = (
            Term(self._record, "integer", name="_record"), *self.groups, *self.distinct,
            *self.shown, *(each for each in self.measures if each is not None),
            *(Term(each, "integer", name="_of") for own in self.things for each in own),
        )  # fmt: skip
        limited = not query.group_by and (cut if not listed else not query.distinct)
        limit = (
            f" LIMIT {self._binder.bind(query.limit + beyond)}" if limited and query.limit else ""
        )
        stated = "".join(f" AND {each.sql} IS NOT NULL" for each in needed)
        return self._binder.statement(
            f"SELECT {'DISTINCT ' if self.things else ''}{_listed(outputs)} "
            f"FROM {self._scope.source()} WHERE {self._scope.condition()}{stated} "
            f"ORDER BY {', '.join([*self._order(), self._record])}{limit}",
            *(each.type for each in outputs),
        )

    def _order(self) -> list[str]:
        query, order = self._query, self._query.order
        if order is None and query.operation in ("min", "max"):
            order = "ascending" if query.operation == "min" else "descending"
        by_name = [grouping(each) for each in (*self.distinct, *self.shown)]
        if order is None:
            return by_name if query.distinct and query.operation == "list" else []
        towards = f"{'DESC' if order == 'descending' else 'ASC'} NULLS LAST"
        if self.measure:
            return [f"{grouping(self.measure)} {towards}", *by_name]
        return [f"{each} {towards}" for each in by_name]

    def in_doubt(self) -> Statement:
        """Return the SELECT of records whose gaps could change the result: do they pass now?"""
        query = self._query
        needed = [*self.groups, *self.distinct]
        if self.measure and not (query.operation == "list" and query.distinct):
            needed.append(self.measure)
        tests = zip(query.having, self.measures[1:], strict=True)
        needed += [of for having, of in tests if of is not None and having.of is not None]
        decided = (f"({test}) IS NOT NULL" for test in self._counted)
        stated = " AND ".join([*map(_is_stated, needed), *decided]) or "1"
        sql = (
            f"SELECT DISTINCT {self._record} AS _record, ({self._scope.passed}) IS TRUE AS passes "
            f"FROM {self._scope.source()} WHERE (({self._doubted}) IS NULL "
            f"OR (({self._doubted}) AND NOT ({stated}))) ORDER BY 1"
        )
        return self._binder.statement(sql, "integer", "boolean")

    def links(self) -> tuple[Linked, ...]:
        """Return the SELECTs of the linked records that made the rows pass or gave them values."""
        of_values = [(self._scope, alias) for alias in [*self._scope.at_hand.values()][1:]]
        of_tests = [(each, alias) for each in self._witnesses for alias in each.at_hand.values()]
        found = []
        for scope, alias in (*of_values, *of_tests):
            linked = f"{alias}._record"
            sql = (
                f"SELECT DISTINCT {self._record} AS _record, {linked} AS _linked "
                f"FROM {scope.source()} WHERE {scope.condition()} AND {linked} IS NOT NULL "
                "ORDER BY 1, 2"
            )
            ends = dict.fromkeys(end for hop in scope.ways() for end in (hop.start, hop.end))
            found.append((self._binder.statement(sql, "integer", "integer"), tuple(ends)))
        return tuple(found)


def _is_stated(term: Term) -> str:
    """Return the condition that a value is stated, or that there is no record to state it."""
    absent = "".join(f" OR {record} IS NULL" for record in term.linked)
    return f"({term.sql} IS NOT NULL{absent})"


def _listed(terms: Iterable[Term]) -> str:
    """Return what stands behind SELECT, each output with its name."""
    named = ((each.sql, re.sub(r"\W+", "_", each.name).rstrip("_")) for each in terms)
    return ", ".join(f'{sql} AS "{name or "value"}"' for sql, name in named)


def _shown(query: Query, kind: Kind) -> Sequence[Column]:
    """Return what names a row of a list (its first text), or is asked for beside an operation."""
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
    """Return what a test of groups aggregates; None for their rows."""
    if having.where is not None:
        if having.operation != "count" or having.of is not None:
            raise QueryError("`where` in having tells which rows are counted: use count without of")
        passes = tester.condition(scope, having.where)
        # What nobody knows to pass is one too many where there may be none or few.
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
