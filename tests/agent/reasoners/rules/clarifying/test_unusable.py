"""A reply of which the rules can make nothing is asked for again."""

import pytest

from agent.ambiguity import Clarification, Exchange, Option, Reply
from agent.reasoners.rules.clarifying.unusable import unusable
from tests.agent.reasoners.rules.papers import TICKETS

QUESTION = "How many tickets have many authors?"
ASKED = Clarification(
    code="A1",
    span="many authors",
    question="From how many on?",
    options=tuple(
        Option(label=f"at least {each}", meaning=f"{QUESTION} ({each})") for each in (2, 3)
    ),
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("xyzzy", "nothing here is called “xyzzy”: choose 1 to 2"),
        ("purple xyzzy, please", "nothing here is called"),
        ("both", "only one reading can be taken: choose 1 to 2"),
        ("all of them", "only one reading can be taken"),
        ("at least 5", ""),
        ("since last year", ""),
        ("an author", ""),
        ("idk", ""),
        ("the second", ""),
    ],
)
def test_only_what_tells_something_is_taken(text: str, told: str) -> None:
    found = unusable(Exchange(asked=ASKED, reply=Reply(text=text)), QUESTION, TICKETS)
    assert found.startswith(told) if told else not found


def test_words_about_names_are_left_to_whoever_merges_them() -> None:
    names = ASKED.model_copy(update={"code": "C2"})
    assert not unusable(Exchange(asked=names, reply=Reply(text="unmerged")), QUESTION, TICKETS)
