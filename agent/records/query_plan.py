"""A typed query over records: what a question asks, compiled to SQL by code."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from agent.records.record_schema import Part

QueryOperation = Literal[
    "count", "count_distinct", "sum", "avg", "min", "max", "median", "variance", "stdev", "list"
]
Comparator = Literal["=", "!=", "<", "<=", ">", ">=", "contains", "starts_with", "null", "not_null"]


class Column(Part):
    """An attribute of a kind."""

    is_a: Literal["column"] = "column"
    kind: str
    """The kind's name."""
    attribute: str
    """The attribute's name."""


class Number(Part):
    """A number as the question gives it."""

    is_a: Literal["number"] = "number"
    number: float


class Arithmetic(Part):
    """A number computed in each row: `revenue - costs`."""

    is_a: Literal["arithmetic"] = "arithmetic"
    operator: Literal["+", "-", "*", "/"]
    left: "Expression"
    right: "Expression"


class FirstStated(Part):
    """The first that a row states: its length, else the time from its start to its end."""

    is_a: Literal["first_stated"] = "first_stated"
    of: tuple["Expression", ...]
    """In order; numbers are converted to the unit of the first that has one."""


class Elapsed(Part):
    """The length from one date or time of a row to another; none where one is not stated."""

    is_a: Literal["elapsed"] = "elapsed"
    start: "Expression"
    end: "Expression"
    unit: Literal["seconds", "minutes", "hours", "days"]
    """Of the length."""


Expression = TypeAliasType(
    "Expression",
    Annotated[Column | Number | Arithmetic | FirstStated | Elapsed, Field(discriminator="is_a")],
)


class Aggregate(Part):
    """One number over all records of a kind that pass: the average height of all buildings."""

    operation: Literal["count", "sum", "avg", "min", "max", "median"]
    of: Expression | None = None
    """What is aggregated; null for count."""
    kind: str
    """Over the records of this kind."""
    where: "Test | None" = None
    """Which of them; null for all."""


class Compare(Part):
    """A column compared with a value, with another column of the row, or with an aggregate."""

    is_a: Literal["compare"] = "compare"
    left: Expression
    comparator: Comparator
    value: str | float | bool | None = None
    """The value as the column holds it (dates ISO); null where a column or an aggregate is given,
    and for null and not_null. Text is compared without case."""
    column: Column | None = None
    """The column compared with, else null."""
    aggregate: Aggregate | None = None
    """The aggregate compared with, else null."""


class Related(Part):
    """The row has linked records of another kind that pass: clubs with a member under 18."""

    is_a: Literal["related"] = "related"
    kind: str
    """The other kind."""
    where: "Test | None" = None
    """What they must satisfy; null for any."""
    at_least: int = 1
    """How many there must be."""
    at_most: int | None = None
    """How many there may be: 0 for none at all; null without such a limit."""
    through: str | None = None
    """The attribute that refers, where two kinds are linked in several ways; else null."""


class AllTests(Part):
    """Every part holds."""

    is_a: Literal["all"] = "all"
    parts: tuple["Test", ...]


class AnyTest(Part):
    """At least one part holds."""

    is_a: Literal["any"] = "any"
    parts: tuple["Test", ...]


class NotTest(Part):
    """The part does not hold."""

    is_a: Literal["not"] = "not"
    part: "Test"


Test = TypeAliasType(
    "Test", Annotated[Compare | Related | AllTests | AnyTest | NotTest, Field(discriminator="is_a")]
)


class Having(Part):
    """A test of a group: its operation's result compared with a number."""

    operation: Literal["count", "count_distinct", "sum", "avg", "min", "max"]
    of: Expression | None = None
    """What is aggregated in the group, or of what the different values are counted; null for
    count."""
    comparator: Literal["=", "!=", "<", "<=", ">", ">="]
    number: float
    where: "Test | None" = None
    """For count without `of`, which rows of the group it counts; null for all. `= 0` keeps groups
    with none of them for sure: of those that are not such, groups of which every row is."""


