"""Answers computed from records."""

import pytest

from evals.datasets.domains import Comparison
from evals.datasets.drawn_records import Drawn, Fact
from evals.datasets.inquiries import (
    Condition,
    aggregate,
    by_group,
    different,
    extreme,
    matching,
    top,
)


def record(name: str, **facts: Fact) -> Drawn:
    return Drawn(name, name, facts)


ROWS = [
    record("a", size=1, town="Ebb", tags=("x", "y"), open=True, since="1990-05-01"),
    record("b", size=5, town="Ebb", tags=("x",), open=False, since="2001-01-31"),
    record("c", size=3, town="Flow", tags=(), open=True, since=None),
    record("d", size=None, town="Flow", tags=("y",), open=None, since="2001-12-31"),
]


@pytest.mark.parametrize(
    ("attribute", "comparison", "bound", "names"),
    [
        ("size", "more", 1, "bc"),
        ("size", "less", 5, "ac"),
        ("size", "equal", 3, "c"),
        ("town", "is", "Ebb", "ab"),
        ("tags", "contains", "y", "ad"),
        ("open", "yes", None, "ac"),
        ("open", "no", None, "b"),
        ("since", "after", "2000", "bd"),
        ("since", "before", "2001", "a"),
    ],
)
def test_a_condition_holds_for_what_is_stated(
    attribute: str, comparison: Comparison, bound: Fact, names: str
) -> None:
    found = matching(ROWS, [Condition(attribute, comparison, bound, "")])
    assert "".join(each.name for each in found) == names


def test_numbers_are_over_what_is_stated() -> None:
    average = aggregate(ROWS, "size", "avg")
    median = aggregate(ROWS, "size", "median")
    assert average is not None
    assert median is not None
    assert (average.value, median.value) == (3, 3)
    assert [each.name for each in average.rows] == ["a", "b", "c"]
    assert aggregate(ROWS[2:], "size", "sum") is None


def test_ties_leave_the_greatest_open() -> None:
    first = top(ROWS, "size", 2, highest=True)
    assert first is not None
    assert first.names == ("b", "c")
    assert top([*ROWS, record("e", size=5)], "size", 1, highest=True) is None
    assert top(ROWS, "size", 3, highest=True) is None


def test_values_of_lists_are_groups_of_their_own() -> None:
    assert {key: len(rows) for key, rows in by_group(ROWS, "tags").items()} == {"x": 2, "y": 2}
    assert different(ROWS, "tags").names == ("x", "y")
    assert extreme(ROWS, "tags") is None
    assert extreme(ROWS[:3], "town") is not None
