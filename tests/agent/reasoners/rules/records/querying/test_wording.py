"""A reading in the words in which follow-up questions are put to the records."""

from collections.abc import Callable

import pytest

from agent.records.query_plan import Query
from agent.records.record_replies import QueryReply
from agent.records.record_schema import Tables

Ask = Callable[[str, Tables], QueryReply]


def test_what_a_verb_is_about_is_not_passed_over(hotels: Tables, ask: Ask) -> None:
    reply = ask("Which hotels allow smoking in Lisbon?", hotels)
    assert not reply.answerable


@pytest.mark.parametrize(
    ("question", "operation"),
    [
        ("Count every hotel for which this holds: City is Lisbon.", "count"),
        ("Count every hotel.", "count"),
        ("Average the price over every hotel for which this holds: City is Lisbon.", "avg"),
    ],
)
def test_what_is_counted_or_computed_over_every_one_makes_no_groups(
    question: str, operation: str, hotels: Tables, ask: Ask
) -> None:
    plan = ask(question, hotels).plan
    assert isinstance(plan, Query)
    assert (plan.operation, plan.group_by) == (operation, ())
