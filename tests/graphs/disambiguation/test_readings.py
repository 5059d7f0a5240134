"""What was taken for granted of a question."""

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


def test_what_was_settled_before_still_holds() -> None:
    granted = carried(BEFORE, AFTER).granted
    assert granted == ("Shards are jars.", *BEFORE.settled)


def test_what_is_settled_stands_behind_what_the_reading_assumes() -> None:
    assert assuming(AFTER, "you said: 1800").granted == ("Shards are jars.", "you said: 1800")
    assert carried(None, AFTER) == AFTER
