"""The scripted reasoner: lines in order, functions, errors, and a script that runs out."""

import pytest

from agent.errors import (
    LimitReached,
    SettingsError,
    ToolArgumentError,
)
from agent.reasoner import Failure
from tests.fake_provider.asking import ACME, FIND, PROMPT, Firm, prompts
from tests.scripted import ScriptedReasoner


def test_lines_come_in_order_as_models_members_or_functions() -> None:
    reasoner = ScriptedReasoner(
        {
            "firm": [
                ACME,
                {"name": "acme", "count": 3},
                lambda prompt: {"name": prompt.name, "count": 1},
            ]
        }
    )
    answers = [reasoner.ask(PROMPT, Firm) for _ in range(3)]
    assert answers == [ACME, ACME, Firm(name="firm", count=1)]
    assert reasoner.prompts == [PROMPT] * 3
    assert reasoner.spent().model_calls == 3


@pytest.mark.parametrize("script", [{}, {"firm": []}, {"judge": [ACME]}])
def test_a_script_that_has_run_out_says_for_which_prompt(script: dict[str, list[Firm]]) -> None:
    with pytest.raises(SettingsError, match="reply number 1 for the prompt 'firm'"):
        ScriptedReasoner(script).ask(PROMPT, Firm)


def test_after_a_limit_the_rest_fails_with_it() -> None:
    reasoner = ScriptedReasoner({"firm": [ACME, LimitReached("enough"), ACME]})
    answers = reasoner.ask_many(prompts(4), Firm)
    assert answers[0] == ACME
    assert all(isinstance(answer, Failure) for answer in answers[1:])
    assert len(reasoner.prompts) == 2


def test_a_wrong_scripted_call_is_an_argument_error() -> None:
    reasoner = ScriptedReasoner({"firm": [{"tool": "seek", "arguments": {}}]})
    with pytest.raises(ToolArgumentError, match="the tools are: find"):
        reasoner.choose(PROMPT, [FIND])
