"""The rows of a query before anything is done with them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.errors import QueryError
from agent.records.query_plan import Column, Expression, Having, Query
from agent.records.record_schema import Kind, Schema
from tools.records.plan_scope import Hop, Scope, attribute_of, columns_of, kind_of
from tools.records.plan_tests import AggregateCompiler, Tester, Witness
from tools.records.sql_terms import (
    NUMERIC,
    Binder,
    Term,
    fixed_units,
    units_of_groups,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """A query's rows; every part is SQL over what `source` names."""

    source: str
    where: str
    doubted: str
    """As `where`, but null where what is not stated could change it."""
    record: str
    """The id of the row's own record."""
    groups: tuple[Term, ...] = ()
    shown: tuple[Term, ...] = ()
    distinct: tuple[Term, ...] = ()
    havings: tuple[Term | None, ...] = ()
    counted: tuple[str, ...] = ()
    """Tests of the rows that tests of groups count, null as in `doubted`."""
    measure: Term | None = None
    identity: tuple[str, ...] = ()
    """What tells one measured thing from another, where joins may repeat it."""
    having_identities: tuple[tuple[str, ...], ...] = ()
    """The same of what each test of groups aggregates."""
    multiplies: bool = False
    """Whether joins may give one record several rows."""
    joined: tuple[tuple[str, str], ...] = ()
    """Kinds joined for their values, with their aliases."""
    hops: tuple[Hop, ...] = ()
    """The steps along links that led to them."""
    witnesses: tuple[Witness, ...] = ()
    """The tests that linked records satisfy."""

    def columns(self) -> dict[str, str]:
        """Return the expressions that what is done with the rows may need, by short names."""
        named = {"r": self.record}
        if self.measure is not None:
            named["m"] = self.measure.sql
        for letter, terms in self._letters():
            named |= {f"{letter}{place}": each.sql for place, each in terms}
        return named | {f"i{place}": sql for place, sql in enumerate(self.identity)}

    def renamed(self, source: str) -> "Rows":
        """Return the same rows read from a source that has `columns` under their names."""
        lettered = {
            letter: {place: replace(each, sql=f"{letter}{place}") for place, each in terms}
            for letter, terms in self._letters()
        }
        havings = tuple(lettered["h"].get(place) for place in range(len(self.havings)))
        return replace(
            self,
            source=source,
            where="1",
            doubted="1",
            record="r",
            measure=self.measure and replace(self.measure, sql="m"),
            groups=tuple(lettered["g"].values()),
            shown=tuple(lettered["s"].values()),
            distinct=tuple(lettered["d"].values()),
            havings=havings,
            identity=(),
        )

    def _letters(self) -> list[tuple[str, list[tuple[int, Term]]]]:
        return [
            ("g", list(enumerate(self.groups))),
            ("s", list(enumerate(self.shown))),
            ("d", list(enumerate(self.distinct))),
            ("h", [(place, each) for place, each in enumerate(self.havings) if each is not None]),
        ]


def rows_of(query: Query, schema: Schema, binder: Binder, aggregate: AggregateCompiler) -> Rows:
    """Return a query's rows.

    Outputs are compiled before tests, so that a test on a kind that is joined for its values is a
    test of the joined record.

    Raises:
        QueryError: a name is unknown, types do not fit, kinds are not linked.
    """
    scope = Scope(schema, binder, query.kind)
    with scope.fixing(fixed_units([query.where], schema)):
        return _within(scope, query, aggregate)


def _within(scope: Scope, query: Query, aggregate: AggregateCompiler) -> Rows:
    groups = tuple(scope.term(column) for column in query.group_by)
    distinct = tuple(scope.term(column) for column in query.distinct)
    shown = tuple(_shown_term(scope, query, column) for column in _shown(query, scope.schema))
    with scope.fixing(units_of_groups(query, scope.schema)):
        measure = None if query.measure is None else _measure(scope, query, query.measure)
    doubting = Tester(aggregate, doubt=True)
    havings = tuple(_having(scope, each, doubting) for each in query.having)
    tester = Tester(aggregate)
    where = tester.condition(scope, query.where)
    doubted = doubting.condition(scope, query.where)
    counted = [doubting.condition(scope, each.where) for each in query.having if each.where]
    return Rows(
        source=scope.source(),
        where=where,
        doubted=doubted,
        record=f"{scope.alias}._record",
        groups=groups,
        shown=shown,
        distinct=distinct,
        havings=havings,
        measure=measure,
        counted=tuple(counted),
        identity=_identity(scope, query.measure),
        having_identities=tuple(_identity(scope, each.of) for each in query.having),
        multiplies=scope.multiplies,
        joined=scope.at_hand()[1:],
        hops=tuple(scope.hops),
        witnesses=tuple(tester.witnesses.found),
    )


def _shown_term(scope: Scope, query: Query, column: Column) -> Term:
    """Return what is shown of a row; without a measure an order is of what is shown."""
    sorted_by_it = query.order is not None and query.measure is None
    return scope.term(column) if sorted_by_it else scope.stated(column)


def _shown(query: Query, schema: Schema) -> Sequence[Column]:
    """Return what names the rows of a list, or what is asked for beside another operation."""
    if query.operation != "list" or query.show or query.distinct or query.group_by:
        names = [each for each in query.show if each not in query.distinct]
        # The measure is shown as the row's value; it names a row only where nothing else does.
        return [each for each in names if each != query.measure] or names
    return [_naming_column(kind_of(schema, query.kind))]


def _measure(scope: Scope, query: Query, expression: Expression) -> Term:
    if query.operation in ("sum", "avg", "median", "variance", "stdev"):
        return scope.number(expression, query.operation)
    if query.operation == "count" or (query.operation == "list" and query.order is None):
        return scope.stated(expression)
    term = scope.term(expression)
    if query.operation in ("min", "max") and term.type not in (*NUMERIC, "date"):
        raise QueryError(
            f"{query.operation} needs numbers or dates, and {term.name!r} is {term.type}; "
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
    return scope.number(having.of, having.operation)


def _identity(scope: Scope, measure: Expression | None) -> tuple[str, ...]:
    """Name the records (and list values) that a measure is of."""
    found: dict[str, None] = {}
    for column in columns_of(measure):
        alias = scope.kind_alias(column.kind)
        many = attribute_of(scope.schema, column).many
        found[f"{scope.list_alias(column, alias)}.rowid" if many else f"{alias}._record"] = None
    return tuple(found)


def _naming_column(kind: Kind) -> Column:
    """Return the column that names a kind's rows: its first one of text, else its first."""
    if not kind.attributes:
        raise QueryError(f"kind {kind.name!r} has no attributes to show")
    single = [each for each in kind.attributes if not each.many] or list(kind.attributes)
    chosen = next((each for each in single if each.type == "text"), single[0])
    return Column(kind=kind.name, attribute=chosen.name)
