"""What a question asks of records whose facts are known, and the answer that follows."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

import polars as pl

from agent.records.query_plan import AllTests, Column, Comparator, Compare, Query
from agent.records.record_schema import AttributeType, Kind
from agent.value import Value

Fact = str | int | float | bool | tuple[str, ...] | None
"""A value of one attribute, a tuple for a list attribute, None for one that is not stated."""
Comparison = Literal["more", "less", "equal", "after", "before", "is", "contains", "yes", "no"]
"""How a condition compares: `with more than {value} rooms`, behind `hotels`."""
Operation = Literal[
    "count", "avg", "list", "sum", "argmax", "count distinct", "max", "argmin", "min"
]
_TYPES: Final[Mapping[AttributeType, Any]] = {
    "boolean": pl.Boolean, "integer": pl.Int64, "number": pl.Float64
}  # fmt: skip
_TESTS: Final[Mapping[Comparison, Callable[[pl.Expr, Any], pl.Expr]]] = {
    "more": pl.Expr.gt,
    "less": pl.Expr.lt,
    "equal": pl.Expr.eq,
    "is": pl.Expr.eq,
    "after": lambda fact, bound: fact.str.slice(0, 4) > bound,
    "before": lambda fact, bound: fact.str.slice(0, 4) < bound,
    "contains": lambda fact, bound: fact.list.contains(bound),
    "yes": lambda fact, _: fact,
    "no": lambda fact, _: ~fact,
}
_COMPARATORS: Final[Mapping[Comparison, Comparator]] = {
    "more": ">", "less": "<", "after": ">", "before": "<", "contains": "contains"
}  # fmt: skip
NAME: Final = "name"
"""The attribute that every kind has: what a record is of."""


def facts_table(kind: Kind, rows: Sequence[Mapping[str, Fact]]) -> pl.DataFrame:
    """Return a row a record: its document, and its name and other facts as the kind has them."""
    columns = {"document": pl.String()} | {
        each.name: pl.List(pl.String) if each.many else _TYPES.get(each.type, pl.String)
        for each in kind.attributes
    }
    return pl.DataFrame(rows, columns)


class Test(Value):
    """What a record has to satisfy; one that does not state it satisfies nothing."""

    attribute: str
    comparison: Comparison
    bound: str | int | float | None = None
    """None for yes and no; of after and before a year."""


class Asked(Value):
    """What a question asks of the records, as their inventor computed it."""

    operation: Operation
    attribute: str = ""
    """What is computed with; empty for count and list."""
    tests: tuple[Test, ...] = ()
    """All must hold."""

    def passing(self, table: pl.DataFrame) -> pl.DataFrame:
        """Return the rows that pass and state what is computed with."""
        tests = (_TESTS[each.comparison](pl.col(each.attribute), each.bound) for each in self.tests)
        return table.filter(pl.lit(value=True), *tests).drop_nulls([self.attribute or NAME])

    def tied(self, rows: pl.DataFrame) -> bool:
        """Tell whether several rows are the best."""
        facts = rows[self.attribute]
        return (facts == (facts.max() if self.operation == "argmax" else facts.min())).sum() > 1

    def answer(self, table: pl.DataFrame) -> tuple[pl.DataFrame, list[str], float | None]:
        """Return the rows behind the answer, what it names, and its number; None for no number."""
        rows = self.passing(table)
        match self.operation:
            case "count" | "list":
                number = len(rows) if self.operation == "count" else None
                return rows, rows[NAME].to_list(), number
            case "argmax" | "argmin":
                highest = self.operation == "argmax"
                best = rows.sort(self.attribute, descending=highest, maintain_order=True)[:1]
                return best, best[NAME].to_list(), None
            case "count distinct":
                facts = rows[self.attribute]
                values = facts.explode() if facts.dtype == pl.List else facts
                names = sorted(map(str, values.unique()))
                return rows, names, len(names)
            case _:
                how = {"avg": "mean"}.get(self.operation, self.operation)
                computed = getattr(rows[self.attribute], how)() if len(rows) else None
                return rows, [], None if computed is None else float(f"{computed:.12g}")

    def query(self, kind: str) -> Query:
        """Return the query that asks it of a kind's records."""
        order = {"argmax": "descending", "argmin": "ascending"}.get(self.operation)
        tests = tuple(
            Compare(
                left=Column(kind=kind, attribute=each.attribute),
                comparator=_COMPARATORS.get(each.comparison, "="),
                value=each.comparison == "yes" if each.bound is None else each.bound,
            )
            for each in self.tests
        )
        told: dict[str, Any] = {
            "kind": kind,
            "where": AllTests(parts=tests) if tests else None,
            "operation": "list" if order else self.operation.replace(" ", "_"),
        }
        if self.attribute:
            column = Column(kind=kind, attribute=self.attribute)
            distinct = self.operation == "count distinct"
            told |= {"distinct": (column,)} if distinct else {"measure": column}
        if told["operation"] == "list":
            told |= {"show": (Column(kind=kind, attribute=NAME),), "order": order}
        return Query.model_validate(told | {"limit": 1 if order else None})
