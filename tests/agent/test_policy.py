from typing import get_args

import pytest
from pydantic import ValidationError

from agent.policy import OnAmbiguity, Policy


def test_the_defaults_are_the_products() -> None:
    assert Policy().model_dump() == {
        "on_ambiguity": "assume",
        "disambiguation": "weighed",
        "gate": "off",
        "route": "auto",
        "calibration": "calibrated",
        "trial": None,
        "max_readings": 6,
        "max_turns": 3,
        "retrieval": 5,
        "max_rounds": 8,
        "max_idle_rounds": 2,
        "few_candidates": 60,
        "preview": True,
        "observe_discarded": True,
        "samples": 6,
        "batch_tokens": 6000,
        "batch_weight": 0.8,
        "batching_without": None,
        "wave": 8,
        "second_sample": 20,
        "recall": 0.95,
        "scan": True,
        "feedback": True,
        "audit": None,
        "max_audits": 2,
    }


@pytest.mark.parametrize("way", get_args(OnAmbiguity))
def test_an_ambiguous_question_can_be_met_in_four_ways(way: OnAmbiguity) -> None:
    assert Policy(on_ambiguity=way).on_ambiguity == way


@pytest.mark.parametrize(
    "wrong", [{"on_ambiguity": "guess"}, {"waves": 8}, {"wave": 0}], ids=["way", "key", "wave"]
)
def test_what_is_no_knob_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Policy.model_validate(wrong)
