"""Fields of a corpus, as far as they describe its kind of document."""

import pytest

from agent.reasoners.rules.reading.interpret import interpret
from tests.agent.reasoners.rules.papers import Papers

QUESTION = "How many contracts have a renewal term?"


def _papers(number: int, holding: int) -> Papers:
    held = {"Renewal Term": "the definition of one"}
    return Papers({f"contract-{at:02}": dict(held) if at < holding else {} for at in range(number)})


@pytest.mark.parametrize(
    ("number", "holding", "decides"),
    [(12, 1, False), (12, 2, True), (9, 1, True)],
    ids=["one of many", "two of many", "one of a few"],
)
def test_a_field_of_one_document_among_many_does_not_decide_for_all(
    number: int, holding: int, decides: bool
):
    reply = interpret({"question": QUESTION, "corpus": _papers(number, holding)})
    (condition,) = reply.conditions
    assert (condition.field is not None) is decides


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many plans have the scope all?", ["all"]),
        ("How many plans with the scope some are there?", ["some"]),
        ("How many plans have the scope all readers want?", []),
    ],
)
def test_a_determiner_behind_its_field_s_name_is_a_value_where_it_has_no_noun(
    question: str, value: list[str]
):
    plans = Papers({"plan-1": {"Scope": "all"}, "plan-2": {"Scope": "some"}, "plan-3": {}})
    read = interpret({"question": question, "corpus": plans}).conditions
    assert [told for each in read if each.field for told in each.values] == value


@pytest.mark.parametrize(
    ("question", "field", "values"),
    [
        ("How many replaced plans are there?", "State", ("Replaced",)),
        ("How many plans were replaced by North?", "Replaced-By", ("North",)),
        ("How many plans have a replaced-by field?", "Replaced-By", ()),
    ],
)
def test_a_value_beats_a_field_whose_name_only_begins_so(
    question: str, field: str, values: tuple[str, ...]
):
    held = {"State": "Replaced", "Replaced-By": "North"}
    plans = Papers({"plan-1": held, "plan-2": held, "plan-3": {"State": "Valid"}})
    (condition,) = interpret({"question": question, "corpus": plans}).conditions
    assert (condition.field, tuple(condition.values)) == (field, values)
