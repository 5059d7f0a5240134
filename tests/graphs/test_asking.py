"""Requests side by side: order kept, failures listed, limits told, faults raised."""

from typing import Any

import pytest
from langgraph.runtime import Runtime

from agent.errors import ProviderRejected, ProviderUnavailable, ProviderUnreachable
from agent.reasoner import Prompt, PromptValues
from agent.replies import HypothesiseReply
from graphs.asking import Received, ask_all
from tests.scripted import ScriptedReasoner


def asked(*replies: Any) -> Received[HypothesiseReply]:
    reasoner = ScriptedReasoner({"hypothesise": list(replies)})
    context: Any = type("Context", (), {"reasoner": reasoner})()
    prompt = Prompt(name="hypothesise", digest="d", text="?", values=PromptValues())
    sent = [(f"reading {number}", prompt) for number in range(1, len(replies) + 1)]
    return ask_all(Runtime(context=context), sent, HypothesiseReply)


@pytest.mark.parametrize("other", [{"passage": "a"}, ProviderUnavailable("time-out")])
def test_one_request_that_is_rejected_among_others_is_listed(other: Any):
    found = asked(other, ProviderRejected("moderated"))
    assert any("moderated" in failure.error for failure in found.failures)


@pytest.mark.parametrize("error", [ProviderRejected("bad key"), ProviderUnreachable("gone")])
def test_a_server_that_serves_none_is_an_error(error: Exception):
    with pytest.raises(type(error)):
        asked(error, error)
