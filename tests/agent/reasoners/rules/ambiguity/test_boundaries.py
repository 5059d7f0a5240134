"""Degrees and times without limits, and the limits that the corpus suggests."""

import pytest

from agent.reasoners.rules.ambiguity.doubt import Doubt
from agent.reasoners.rules.ambiguity.gradable import degrees
from agent.reasoners.rules.ambiguity.windows import windows
from tests.agent.reasoners.rules.papers import TICKETS, Papers

DISHES = Papers(
    {
        f"dish-{number}": {
            "Course": ("starter", "soup")[number % 2],
            "Cook time": f"{10 * number} minutes",
            "Filed": f"20{10 + number}-03-04",
        }
        for number in range(1, 11)
    }
)

INNS = Papers(
    {
        f"inn-{number}": {
            "Miles": f"{number}",
            "Miles to the next station": f"{number}0",
            "Cost_per_Night": f"{number}00",
        }
        for number in range(1, 11)
    }
)


def labels(question: str, corpus: Papers = TICKETS) -> list[str]:
    doubt = Doubt.of(question, corpus.read(question), corpus)
    return [
        reading.label
        for look in (degrees, windows)
        for each in look(doubt)
        for reading in each.readings
    ]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        pytest.param(
            "How many quick dishes are there?",
            ["Cook time at most 30", "Cook time at most 10"],
            id="an adjective and the field that it measures",
        ),
        pytest.param(
            "How many dishes have a long cook time?",
            ["Cook time at least 70", "Cook time at least 90"],
            id="an adjective and the field that it describes",
        ),
        pytest.param(
            "How many long-cooked dishes are there?",
            ["Cook time at least 70", "Cook time at least 90"],
            id="a compound that names the field",
        ),
        pytest.param(
            "How many dishes were filed recently?",
            ["2019 or later", "2017 or later"],
            id="the latest tenth and quarter",
        ),
        pytest.param(
            "How many dishes were filed in the last few weeks?",
            ["2 weeks up to 2020-03-04", "5 weeks up to 2020-03-04"],
            id="reckoned back from the latest date",
        ),
        pytest.param("How many early soups are there?", ["up to 2011", "up to 2013"], id="early"),
        pytest.param(
            "How many serious dishes are there?",
            ["only where the text says “serious”", "also what is not called serious"],
            id="nothing measures it",
        ),
    ],
)
def test_limits_come_from_the_corpus(question: str, expected: list[str]) -> None:
    assert labels(question, DISHES) == expected


@pytest.mark.parametrize(
    ("question", "span", "expected"),
    [
        (
            "How many inns with a high cost per night are there?",
            "high cost per night",
            ["Cost_per_Night at least 700", "Cost_per_Night at least 900"],
        ),
        (
            "How many inns have few miles to the next station?",
            "few miles to the next station",
            ["Miles next station at most 30", "Miles next station at most 10"],
        ),
    ],
)
def test_a_degree_is_of_the_field_named_in_full(
    question: str, span: str, expected: list[str]
) -> None:
    (told,) = degrees(Doubt.of(question, INNS.read(question), INNS))
    assert (told.span, [each.label for each in told.readings]) == (span, expected)


@pytest.mark.parametrize(
    "question",
    [
        "How many dishes take the most popular spices?",
        "How many dishes need more than 20 minutes?",
        "How many dishes have a long cook time of more than 70 minutes?",
        "Which dishes are as quick as soup?",
        "How many dishes were filed in the last 3 years?",
        "How many dishes mention “quick lunch”?",
        "What are the latest dishes?",
        "How many long-term plans are there?",
        "quick dishes",
    ],
)
def test_bounded_words_are_left_alone(question: str) -> None:
    assert labels(question, DISHES) == []


def test_a_value_of_the_metadata_is_no_degree() -> None:
    assert labels("How many minor tickets are there?") == []
