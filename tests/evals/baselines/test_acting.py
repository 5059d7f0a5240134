from typing import Any

import pytest

from agent.reasoner import Prompt, ToolCall
from agent.reasoners.scripted import ScriptedReasoner
from evals.baselines.baseline_prompts import BaselineValues
from evals.scores import Outcome
from evals.systems import BASELINES, observed
from graphs.context import Context
from tools.corpus.corpus import Corpus

FINISH = ToolCall(tool="finish", arguments={})


def _search(query: str) -> ToolCall:
    return ToolCall(tool="search", arguments={"query": query})


def _answered(prompt: Prompt) -> dict[str, Any]:
    return {
        "reason": "",
        "items": [],
        "value": len(prompt.values_as(BaselineValues).passages),
        "unit": None,
    }


def _asked(corpus: Corpus, name: str, calls: Any) -> tuple[Outcome, ScriptedReasoner]:
    reader = ScriptedReasoner({"act": calls, "answer": _answered})
    context = Context(corpus=corpus, reasoner=reader)
    return observed(BASELINES[name], "How many reports?", context), reader


def test_react_sees_what_it_found_and_answers_from_all_of_it(bridges: Corpus) -> None:
    calls = [_search("rust on the girders"), _search("closed to traffic"), FINISH]
    outcome, reader = _asked(bridges, "react-5", calls)
    first, second, third, last = reader.prompts
    assert "=== end" not in first.text
    assert len(second.values_as(BaselineValues).passages) == 5
    assert len(third.values_as(BaselineValues).passages) == 10
    assert last.values_as(BaselineValues).passages == third.values_as(BaselineValues).passages
    assert "search(query='rust on the girders')" in second.text
    assert outcome.answer is not None
    assert outcome.answer.value == 10


def test_react_is_told_of_a_repeated_search(bridges: Corpus) -> None:
    calls = [_search("rust"), _search("rust"), FINISH]
    outcome, reader = _asked(bridges, "react-5", calls)
    assert "refused: this was searched for" in reader.prompts[2].text
    assert outcome.answer is not None
    assert outcome.answer.value == 5


@pytest.mark.parametrize(
    ("name", "call"),
    [("react-5", _search("rust")), ("tool-agent", ToolCall(tool="exact", arguments={"text": ""}))],
    ids=["react", "tool-agent"],
)
def test_ten_calls_are_the_most(name: str, call: ToolCall, bridges: Corpus) -> None:
    asked: list[str] = []

    def again(_: Prompt) -> ToolCall:
        asked.append(call.tool)
        if call.tool == "search":
            return _search(f"query {len(asked)}")
        return ToolCall(tool="keywords", arguments={"words": [f"none{len(asked)}"]})

    _, reader = _asked(bridges, name, again)
    assert len(asked) == 10
    assert [each.name for each in reader.prompts] == ["act"] * 10 + ["answer"]


def test_what_the_tool_agent_discards_is_gone(bridges: Corpus) -> None:
    calls = [
        ToolCall(tool="exact", arguments={"phrase": "found rust"}),
        ToolCall(tool="exact", arguments={"phrase": "closed to traffic"}),
        FINISH,
    ]
    outcome, reader = _asked(bridges, "tool-agent", calls)
    assert "refused: it would keep nothing" in reader.prompts[2].text
    assert outcome.answer is not None
    assert outcome.answer.value == 5
    texts = [bridges.chunk_text(chunk) for chunk in outcome.kept]
    assert len(texts) == 5
    assert all("found rust" in each for each in texts)


def test_the_tool_agent_is_told_of_wrong_arguments_and_repetitions(bridges: Corpus) -> None:
    call = ToolCall(tool="exact", arguments={"phrase": "found rust"})
    calls = [ToolCall(tool="metadata", arguments={"predicates": [_NO_FIELD]}), call, call, FINISH]
    _, reader = _asked(bridges, "tool-agent", calls)
    assert "'Colour'" in reader.prompts[1].text
    assert "refused: it would change nothing" in reader.prompts[3].text


_NO_FIELD: dict[str, Any] = {"field": "Colour", "comparison": "is", "values": ["red"]}
