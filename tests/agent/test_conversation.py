import pytest

from agent.conversation import Turn
from agent.question import Interpretation

READING = Interpretation(text="How many piers rust?", entity_type="pier")


@pytest.mark.parametrize(
    "turn",
    [
        Turn(question="?"),
        Turn(question="How many?", interpretation=READING, value=3, entities=("P1", "P2")),
        Turn(question="What is the mean age?", value=31.5),
        Turn(question="How many per city?", value={"Leeds": 2, "York": 1.5}),
    ],
    ids=["unanswered", "counted", "measured", "grouped"],
)
def test_a_turn_survives_json(turn: Turn) -> None:
    assert Turn.model_validate_json(turn.model_dump_json()) == turn


def test_a_count_stays_a_whole_number() -> None:
    assert '"value":3' in Turn(question="?", value=3).model_dump_json()
