"""Modifiers that can belong to one part or to several, and those that cannot."""

import pytest

from agent.reasoners.rules.ambiguity.attachment import attachments
from agent.reasoners.rules.ambiguity.doubt import Doubt
from agent.replies import FoundAmbiguity
from tests.agent.reasoners.rules.papers import TICKETS, Papers

BARE = Papers({f"hive-{number}": {} for number in range(4)})


def found(question: str, corpus: Papers) -> list[FoundAmbiguity]:
    return list(attachments(Doubt.of(question, corpus.read(question), corpus)))


@pytest.mark.parametrize(
    ("question", "span"),
    [
        pytest.param(
            "How many open network and printing tickets are there?",
            "open network and printing tickets",
            id="a value before two values",
        ),
        pytest.param(
            "How many recently filed network and printing tickets are open?",
            "recently filed network and printing tickets",
            id="a time before two values",
        ),
        pytest.param(
            "How many damaged jars and bowls are there?",
            "damaged jars and bowls",
            id="a participle before two nouns",
        ),
        pytest.param(
            "List coins and brooches with a hole.",
            "coins and brooches with a hole",
            id="a phrase behind two nouns",
        ),
        pytest.param(
            "Show motets and hymns that need an organ. One table.",
            "motets and hymns that need an organ",
            id="a clause behind two nouns",
        ),
        pytest.param(
            "Show bells and organs made in Turku.",
            "bells and organs made in Turku",
            id="a participle behind two nouns",
        ),
        pytest.param(
            "How many tickets by Ann Becker and Carla Diaz from 2016 are open?",
            "Ann Becker and Carla Diaz from 2016",
            id="a year behind two names",
        ),
        pytest.param(
            "How many tickets with a sponsor from 2016 are open?",
            "with a sponsor from 2016",
            id="a year inside a phrase",
        ),
    ],
)
def test_an_open_modifier_is_found(question: str, span: str) -> None:
    corpus = TICKETS if "ticket" in question else BARE
    assert [(each.code, each.span) for each in found(question, corpus)] == [("B2", span)]


@pytest.mark.parametrize(
    "question",
    [
        "How many open and closed tickets are there?",
        "How many network or printing tickets are open?",
        "How many tickets by Ann Becker and Carla Diaz are open?",
        "How many jars and bowls were found in 1850?",
        "Show jars that have a lid and bowls that have a lid.",
        "List both jars and bowls with a lid.",
        "List jars, and bowls with a lid.",
        "List all jars and bowls in the collection.",
        "Which reports mention rust?",
        "Please list the keepers and their helpers in alphabetical order.",
    ],
)
def test_settled_modifiers_are_left_alone(question: str) -> None:
    assert found(question, TICKETS if "ticket" in question else BARE) == []


def test_readings_are_read_in_their_own_sense() -> None:
    (ambiguity,) = found("How many open network and printing tickets are there?", TICKETS)
    both, first = (each.question for each in ambiguity.readings)
    assert both == "How many open network or printing tickets are there?"
    assert first == (
        "How many tickets meet at least one of these conditions: they are open and network; "
        "they are printing?"
    )


def test_a_time_is_bounded_in_either_reading() -> None:
    (one,) = found("How many recently filed network and printing tickets are open?", TICKETS)
    both, first = (each.question for each in one.readings)
    assert both.startswith("How many network or printing tickets with Filed since 2")
    assert "they are network with Filed since 2" in first
    assert first.endswith("they are printing?")


def test_of_several_dates_the_one_that_the_question_names_is_bounded() -> None:
    corpus = Papers({
        f"ticket-{at}": {"Filed": f"201{at}-03-01", "Closed": f"202{at}-04-01", "Tags": kind}
        for at, kind in enumerate(["network", "printing", "network", "printing", "login"])
    })  # fmt: skip
    (one,) = found("How many recently closed network and printing tickets are there?", corpus)
    assert all("with Closed since 202" in each.question for each in one.readings)
