"""What was taken for granted, from one reading to the next."""

import pytest

from agent.question import Interpretation
from graphs.disambiguation.readings import assuming, carried

BEFORE = Interpretation(
    text="How many old jars?",
    entity_type="jar",
    assumptions=("Shards are jars.", "Old is before 1900."),
    settled=("“jars” makes no difference here", "“old” was read as: before 1900"),
)
AFTER = Interpretation(
    text="How many jars before 1800?", entity_type="jar", assumptions=("Shards are jars.",)
)


def test_what_a_reply_settles_is_no_longer_taken_for_granted() -> None:
    granted = carried(BEFORE, AFTER, "old").granted
    assert granted == ("Shards are jars.", "“jars” makes no difference here")


@pytest.mark.parametrize(
    ("span", "carries"),
    [("old", False), ("very old jars", False), ("older", True)],
    ids=["the words", "words that hold them", "other words"],
)
def test_what_was_said_of_some_words_of_those_settled_now_is_dropped(
    span: str, *, carries: bool
) -> None:
    now = carried(BEFORE, AFTER, span).granted
    assert ("“old” was read as: before 1900" in now) == carries


def test_what_is_settled_stands_behind_what_the_reading_assumes() -> None:
    assert assuming(AFTER, "you said: 1800").granted == ("Shards are jars.", "you said: 1800")
    assert carried(None, AFTER, "old") == AFTER
