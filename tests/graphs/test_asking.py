"""Requests side by side: order kept, failures listed, limits told, faults raised."""

from typing import Any

import pytest
from langgraph.runtime import Runtime

from agent.errors import (
    LimitReached,
    MalformedReply,
    ProviderRejected,
    ProviderUnavailable,
)
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


def test_replies_keep_their_order_and_a_failure_stands_in_its_place():
    found = asked({"passage": "a"}, MalformedReply("no\nJSON"), {"passage": "c"})
    assert [reply and reply.passage for reply in found.replies] == ["a", None, "c"]
    (failure,) = found.failures
    assert failure.model_dump() == {
        "step": "hypothesise",
        "about": "reading 2",
        "error": "MalformedReply: no JSON",
    }
    assert found.stopped == ""


def test_a_limit_is_no_failure_of_a_request():
    found = asked({"passage": "a"}, LimitReached("calls"), {"passage": "c"})
    assert (found.failures, found.stopped) == ((), "calls")
    assert [reply is None for reply in found.replies] == [False, True, True]


@pytest.mark.parametrize("other", [{"passage": "a"}, ProviderUnavailable("time-out")])
def test_one_request_that_is_rejected_among_others_is_listed(other: Any):
    found = asked(other, ProviderRejected("moderated"))
    assert any("moderated" in failure.error for failure in found.failures)


def test_a_server_that_rejects_all_is_an_error():
    with pytest.raises(ProviderRejected):
        asked(ProviderRejected("bad key"), ProviderRejected("bad key"))
