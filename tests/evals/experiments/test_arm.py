"""An arm changes what it names, and only what a policy has."""

import pytest
from pydantic import ValidationError

from agent.errors import SettingsError
from agent.policy import Policy
from evals.experiments.arms import Arm


def test_an_arm_changes_the_policy_where_it_says_so() -> None:
    policy = Arm(name="a", policy={"feedback": False}).over(Policy(audit=7))
    assert policy == Policy(audit=7, feedback=False)


def test_a_misspelt_switch_is_refused_at_once() -> None:
    with pytest.raises(ValidationError, match="has no feedbak"):
        Arm(name="a", policy={"feedbak": False})


def test_an_impossible_value_is_refused_with_the_arms_name() -> None:
    with pytest.raises(SettingsError, match="arm 'a': wave"):
        Arm(name="a", policy={"wave": 0}).over(Policy())
