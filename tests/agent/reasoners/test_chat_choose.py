"""Choosing a tool: natively, in words, and with arguments that must be mended."""

import json

import pytest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from agent.errors import MalformedReply, TruncatedReply
from agent.reasoner import ToolCall
from agent.reasoners import ChatReasoner
from tests.fake_provider.asking import COUNT, FIND, PROMPT, chat
from tests.fake_provider.replies import Reply, completion, tool_completion
from tests.fake_provider.server import FakeProvider

TOOLS = (FIND, COUNT)
FOUND = ToolCall(tool="find", arguments={"phrase": "acme", "best": 10}, why="It is named.")
IN_WORDS = '{"tool": "find", "arguments": {"phrase": "acme"}, "why": "It is named."}'


def test_a_native_call_comes_back_validated_with_its_reason(provider: FakeProvider) -> None:
    provider.script = [tool_completion("find", {"phrase": "acme"}, "It is named.")]
    assert chat(provider).choose(PROMPT, TOOLS) == FOUND
    (sent,) = provider.requests
    assert sent["tool_choice"] == "required"
    assert [tool["function"]["name"] for tool in sent["tools"]] == ["find", "count"]
    assert "response_format" not in sent


def test_a_call_in_words_counts(provider: FakeProvider) -> None:
    provider.script = [f"Let me see.\n```json\n{IN_WORDS}\n```"]
    assert chat(provider).choose(PROMPT, TOOLS) == FOUND


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (tool_completion("find", {"phrase": 3}), "phrase: Input should be a valid string"),
        (tool_completion("find", {"word": "acme"}), "word: Extra inputs are not permitted"),
        (tool_completion("find", '{"phrase":'), "arguments of find are not a JSON object"),
        (tool_completion("seek", {}), "the tools are: find, count"),
        (completion("I would search."), "no tool was called"),
        (completion('{"name": "acme"}'), "no tool was called"),
    ],
    ids=["type", "name", "cut", "tool", "prose", "object"],
)
def test_a_wrong_call_is_told_back_once(provider: FakeProvider, wrong: Reply, told: str) -> None:
    provider.script = [wrong, tool_completion("find", {"phrase": "acme"}, "It is named.")]
    assert chat(provider).choose(PROMPT, TOOLS) == FOUND
    assert told in provider.requests[1]["messages"][-1]["content"]


def test_a_call_that_is_wrong_twice_is_malformed(provider: FakeProvider) -> None:
    provider.script = [tool_completion("find", {}), tool_completion("find", {})]
    with pytest.raises(MalformedReply, match="twice"):
        chat(provider).choose(PROMPT, TOOLS)


def test_a_truncated_call_is_truncated(provider: FakeProvider) -> None:
    with pytest.raises(TruncatedReply):
        chat(provider, "truncated").choose(PROMPT, TOOLS)


@pytest.mark.parametrize(
    ("refuses", "calls"), [("tool_choice=required", 2), ("tool_choice", 3), ("tools", 2)]
)
def test_what_a_server_refuses_of_tools_is_left_out(
    provider: FakeProvider, refuses: str, calls: int
) -> None:
    provider.refuses = (refuses,)
    provider.answer = lambda text, body: IN_WORDS
    reasoner = chat(provider)
    assert reasoner.choose(PROMPT, TOOLS) == FOUND
    assert provider.calls == calls
    assert reasoner.choose(PROMPT, TOOLS) == FOUND
    assert provider.calls == calls + 1
    assert reasoner.warnings


def test_without_native_tools_they_stand_in_the_prompt(provider: FakeProvider) -> None:
    provider.refuses = ("tools",)
    provider.answer = lambda text, body: IN_WORDS
    chat(provider).choose(PROMPT, TOOLS)
    assert '"name":"count"' in provider.requests[-1]["messages"][0]["content"]


def test_a_model_without_tools_chooses_in_words() -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage(IN_WORDS)]))
    assert ChatReasoner(model, name="other").choose(PROMPT, TOOLS) == FOUND


def test_a_tool_is_offered_without_what_no_reader_needs(provider: FakeProvider) -> None:
    provider.script = [IN_WORDS]
    chat(provider).choose(PROMPT, TOOLS)
    for tool in provider.requests[0]["tools"]:
        told = json.dumps(tool["function"]["parameters"])
        assert "description" not in tool["function"]["parameters"]
        assert '"title": "' not in told
        assert '"default": null' not in told
