"""True plans of questions."""

import pytest

from agent.records.query_plan import AllTests, Combination, Compare, Query
from evals.datasets.asking import Asked, Operation
from evals.datasets.conditions import Condition
from evals.datasets.plans import plan_of
from evals.datasets.truths import Truth

OPEN = Condition("open", "yes", None, "that are open")
LARGE = Condition("size", "more", 5, "with more than 5")
RECENT = Condition("since", "after", "2000", "since 2000")


def query(operation: Operation, *conditions: Condition, **needs: object) -> Query:
    asked = Asked(question="?", operation=operation, truth=Truth(), conditions=conditions, **needs)  # type: ignore[arg-type]
    plan = plan_of(asked, "inn")
    assert isinstance(plan, Query)
    return plan


def test_conditions_are_compared_as_columns_hold_values() -> None:
    where = query("count", OPEN, LARGE, RECENT).where
    assert isinstance(where, AllTests)
    told = [(each.comparator, each.value) for each in where.parts if isinstance(each, Compare)]
    assert told == [("=", True), (">", 5), (">=", "2001")]


@pytest.mark.parametrize(
    ("operation", "needs", "form"),
    [
        ("avg", {"measure": "size"}, ("avg", None, None)),
        ("argmin", {"measure": "size", "limit": 1}, ("list", "ascending", 1)),
        ("top-k", {"measure": "size", "limit": 3}, ("list", "descending", 3)),
        ("most common", {"by": "town", "limit": 1}, ("count", "descending", 1)),
        ("group avg", {"by": "town", "measure": "size"}, ("avg", None, None)),
        ("count distinct", {"by": "town"}, ("count_distinct", None, None)),
    ],
)
def test_an_operation_has_its_form(
    operation: Operation, needs: dict[str, object], form: tuple[object, ...]
) -> None:
    plan = query(operation, **needs)
    assert (plan.operation, plan.order, plan.limit) == form
    assert (plan.measure is not None) == ("measure" in needs)
    assert bool(plan.group_by) == (operation in {"most common", "group avg"})
    assert bool(plan.distinct) == (operation == "count distinct")


@pytest.mark.parametrize(
    ("operation", "operator", "tests"),
    [("ratio", "/", 1), ("difference", "-", 1), ("share", "/", 2)],
)
def test_two_counts_are_put_together(operation: Operation, operator: str, tests: int) -> None:
    asked = Asked(question="?", operation=operation, truth=Truth(), conditions=(OPEN,),
                  against=(LARGE,))  # fmt: skip
    plan = plan_of(asked, "inn")
    assert isinstance(plan, Combination)
    assert plan.operator == operator
    left = plan.left.where
    assert (len(left.parts) if isinstance(left, AllTests) else 1) == tests
