"""What narrows the documents of a number is a condition, not a part of the number's name."""

import pytest

from agent.reasoners.rules.reading.interpret import read_question
from tests.agent.reasoners.rules.papers import WARDS, Papers


@pytest.mark.parametrize(
    "question",
    [
        "What is the average bill in the Surgery ward?",
        "What is the average bill on the Surgery ward?",
        "average bill in Surgery",
        "What is the average bill for Surgery?",
        "What is the average bill of the Surgery ward?",
        "What is the average bill of patients on the Surgery ward?",
    ],
)
def test_a_ward_is_a_condition_of_the_average(question: str) -> None:
    read = read_question(question, WARDS)
    assert [(each.field, each.values) for each in read.conditions] == [("Ward", ["Surgery"])]
    assert (read.operation, read.measure and read.measure.field) == ("avg", "Bill")
    assert read.grain == "document"


def test_two_restrictions_behind_a_measure_both_hold() -> None:
    question = "What is the median bill on the Medicine ward for patients over 40?"
    read = read_question(question, WARDS)
    assert {"Ward", "Age"} <= {each.field for each in read.conditions}
    assert read.operation == "median"


TRIPS = Papers(
    {
        f"trip-{number}": {
            "Duration": f"{number} h 15 min",
            "Port": ("Oban", "Mallaig")[number % 2],
        }
        for number in range(8)
    }
)


@pytest.mark.parametrize(
    "question",
    [
        "Which two trips from Oban lasted longest?",
        "Which two trips that lasted the longest are from Oban?",
        "Which are the two longest trips from Oban?",
        "Which two trips from Oban had the longest duration?",
    ],
)
def test_what_lasted_longest_is_ranked_by_the_field_that_says_so(question: str) -> None:
    read = read_question(question, TRIPS)
    assert (read.operation, read.k, read.ascending) == ("top_k", 2, False)
    assert read.measure is not None
    assert (read.measure.text.casefold(), read.measure.of) == ("duration", "value")
    assert [each.field for each in read.conditions] == ["Port"]


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("How many patients with diabetes are on the Surgery ward?", ["with diabetes"]),
        ("How many patients without diabetes are over 40?", ["have diabetes"]),
    ],
)
def test_what_comes_along_is_not_lost_before_a_field(question: str, texts: list[str]) -> None:
    read = read_question(question, WARDS)
    assert [each.text for each in read.conditions if not each.field] == texts
    assert len(read.conditions) == 2


@pytest.mark.parametrize(
    ("question", "operation"),
    [
        ("What is the average bill for each ward?", "avg"),
        ("For each ward, what is the average bill?", "avg"),
        ("total bill per ward", "sum"),
        ("What is the average bill of patients over 40 by ward?", "avg"),
        ("How many patients are there per ward?", "group_by"),
        ("For each ward, how many patients are over 40?", "group_by"),
    ],
)
def test_a_field_to_group_by_parts_every_number(question: str, operation: str) -> None:
    read = read_question(question, WARDS)
    assert (read.operation, read.group_by) == (operation, "Ward")
    assert [each.field for each in read.conditions] == ["Age"] * ("over 40" in question)
    assert "for each Ward" in read.restated


def test_a_value_behind_by_is_a_condition_and_no_group() -> None:
    read = read_question("What is the total bill by Surgery?", WARDS)
    assert (read.group_by, [each.field for each in read.conditions]) == (None, ["Ward"])


def test_a_list_for_each_value_of_a_field_shows_the_field() -> None:
    read = read_question("For each ward, list the patients over 40.", WARDS)
    assert (read.operation, read.group_by, read.show) == ("list", None, ["Ward"])
    assert [(each.field, each.comparison) for each in read.conditions] == [
        ("Ward", "exists"),
        ("Age", "more_than"),
    ]


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("Which patients refuse visits in Cardiology?", ["refuse visits"]),
        ("Which patients in Cardiology refuse visits?", ["refuse visits"]),
        ("How many patients mention a fall at Medicine?", ["mentions a fall"]),
    ],
)
def test_a_fields_value_beside_what_the_text_states_is_a_condition_of_its_own(
    question: str, texts: list[str]
) -> None:
    read = read_question(question, WARDS)
    assert [each.field for each in read.conditions if each.field] == ["Ward"]
    assert [each.text for each in read.conditions if not each.field] == texts
    assert any("is read as Ward" in each for each in read.assumptions) == (
        not question.startswith("Which patients in")
    )


def test_for_each_item_of_a_field_a_list_needs_no_verb() -> None:
    assert (read := read_question("For each ward, the names.", WARDS)).show == ["Ward"]
    assert read.operation == "list"
