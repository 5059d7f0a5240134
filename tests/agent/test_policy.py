import pytest
from pydantic import ValidationError

from agent.policy import Policy


@pytest.mark.parametrize(
    "wrong", [{"on_ambiguity": "guess"}, {"waves": 8}, {"wave": 0}], ids=["way", "key", "wave"]
)
def test_what_is_no_knob_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Policy.model_validate(wrong)
