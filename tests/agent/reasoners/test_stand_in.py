"""A stand-in counts what a model would be sent."""

from collections.abc import Sequence
from typing import TypeVar

import pytest
from pydantic import BaseModel

from agent.reasoner import Prompt, ToolCall, ToolSpec
from agent.reasoners.pilot import StandIn
from tests.fake_provider.asking import ACME, FIND, PROMPT, Firm
from tests.scripted import ScriptedReasoner

R = TypeVar("R", bound=BaseModel)
CALL = ToolCall(tool="find", arguments={"phrase": "acme", "best": 10})


class Passing(StandIn):
    """Leaves every answer to a script."""

    script: ScriptedReasoner

    name = "passing"

    def _answered(self, prompt: Prompt, reply: type[R]) -> R:
        return self.script.ask(prompt, reply)

    def _chosen(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        return self.script.choose(prompt, tools)


def passing(*, forms: bool = False, **replies: object) -> Passing:
    lines = {name: [line] for name, line in replies.items()}
    inner = ScriptedReasoner(lines)  # type: ignore[arg-type]
    made = Passing(tokens=len, forms=forms, context_tokens=9, reply_tokens=4)
    made.script = inner
    return made


@pytest.mark.parametrize("forms", [False, True])
def test_a_request_costs_what_is_sent_and_what_is_said(forms: bool):
    stand_in = passing(forms=forms, firm=ACME)
    assert stand_in.ask(PROMPT, Firm) == ACME
    spent = stand_in.spent()
    assert (spent.model_calls, spent.output_tokens) == (1, len(ACME.model_dump_json()))
    assert (spent.input_tokens > len(PROMPT.text)) == forms
    assert spent.input_tokens >= len(PROMPT.text)


@pytest.mark.parametrize("forms", [False, True])
def test_a_choice_costs_its_tools_too(forms: bool):
    stand_in = passing(forms=forms, firm=CALL)
    assert stand_in.choose(PROMPT, [FIND]) == CALL
    assert (stand_in.spent().input_tokens > len(PROMPT.text)) == forms
