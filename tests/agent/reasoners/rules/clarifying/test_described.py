"""What a reply says anew takes the place of what it repeats."""

import pytest

from agent.reasoners.rules.clarifying.described import in_full, repeated
from tests.agent.reasoners.rules.papers import TICKETS

ASKED = "How many recently filed open and closed tickets are critical?"
SPAN = "recently filed open and closed tickets"


@pytest.mark.parametrize(
    ("span", "said", "expected"),
    [
        (SPAN, "How many tickets are open?", "How many tickets are open?"),
        (
            SPAN,
            "critical tickets are either open tickets of 2019, or closed tickets",
            "How many critical tickets are either open tickets of 2019, or closed tickets?",
        ),
        (SPAN, "tickets are open, or closed and filed in 2019", None),
        ("", "critical tickets filed in 2019 are open or closed", None),
        (SPAN, "in 2019 or later", None),
    ],
    ids=[
        "a whole question",
        "a description",
        "one that leaves out what was not asked about",
        "one that leaves out words of which nothing was asked",
        "a part",
    ],
)
def test_a_description_of_all_that_is_counted_is_the_question(
    span: str, said: str, expected: str | None
) -> None:
    assert in_full(ASKED, span, said, TICKETS) == expected


@pytest.mark.parametrize(
    ("question", "said", "expected"),
    [
        (
            "How many open tickets have many authors?",
            "at least 2 authors",
            "How many open tickets have at least 2 authors?",
        ),
        (
            "How many open tickets with a high vote are there?",
            "a vote of at least 20",
            "How many open tickets with a vote of at least 20 are there?",
        ),
        (
            "How many tickets have high votes?",
            "votes below 9",
            "How many tickets have votes below 9?",
        ),
        ("How many tickets have votes above 9?", "votes of at most 20", None),
        ("How many tickets have many authors?", "at least 2", None),
        ("How many tickets have authors?", "at least 2 tickets", None),
        ("How many tickets have many authors?", "named authors", None),
    ],
    ids=[
        "in its place",
        "of a field",
        "of a field alone",
        "of no degree",
        "of nothing",
        "of what is counted",
        "no amount",
    ],
)
def test_an_amount_takes_the_place_of_what_it_is_of(
    question: str, said: str, expected: str | None
) -> None:
    assert repeated(question, said, TICKETS) == expected