class Query(Part):
    """Rows of one kind, tested, grouped, aggregated, ordered."""

    is_a: Literal["query"] = "query"
    kind: str
    """Whose records are the rows."""
    where: Test | None = None
    """Which rows; null for all."""
    operation: QueryOperation
    """What is done with them: list shows them, the others give one number (one for each group)."""
    measure: Expression | None = None
    """The number that is aggregated, or that list orders by; null for count and plain lists."""
    distinct: tuple[Column, ...] = ()
    """For count_distinct: whose different values are counted. For list: show each value once."""
    group_by: tuple[Column, ...] = ()
    """One result for each combination of their values."""
    having: tuple[Having, ...] = ()
    """Which groups are kept."""
    order: Literal["ascending", "descending"] | None = None
    """By the measure, or by the result of each group."""
    limit: int | None = None
    """How many rows or groups at most: 3 for the top three."""
    show: tuple[Column, ...] = ()
    """For list: the columns that name each row."""


class Combination(Part):
    """Two numbers put together: how much more the one group spends than the other."""

    is_a: Literal["combination"] = "combination"
    operator: Literal["-", "+", "*", "/", "growth"]
    """growth is (left − right) / |right|."""
    left: Query
    right: Query


Plan = Annotated[Query | Combination, Field(discriminator="is_a")]


def queries_of(plan: Plan) -> tuple[Query, ...]:
    """Return the queries that a plan consists of."""
    return (plan.left, plan.right) if isinstance(plan, Combination) else (plan,)


def columns_of(plan: Plan) -> tuple[Column, ...]:
    """Return every column that a plan names, each once."""
    return tuple(
        dict.fromkeys(
            column
            for query in queries_of(plan)
            for column in (*deciding(query), *measured(query), *query.show)
        )
    )


def deciding(query: Query, *, alone: bool = False) -> tuple[Column, ...]:
    """Return the columns that decide which rows pass, or `alone` do, as in `measured`."""
    tests = (query.where, *(each.where for each in query.having))
    return _columns(tests, alone=alone)


def measured(query: Query, *, alone: bool = False) -> tuple[Column, ...]:
    """Return the columns that are counted, computed with, grouped or ordered by."""
    of_groups = (each.of for each in query.having)
    return _columns((query.measure, *query.distinct, *query.group_by, *of_groups), alone=alone)


def columns_in(expression: Expression | None) -> tuple[Column, ...]:
    """Return the columns of an expression, each once."""
    return _columns((expression,))


def _columns(parts: Iterable[Part | None], *, alone: bool = False) -> tuple[Column, ...]:
    without = FirstStated if alone else ()
    found = (each for part in parts for each in _within(part, without))
    return tuple(dict.fromkeys(each for each in found if isinstance(each, Column)))


def stated_of(query: Query) -> Iterator[tuple[Column, str]]:
    """Yield the words that the tests of a query require a column to equal or to contain."""
    tests = (query.where, *(each.where for each in query.having))
    for each in (part for test in tests for part in _within(test, Aggregate)):
        if not isinstance(each, Compare) or not isinstance(each.left, Column):
            continue
        if each.comparator in {"=", "contains", "starts_with"} and isinstance(each.value, str):
            yield each.left, each.value


def denies(test: Test | None) -> bool:
    """Tell whether some row may pass because of what is not stated."""
    return any(
        isinstance(each, NotTest) or (isinstance(each, Related) and each.at_most is not None)
        for each in _within(test, Aggregate)
    )


def _within(part: Part | None, without: type[Part] | tuple[()]) -> Iterator[Part]:
    """Yield a part of a plan with all parts in it, in order, but for those of one type."""
    if part is None or isinstance(part, without):
        return
    yield part
    for _, member in part:
        for each in member if isinstance(member, tuple) else (member,):
            if isinstance(each, Part):
                yield from _within(each, without)
