"""A reply to a clarification leads to one reading."""

import pytest

from agent.ambiguity import Ambiguity, Clarification, Exchange, Option, Reading, Reply
from agent.reasoners.rules.clarify import clarify
from agent.reasoners.rules.rewrite import rewrite
from agent.replies import InterpretReply
from agent.taxonomy import AmbiguityCode
from tests.agent.reasoners.rules.papers import TICKETS

QUESTION = "How many tickets have many authors?"


def answered(
    reply: Reply, code: AmbiguityCode = "A1", question: str = QUESTION, span: str = "many authors"
) -> InterpretReply:
    options = tuple(
        Option(
            label=f"at least {bound}", meaning=f"How many tickets have at least {bound} authors?"
        )
        for bound in (2, 3)
    )
    asked = Clarification(code=code, span=span, question="?", options=options)
    return rewrite(
        {
            "question": question,
            "interpretation": TICKETS.read(question),
            "exchange": Exchange(asked=asked, reply=reply),
            "corpus": TICKETS,
        }
    )


@pytest.mark.parametrize(
    ("reply", "bound"),
    [
        pytest.param(Reply(choice=2), "3", id="an option's number"),
        pytest.param(Reply(text="at least 3"), "3", id="an option's label"),
        pytest.param(Reply(text="yes"), "2", id="yes is the first"),
        pytest.param(Reply(text="I don't know"), "2", id="unsure is the likeliest"),
        pytest.param(Reply(text="at least 5"), "5", id="own words"),
        pytest.param(Reply(text="4"), "4", id="a bare number"),
    ],
)
def test_a_reply_settles_the_threshold(reply: Reply, bound: str) -> None:
    (atom,) = answered(reply).conditions
    assert (atom.field, atom.comparison, atom.values) == ("Author", "at_least", [bound])


def test_an_open_reply_is_assumed_aloud() -> None:
    assert any("left open" in each for each in answered(Reply(text="no idea")).assumptions)


def test_a_date_in_the_persons_words_bounds_the_time() -> None:
    reply = answered(
        Reply(text="since 2017"), "A2", "How many open tickets were filed recently?", "recently"
    )
    assert [(atom.field, atom.comparison) for atom in reply.conditions[-1:]] == [
        ("Filed", "at_least")
    ]


def test_the_question_offers_the_readings() -> None:
    readings = (Reading(label="one", question="Q1?"), Reading(label="two", question="Q2?"))
    ambiguity = Ambiguity(code="A1", span="many", why="…", readings=readings)
    asked = clarify({"question": QUESTION, "ambiguity": ambiguity})
    assert "“many”" in asked.question
    assert [(each.label, each.meaning) for each in asked.options] == [
        ("one", "Q1?"),
        ("two", "Q2?"),
    ]
