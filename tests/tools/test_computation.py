"""Numbers are computed by stated rules, and every doubt about a value is told."""

import math

import pytest

from agent.question import Operation
from tools.computation import Quantity, compute

ENTITIES = ("x", "y", "z")


def quantities(**values: float) -> dict[str, list[Quantity]]:
    return {name: [Quantity(value)] for name, value in values.items()}


VALUES = quantities(x=4, y=1, z=2.5)


@pytest.mark.parametrize(
    ("operation", "value"),
    [
        ("count", 3),
        ("list", 3),
        ("sum", 7.5),
        ("avg", 2.5),
        ("min", 1),
        ("max", 4),
        ("median", 2.5),
    ],
)
def test_operations_reduce_values_to_one(operation: Operation, value: float) -> None:
    computed = compute(operation, ENTITIES, VALUES)
    assert computed.value == value
    assert isinstance(computed.value, type(value))
    assert (computed.entities, computed.remarks) == (ENTITIES, ())


@pytest.mark.parametrize("operation", ["sum", "avg", "median"])
def test_what_cannot_be_added_up_is_left_out_and_told(operation: Operation) -> None:
    computed = compute(operation, ENTITIES, quantities(x=1e308, y=1e308, z=5))
    assert computed.value == 5
    assert computed.remarks[0].of("bill") == "2 bills without a usable value: 'x', 'y'"


@pytest.mark.parametrize("operation", ["sum", "avg", "min", "max", "median"])
def test_what_has_no_value_does_not_enter_a_figure_and_is_told(operation: Operation) -> None:
    computed = compute(operation, ("w", *ENTITIES, "a"), VALUES)
    assert computed.entities == ENTITIES
    assert [each.of("visit") for each in computed.remarks] == [
        "2 visits without a usable value: 'w', 'a'"
    ]


def test_top_k_is_ordered_and_tells_of_ties() -> None:
    values = quantities(x=1, y=3, z=3, w=2)
    best = compute("top_k", list(values), values, k=1)
    assert (best.entities, best.values, best.value) == (("y", "z"), {"y": 3, "z": 3}, 2)
    told = [each.of("lease") for each in best.remarks]
    assert told == ["2 leases tied at place 1 and all given: 'y', 'z'"]
    least = compute("top_k", list(values), values, k=2, ascending=True)
    assert (least.entities, least.remarks) == (("x", "w"), ())
    assert compute("top_k", list(values), values).entities == ("y", "z", "w", "x")


def test_groups_are_counted_largest_first_and_the_ungrouped_are_told() -> None:
    groups = {"x": ["Red", "Blue", "Red"], "y": ["Red"]}
    computed = compute("group_by", ENTITIES, groups=groups)
    assert isinstance(computed.value, dict)
    assert list(computed.value.items()) == [("Red", 2), ("Blue", 1)]
    assert [each.of("lease") for each in computed.remarks] == ["1 lease in no group: 'z'"]


def test_a_disagreement_is_told() -> None:
    computed = compute("sum", ["x"], {"x": [Quantity(1), Quantity(2), Quantity(2)]})
    assert computed.value == 2
    assert "1 lease with several values" in computed.remarks[0].of("lease")


def test_units_are_never_mixed_and_those_of_the_same_are_converted() -> None:
    values = {
        "x": [Quantity(30, "days")], "y": [Quantity(1, "month")],
        "z": [Quantity(60, "Day"), Quantity(60)],
    }  # fmt: skip
    computed = compute("sum", ENTITIES, values)
    assert (computed.value, computed.unit) == (90, "Day")
    assert [each.of("lease").split(":")[0] for each in computed.remarks] == [
        "1 lease with values in another unit than 'Day', which were left out",
        "1 lease without a usable value",
    ]
    assert compute("sum", ENTITIES, values, unit="months").value == 1 + 60
    values = {"x": [Quantity(75, "min")], "y": [Quantity(2, "h")], "z": [Quantity(45, "min")]}
    computed = compute("sum", ENTITIES, values)
    assert (computed.value, computed.unit, computed.remarks) == (240, "min", ())


def test_numbers_that_are_none_are_left_out() -> None:
    values = {"x": [Quantity(math.nan)], "y": [Quantity(math.inf)], "z": [Quantity(2)]}
    computed = compute("avg", ENTITIES, values)
    assert (computed.value, computed.values) == (2, {"z": 2})


def test_a_ranking_of_what_states_no_number_has_no_value() -> None:
    assert compute("top_k", ["a", "b"], {}, k=1).value is None
    assert compute("top_k", [], {}, k=1).value == 0
