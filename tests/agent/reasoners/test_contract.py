"""What every reasoner promises, whatever stands behind it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agent.cost import Cost
from agent.errors import MalformedReply
from agent.reasoner import Failure, Prompt, PromptValues, Reasoner, ToolCall
from agent.reasoners import RecordedReasoner, Recorder
from tests.fake_provider.asking import ACME, FIND, Firm, chat, prompts
from tests.fake_provider.replies import Reply, completion, tool_completion
from tests.fake_provider.server import FakeProvider
from tests.scripted import ScriptedReasoner

Make = Callable[[], Reasoner]
FOUND = ToolCall(tool="find", arguments={"phrase": "acme", "best": 10}, why="named")
BAD = prompts(4)[2]


def scripted() -> Reasoner:
    def line(prompt: Prompt) -> Firm:
        if prompt.text == BAD.text:
            raise MalformedReply("bad")
        return ACME

    return ScriptedReasoner({"firm": line, "plan": lambda prompt: FOUND})


def answer(text: str, body: dict[str, object]) -> Reply:
    if body.get("tools"):
        return tool_completion("find", {"phrase": "acme"}, "named")
    bad = BAD.text in str(body)
    return completion("no" if bad else ACME.model_dump_json())


@pytest.fixture(params=["chat", "scripted", "recorder", "recorded"])
def make(request: pytest.FixtureRequest, provider: FakeProvider, tmp_path: Path) -> Make:
    path = tmp_path / "run.jsonl"

    def recorded() -> Reasoner:
        recorder = Recorder(scripted(), path)
        recorder.ask_many(prompts(4), Firm)
        recorder.choose(PLAN, [FIND])
        return RecordedReasoner(path)

    provider.answer = answer
    makers: dict[str, Make] = {
        "chat": lambda: chat(provider),
        "scripted": scripted,
        "recorder": lambda: Recorder(scripted(), path),
        "recorded": recorded,
    }
    return makers[request.param]


PLAN = Prompt(name="plan", digest="d", text="Which filter?", values=PromptValues())


def test_a_bad_reply_is_an_error_never_a_default(make: Make) -> None:
    with pytest.raises(MalformedReply):
        make().ask(BAD, Firm)


def test_many_answers_keep_order_and_isolate_failures(make: Make) -> None:
    answers = make().ask_many(prompts(4), Firm)
    assert [isinstance(each, Failure) for each in answers] == [False, False, True, False]
    assert answers[3] == ACME
    assert make().ask_many([], Firm) == []


def test_a_chosen_tools_arguments_are_complete(make: Make) -> None:
    assert make().choose(PLAN, [FIND]) == FOUND


def test_replies_have_the_asked_type_and_the_bill_begins_with_nothing_and_only_grows(
    make: Make,
) -> None:
    reasoner = make()
    for calls in range(2):
        spent = reasoner.spent()
        assert spent.model_calls + spent.cached_calls == calls
        assert calls or spent == Cost()
        assert reasoner.ask(prompts(1)[0], Firm) == ACME
