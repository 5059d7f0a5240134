"""Every baseline with the real chat client, against a server that reads what it is sent."""

import json
import re
from typing import Any

import pytest

from agent.answer import Answer
from agent.reasoners import chat_reasoner
from evals.systems import BASELINES, observed
from graphs.context import Context
from tests.evals.bridges import RUSTY
from tests.fake_provider.replies import Reply, tool_completion
from tests.fake_provider.server import FakeProvider
from tools.corpus.corpus import Corpus

QUESTION = "Which reports describe rust on the girders?"
QUOTE = "found rust on the girders"
_PASSAGE = re.compile(r"=== \w+ passage (\d+) \(from (.*?)\) ===\n(.*?)\n=== \w+ end", re.DOTALL)
_NOTE = re.compile(r"^(\d+)\. (.*): “", re.MULTILINE)


def _read(text: str, body: dict[str, Any]) -> dict[str, Any] | Reply:
    """Answer any prompt of a baseline, by its first words."""
    if body.get("tools"):
        return _called(text, [tool["function"]["name"] for tool in body["tools"]])
    rusty = [
        {"name": title.partition(" › ")[0], "evidence": [{"passage": int(at), "quote": QUOTE}]}
        for at, title, shown in _PASSAGE.findall(text)
        if QUOTE in shown
    ]
    ends: dict[str, Any] = {"reason": "", "value": None, "unit": None}
    replies: dict[str, dict[str, Any]] = {
        "Answer a question about a collection of documents from the": ends | {"items": rusty},
        "Answer a question about a collection of documents that you": ends | {"items": []},
        "Answer a question about a collection of documents from numb": ends
        | {"items": [{"name": name, "notes": [int(at)]} for at, name in _NOTE.findall(text)]},
        "Somebody answers": {"reason": "", "quality": 1.0, "query": "girders of a span"},
        "Take notes": {"items": rusty, "query": None},
        "Write down": {"readings": ["rust on girders", "rusty steel", "corrosion"]},
        "Say which": {
            "reason": "",
            "useful": [each["evidence"][0]["passage"] for each in rusty],
            "verdict": "useful" if rusty else "useless",
        },
    }
    return max(
        ((start, reply) for start, reply in replies.items() if text.startswith(start)),
        key=lambda each: len(each[0]),
    )[1]


def _called(text: str, tools: list[str]) -> Reply:
    if "round 1:" in text:
        return tool_completion("finish", "{}")
    if "search" in tools:
        return tool_completion("search", json.dumps({"query": "rust on the girders"}))
    return tool_completion("exact", json.dumps({"phrase": QUOTE}))


def _answer(name: str, corpus: Corpus, provider: FakeProvider) -> Answer:
    provider.answer = _read
    reasoner = chat_reasoner("reader", base_url=provider.url)
    answer = observed(BASELINES[name], QUESTION, Context(corpus=corpus, reasoner=reasoner)).answer
    assert answer is not None
    return answer


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("naive-rag-50", 1),
        ("iterative-rag-50", 4),
        ("note-taking-50", 2),
        ("react-50", 3),
        ("tool-agent", 3),
        ("diversify-verify", 3),
    ],
)
def test_it_finds_what_the_passages_state(
    name: str, calls: int, bridges: Corpus, provider: FakeProvider
) -> None:
    answer = _answer(name, bridges, provider)
    assert not answer.warnings
    assert provider.calls == answer.cost.model_calls == calls
    documents = {document for each in answer.entities for document in each.documents}
    assert documents == {f"report-{number}" for number in RUSTY}
    assert {quote.quote for each in answer.entities for quote in each.evidence} == {QUOTE}
    assert answer.coverage.matched >= len(RUSTY)


def test_the_model_alone_is_asked_once_and_shown_nothing(
    bridges: Corpus, provider: FakeProvider
) -> None:
    answer = _answer("llm-only", bridges, provider)
    assert (answer.value, answer.coverage.judged, provider.calls) == (0, 0, 1)
    assert not any("girders of span" in str(body) for body in provider.requests)
