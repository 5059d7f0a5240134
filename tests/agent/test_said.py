"""What of a reply is in a reading, and what got lost."""

import pytest

from agent.question import Condition, Interpretation, Predicate
from agent.said import lost

READ = Interpretation(
    text="How many reports of at least 5 pages?",
    entity_type="report",
    conditions=Condition(
        id="c1",
        text="was written in or after 2021-03",
        predicate=Predicate(field="Written", comparison="at_least", values=("2021-03",)),
    ),
)


@pytest.mark.parametrize(
    ("reply", "missing"),
    [
        ("at least 5", ()),
        ("from 2021-03 on", ()),
        ("at least 7 pages, since 2021-03", ("7",)),
        ("15", ("15",)),
        ("the last 3 years", ()),
        ("the last 10 years", ()),
        ("a1, of the 5th", ()),
        ('only "final" ones', ("final",)),
        ("the ‘report’ itself", ()),
        ("I don't know", ()),
        ("", ()),
        ("2,021,000 pages", ("2021000",)),
    ],
)
def test_numbers_and_quoted_words_are_looked_for(reply: str, missing: tuple[str, ...]):
    assert lost(reply, READ) == missing


@pytest.mark.parametrize(
    ("reply", "value"), [("20,000", "20000"), ("20000", "20,000"), ("1’200’000", "1200000")]
)
def test_a_number_is_held_however_its_thousands_are_parted(reply: str, value: str):
    held = Interpretation(text=f"with more than {value} characters", entity_type="report")
    assert lost(f"over {reply}", held) == ()


def test_an_assumption_does_not_hold_what_was_said():
    told = READ.model_copy(update={"assumptions": ("you said: 99",)})
    assert lost("99", told) == ("99",)
