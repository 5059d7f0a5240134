"""The plan that answers a question over its records' tables: gold, as SQL is in Spider."""

from collections.abc import Mapping, Sequence
from typing import Final

from agent.records.query_plan import (
    AllTests,
    Column,
    Combination,
    Comparator,
    Compare,
    Plan,
    Query,
    QueryOperation,
    Test,
)
from evals.datasets.asking import Asked, Operation
from evals.datasets.conditions import Comparison, Condition
from evals.datasets.drawing import number

__all__ = ("plan_of",)

_COMPARATORS: Final[Mapping[Comparison, Comparator]] = {
    "more": ">", "less": "<", "equal": "=", "is": "=", "contains": "=", "before": "<", "yes": "=",
    "no": "=",
}  # fmt: skip
_ONE_NUMBER: Final[Mapping[Operation, QueryOperation]] = {
    "count": "count", "sum": "sum", "avg": "avg", "min": "min", "max": "max", "median": "median",
    "group avg": "avg",
}  # fmt: skip
_COMBINED: Final[frozenset[Operation]] = frozenset({"ratio", "share", "difference"})


def plan_of(asked: Asked, kind: str) -> Plan:
    """Return the plan of a question on records of a kind."""
    if asked.operation in _COMBINED:
        both = asked.operation == "share"
        return Combination(
            operator="-" if asked.operation == "difference" else "/",
            left=_counted(kind, (*asked.conditions, *(asked.against if both else ()))),
            right=_counted(kind, asked.against),
        )
    plain = Query(kind=kind, where=_test(kind, asked.conditions), operation="list")
    return plain.model_copy(update=_form(asked, kind))


def _form(asked: Asked, kind: str) -> dict[str, object]:
    """Return what a question changes of a plain list of the rows that pass."""
    name = (Column(kind=kind, attribute="name"),)
    by = (Column(kind=kind, attribute=asked.by),) if asked.by else ()
    measure = Column(kind=kind, attribute=asked.measure) if asked.measure else None
    order = "ascending" if asked.operation == "argmin" else "descending"
    match asked.operation:
        case "list":
            return {"show": name}
        case "argmax" | "argmin" | "top-k":
            return {"show": name, "measure": measure, "order": order, "limit": asked.limit}
        case "count distinct":
            return {"operation": "count_distinct", "distinct": by}
        case "most common":
            return {"operation": "count", "group_by": by, "order": order, "limit": asked.limit}
        case "group count":
            return {"operation": "count", "group_by": by}
        case _:
            operation = _ONE_NUMBER[asked.operation]
            return {"operation": operation, "measure": measure, "group_by": by}


def _counted(kind: str, conditions: Sequence[Condition]) -> Query:
    return Query(kind=kind, where=_test(kind, conditions), operation="count")


def _test(kind: str, conditions: Sequence[Condition]) -> Test | None:
    tests = tuple(_compared(kind, each) for each in conditions)
    if len(tests) < 2:
        return tests[0] if tests else None
    return AllTests(parts=tests)


def _compared(kind: str, condition: Condition) -> Compare:
    """Return one comparison; after a year is from the next one on."""
    left = Column(kind=kind, attribute=condition.attribute)
    bound = condition.bound
    if condition.comparison == "after":
        return Compare(left=left, comparator=">=", value=str(int(str(bound)) + 1))
    if condition.comparison in {"yes", "no"}:
        return Compare(left=left, comparator="=", value=condition.comparison == "yes")
    comparator = _COMPARATORS[condition.comparison]
    if isinstance(bound, str):
        return Compare(left=left, comparator=comparator, value=bound)
    return Compare(left=left, comparator=comparator, value=number(bound))
