"""Names of fields with function words inside, where a question writes them in full."""

import pytest

from agent.question import atoms
from tests.agent.reasoners.rules.papers import Papers

INNS = Papers(
    {
        f"inn-{number}": {
            "Cost_per_Night": f"{10 * number}",
            "Miles": f"{number}",
            "Miles to the next station": f"{20 - number}",
            "Town": ("Graz", "Linz")[number % 2],
        }
        for number in range(12)
    }
)


@pytest.mark.parametrize(
    ("question", "field", "values"),
    [
        ("How many inns with a cost per night of at least 90 are there?", "Cost_per_Night", "90"),
        ("Which inns have costs per night above 90?", "Cost_per_Night", "90"),
        ("How many inns have a Cost_per_Night over 90?", "Cost_per_Night", "90"),
        ("How many inns are over 9 miles to the next station?", "Miles to the next station", "9"),
        ("How many inns with miles over 9 are there?", "Miles", "9"),
        ("How many inns with over 9 miles are there?", "Miles", "9"),
    ],
)
def test_an_amount_is_of_the_field_named_in_full(question: str, field: str, values: str):
    (atom,) = atoms(INNS.read(question).conditions)
    assert atom.predicate is not None
    assert (atom.predicate.field, atom.predicate.values) == (field, (values,))


@pytest.mark.parametrize(
    ("question", "operation", "measure", "group"),
    [
        ("Which inn has the highest cost per night?", "top_k", "Cost_per_Night", None),
        ("What is the average cost per night of the inns?", "avg", "Cost_per_Night", None),
        ("What is the average cost per night per town?", "avg", "Cost_per_Night", "Town"),
        ("How many inns are there per town?", "group_by", None, "Town"),
    ],
)
def test_a_name_is_neither_cut_nor_grouped_by(
    question: str, operation: str, measure: str | None, group: str | None
):
    read = INNS.read(question)
    field = read.measure.field if read.measure is not None else None
    assert (read.operation, field, read.group_by) == (operation, measure, group)
