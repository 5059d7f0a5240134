"""Questions put anew after a clarification are read in their own sense."""

import pytest

from agent.interpretation import interpretation_from
from agent.question import Interpretation
from agent.reasoners.rules.clarifying.restating import reread
from prompts.descriptions import interpretation_line
from tests.agent.reasoners.rules.papers import TICKETS


def read(text: str) -> Interpretation:
    return interpretation_from(reread(text, TICKETS), [each.name for each in TICKETS.fields])


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        pytest.param(
            "How many tickets meet at least one of these conditions: they are open and critical; "
            "they are minor?",
            "((c1 “Status is Open” and c2 “Severity is critical”) or c3 “Severity is minor”)",
            id="written-out alternatives",
        ),
        pytest.param(
            "How many open tickets meet none of these conditions: they have a sponsor; "
            "they are minor?",
            "(c1 “Status is Open” and not (c2 “Sponsor exists ” or c3 “Severity is minor”))",
            id="none of several",
        ),
        pytest.param(
            "How many tickets lack at least one of the two: a sponsor, a license?",
            "(c1 “Sponsor exists false” or c2 “License exists false”)",
            id="one of two is lacking",
        ),
        pytest.param(
            "How many tickets are open tickets or critical tickets of any status?",
            "(c1 “Status is Open” or c2 “Severity is critical”)",
            id="the noun repeated",
        ),
        pytest.param(
            "How many tickets are either non-open or minor?",
            "(not c1 “Status is Open” or c2 “Severity is minor”)",
            id="non-",
        ),
        pytest.param(
            "How many tickets are by Carla Diaz (any year) or by Ann Becker and filed in 2016?",
            "(c1 “Author is Carla Diaz” or (c2 “Author is Ann Becker” and c3 “Filed is 2016”))",
            id="any year",
        ),
        pytest.param(
            "How many tickets lack a sponsor or lack a license?",
            "(c1 “Sponsor exists false” or c2 “License exists false”)",
            id="the verb repeated",
        ),
        pytest.param(
            "How many tickets were filed in the 2 years up to 2019-01-01 (on or after 2017-01-01)?",
            "c1 “Filed at_least 2017-01-01”",
            id="a date in brackets",
        ),
        pytest.param("How many tickets are open?", "c1 “Status is Open”", id="a plain question"),
    ],
)
def test_nothing_is_left_open(text: str, conditions: str) -> None:
    told = interpretation_line(read(text)).rpartition("conditions: ")[2].removesuffix("]")
    assert told.replace("exists”", "exists ”") == conditions


def test_the_entries_of_a_field_are_summed() -> None:
    reading = read("How many (author, ticket) pairs are there among the open tickets?")
    assert reading.operation == "sum"
    assert reading.measure is not None
    assert (reading.measure.field, reading.measure.of) == ("Author", "length")


def test_how_names_are_merged_is_assumed_aloud() -> None:
    reply = reread("How many distinct authors remain if spelling variants are merged?", TICKETS)
    assert reply.entity_field == "Author"
    assert any("variants" in each for each in reply.assumptions)
