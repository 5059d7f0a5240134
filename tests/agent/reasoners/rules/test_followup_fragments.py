import pytest

from agent.conversation import Turn
from agent.question import Interpretation
from agent.reasoners.rules.followup import continued, without_opener
from agent.reasoners.rules.interpret import read_question
from tests.agent.reasoners.rules.papers import TICKETS


def _turns(*questions: str) -> list[Turn]:
    reading = Interpretation(text="…", entity_type="ticket")
    return [Turn(question=question, interpretation=reading) for question in questions]


@pytest.mark.parametrize(
    ("asked", "fragment", "whole"),
    [
        (
            ("How many tickets mention the law of Texas?",),
            "and of New York?",
            "How many tickets mention the law of New York?",
        ),
        (
            ("How many tickets mention Oslo?", "what about Bergen?"),
            "and Tromsø?",
            "How many tickets mention Tromsø?",
        ),
        (
            ("How many tickets from 2019 mention Oslo?",),
            "how about 2021?",
            "How many tickets from 2021 mention Oslo?",
        ),
    ],
    ids=["after its preposition", "after another fragment", "a number for a number"],
)
def test_a_name_takes_the_place_of_the_last_one_of_its_kind(
    asked: tuple[str, ...], fragment: str, whole: str
) -> None:
    reply = continued(fragment, _turns(*asked), TICKETS, read_question)
    expected = read_question(whole, TICKETS)
    assert reply is not None
    assert (reply.conditions, reply.logic) == (expected.conditions, expected.logic)
    assert any(f"“{whole}”" in each for each in reply.assumptions)


def test_the_opener_of_a_follow_up_is_no_part_of_the_question() -> None:
    assert without_opener("And what about the open ones?") == "the open ones?"
    assert without_opener("How many tickets are open?") == "How many tickets are open?"
