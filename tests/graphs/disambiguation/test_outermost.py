"""Limits can be as loose as the middle of what there is, and as tight as the last time."""

import pytest

from agent.ambiguity import Ambiguity, Reading
from agent.question import Interpretation, atoms
from agent.taxonomy import AmbiguityCode
from graphs.disambiguation.outermost import outermost
from tests.agent.reasoners.rules.papers import TICKETS

VOTES = "How many open tickets have at least {} votes?"
FILED = "How many open tickets were filed {}?"


def guessed(code: AmbiguityCode, *questions: str) -> Ambiguity:
    readings = tuple(
        Reading(label=each, question=each, interpretation=TICKETS.read(each)) for each in questions
    )
    return Ambiguity(code=code, span="?", why="", readings=readings)


def limits(reading: Interpretation | None) -> list[str]:
    assert reading is not None
    return [each.text for each in atoms(reading.conditions)]


@pytest.mark.parametrize(
    ("ambiguity", "question", "limit"),
    [
        (
            guessed("A1", VOTES.format(36), VOTES.format(42)),
            VOTES.format(24),
            "Votes is at least 24",
        ),
        (
            guessed("A2", FILED.format("since 2019"), FILED.format("since 2018")),
            FILED.format("since 2017"),
            "Filed is at least 2017",
        ),
        (
            guessed("A2", FILED.format("until 2015"), FILED.format("until 2016")),
            FILED.format("until 2017"),
            "Filed is at most 2017",
        ),
    ],
    ids=["a number", "since a year", "until a year"],
)
def test_a_limit_is_loosened_to_the_median(ambiguity: Ambiguity, question: str, limit: str) -> None:
    found = outermost(ambiguity, TICKETS)[0]
    assert (found.label, found.question) == (question, question)
    first = set(limits(ambiguity.readings[0].interpretation))
    assert set(limits(found.interpretation)) - first == {limit}


@pytest.mark.parametrize(
    ("ambiguity", "questions"),
    [
        (
            guessed("A2", FILED.format("since 2018"), FILED.format("since 2017")),
            [FILED.format("since 2019")],
        ),
        (
            guessed("A2", FILED.format("until 2016"), FILED.format("until 2017")),
            [FILED.format("until 2015")],
        ),
        (guessed("A1", VOTES.format(36), VOTES.format(42)), [VOTES.format(24)]),
    ],
    ids=["since a year", "until a year", "a number"],
)
def test_a_time_is_tightened_to_the_last_there_is(
    ambiguity: Ambiguity, questions: list[str]
) -> None:
    assert [each.question for each in outermost(ambiguity, TICKETS)] == questions


@pytest.mark.parametrize(
    "ambiguity",
    [
        guessed("A1", VOTES.format(36), VOTES.format(20)),
        guessed("A1", VOTES.format(36), FILED.format("since 2019")),
        guessed("B2", VOTES.format(36), VOTES.format(42)),
        guessed("A1", VOTES.format(36)),
    ],
    ids=["as loose already", "limits of two fields", "no limit is unclear", "one reading"],
)
def test_nothing_is_loosened_beside_one_unclear_limit(ambiguity: Ambiguity) -> None:
    assert outermost(ambiguity, TICKETS) == ()
