"""A typed query over records: what a question asks, compiled to SQL by code.

Columns are named by kind and attribute. A column or condition on another kind than the query's own
is reached over the schema's links. A model may write a plan; nothing it writes is run as it stands.
"""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from agent.value import Value

__all__ = (
    "Aggregate",
    "AllTests",
    "AnyTest",
    "Arithmetic",
    "Change",
    "Column",
    "Combination",
    "Comparator",
    "Compare",
    "Expression",
    "Having",
    "NotTest",
    "Number",
    "Plan",
    "Query",
    "QueryOperation",
    "Related",
    "Test",
)

QueryOperation = Literal[
    "count", "count_distinct", "sum", "avg", "min", "max", "median", "variance", "stdev", "list"
]
Comparator = Literal["=", "!=", "<", "<=", ">", ">=", "contains", "starts_with", "null", "not_null"]


class Part(Value):
    """A part of a plan, documented by its fields: a model reads them."""

    model_config = ConfigDict(use_attribute_docstrings=True)


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


Expression = Annotated[Column | Number | Arithmetic, Field(discriminator="is_a")]


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


Test = Annotated[Compare | Related | AllTests | AnyTest | NotTest, Field(discriminator="is_a")]


class Having(Part):
    """A test of a group: its operation's result compared with a number."""

    operation: Literal["count", "sum", "avg", "min", "max"]
    of: Expression | None = None
    """What is aggregated in the group; null for count."""
    comparator: Literal["=", "!=", "<", "<=", ">", ">="]
    number: float
    where: "Test | None" = None
    """For count without `of`, which rows of the group it counts; null for all. `= 0` keeps groups
    with none of them for sure: of those that are not such, groups of which every row is."""


class Change(Part):
    """A measure compared between two periods of the same thing: revenue growth 2021 to 2022."""

    key: tuple[Column, ...]
    """What makes two rows the same thing: the company."""
    period: Column
    """What tells the periods apart: the fiscal year."""
    start: str | float
    """The earlier period."""
    end: str | float
    """The later period."""
    form: Literal["difference", "ratio", "growth"]
    """end − start, end / start, or (end − start) / |start|."""


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
    change: Change | None = None
    """Where the measure is a change between two periods, else null."""
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

for _part in (Arithmetic, Aggregate, Compare, Related, AllTests, AnyTest, NotTest, Having, Query):
    _part.model_rebuild()
