"""What was taken for granted, and ambiguities about the same words."""

import pytest

from agent.ambiguity import Ambiguity, Reading
from agent.question import Interpretation
from graphs.disambiguation.readings import (
    assuming,
    carried,
    outer_first,
    still_open,
    unsettled,
)

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


def about(span: str, *, differs: bool | None = True) -> Ambiguity:
    readings = (Reading(label="one", question=f"How many {span} are there?"),)
    return Ambiguity(code="B2", span=span, why="it can be", readings=readings, differs=differs)


RECENT, PHRASE, BIG = about("recent"), about("Recent maps and globes"), about("big")
IDLE = about("recent maps and globes", differs=False)


@pytest.mark.parametrize(
    ("found", "asked"),
    [
        pytest.param((RECENT, BIG, PHRASE), (PHRASE, RECENT, BIG), id="a phrase before its words"),
        pytest.param((BIG, RECENT), (BIG, RECENT), id="else as they were"),
        pytest.param((RECENT, IDLE), (RECENT, IDLE), id="an idle phrase behind its words"),
        pytest.param((), (), id="none"),
    ],
)
def test_the_order_of_asking(found: tuple[Ambiguity, ...], asked: tuple[Ambiguity, ...]) -> None:
    assert outer_first(found) == asked


@pytest.mark.parametrize(
    ("taken", "question", "left"),
    [
        pytest.param(PHRASE, "How many maps since 2020, or globes?", (BIG,), id="reworded"),
        pytest.param(PHRASE, "How many recent maps or globes?", (RECENT, BIG), id="still there"),
        pytest.param(BIG, "How many of 5 m?", (RECENT,), id="other words stay open"),
    ],
)
def test_what_is_left_open(taken: Ambiguity, question: str, left: tuple[Ambiguity, ...]) -> None:
    others = [each for each in (RECENT, BIG) if each is not taken]
    assert still_open(others, taken, question) == left


@pytest.mark.parametrize(
    ("meaning", "left"),
    [
        pytest.param("How many maps since 2020, or globes?", 1, id="its readings settle the words"),
        pytest.param("How many recent maps or globes are there?", 2, id="one of them does not"),
    ],
)
def test_what_branches_besides_a_phrase(meaning: str, left: int) -> None:
    readings = (Reading(label="other", question=meaning),)
    assert len(unsettled((PHRASE.model_copy(update={"readings": readings}), RECENT))) == left
