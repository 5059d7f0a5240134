"""An adjective beside an amount names the field; a bare amount of persons is their age."""

import pytest

from agent.reasoners.rules.reading.interpret import read_question
from tests.agent.reasoners.rules.papers import WARDS, Papers

CRATES = Papers({f"crate-{n}": {"Weight (kg)": f"{n} kg", "Votes": str(n)} for n in range(1, 9)})


@pytest.mark.parametrize(
    ("question", "comparison", "values"),
    [
        ("How many patients are older than 70?", "more_than", ["70"]),
        ("How many patients older than 70 are there?", "more_than", ["70"]),
        ("How many patients are younger than 40?", "less_than", ["40"]),
        ("How many patients are under 50?", "less_than", ["50"]),
        ("How many patients are at least 66 years old?", "at_least", ["66"]),
        ("How many patients are between 30 and 50 years old?", "between", ["30", "50"]),
        ("How many patients are 65 or older?", "at_least", ["65"]),
        ("Which patients are aged 50 or over?", "at_least", ["50"]),
        ("How many patients are over the age of 60?", "more_than", ["60"]),
        ("How many patients are older than 24 months?", "more_than", ["2"]),
    ],
)
def test_an_age_is_compared_however_it_is_said(
    question: str, comparison: str, values: list[str]
) -> None:
    (atom,) = read_question(question, WARDS).conditions
    assert (atom.field, atom.comparison, atom.values) == ("Age", comparison, values)


def test_what_stands_beside_the_amount_is_still_asked_for() -> None:
    read = read_question("How many patients under 50 on the Surgery ward have diabetes?", WARDS)
    assert {each.field for each in read.conditions} == {"Age", "Ward", None}


@pytest.mark.parametrize(
    "question",
    [
        "How many patients are over 400?",
        "How many patients have more than 50 visitors?",
        "How many patients came on or after 10.11.2018?",
    ],
)
def test_an_amount_of_something_else_is_no_age(question: str) -> None:
    assert "Age" not in {each.field for each in read_question(question, WARDS).conditions}


def test_no_age_is_read_where_no_field_holds_one() -> None:
    assert not any(
        each.field for each in read_question("How many crates are under 50?", CRATES).conditions
    )
