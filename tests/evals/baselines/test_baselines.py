"""Each baseline takes its own steps, whatever the reader replies."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from agent.answer import Answer
from agent.evidence import Passage
from agent.reasoner import Prompt, ToolCall
from evals.baselines.baseline_prompts import BaselineValues
from evals.questions import Record
from evals.scores import Outcome
from evals.systems import SYSTEMS, observed
from graphs.context import Context
from tests.scripted import ScriptedReasoner
from tools.corpus.corpus import Corpus

FINISH = ToolCall(tool="finish", arguments={})


NOTHING = {"reason": "", "items": [], "value": 0, "unit": None}


def _search(query: str) -> ToolCall:
    return ToolCall(tool="search", arguments={"query": query})


def _passages(prompt: Prompt) -> Sequence[Passage] | None:
    return prompt.values_as(BaselineValues).passages


def _answered(prompt: Prompt) -> dict[str, Any]:
    return NOTHING | {"value": len(_passages(prompt))}


def _observed(
    corpus: Corpus,
    name: str,
    replies: Mapping[str, Any],
    question: str = "How many reports describe rust?",
) -> tuple[Outcome, Answer, list[Prompt]]:
    """Ask a baseline; return what it did, its answer and the prompts that it sent."""
    reader = ScriptedReasoner(replies)
    record = Record(id="q", question=question)
    outcome = observed(SYSTEMS[name], record, Context(corpus=corpus, reasoner=reader))
    assert outcome.answer is not None
    return outcome, outcome.answer, reader.prompts


def _asked(corpus: Corpus, name: str, calls: Any) -> tuple[Outcome, Answer, list[Prompt]]:
    return _observed(corpus, name, {"act": calls, "answer": _answered})


def test_react_sees_what_it_found_and_answers_from_all_of_it(bridges: Corpus) -> None:
    calls = [_search("rust on the girders"), _search("closed to traffic"), FINISH]
    _, answer, (first, second, third, last) = _asked(bridges, "react-5", calls)
    assert "=== end" not in first.text
    assert (len(_passages(second)), len(_passages(third))) == (5, 10)
    assert _passages(last) == _passages(third)
    assert "search(query='rust on the girders')" in second.text
    assert answer.value == 10


@pytest.mark.parametrize("name", ["react-5", "tool-agent"])
def test_ten_calls_are_the_most(name: str, bridges: Corpus) -> None:
    queries = (f"query {number}" for number in range(99))

    def again(_: Prompt) -> ToolCall:
        if name == "react-5":
            return _search(next(queries))
        return ToolCall(tool="keywords", arguments={"words": [next(queries)]})

    _, _, prompts = _asked(bridges, name, again)
    assert [each.name for each in prompts] == ["act"] * 10 + ["answer"]


def test_what_the_tool_agent_discards_is_gone(bridges: Corpus) -> None:
    calls = [
        ToolCall(tool="exact", arguments={"phrase": "found rust"}),
        ToolCall(tool="exact", arguments={"phrase": "closed to traffic"}),
        FINISH,
    ]
    outcome, answer, prompts = _asked(bridges, "tool-agent", calls)
    assert "refused: it would keep nothing" in prompts[2].text
    assert answer.value == 5
    texts = [bridges.chunk_text(chunk) for chunk in outcome.kept]
    assert len(texts) == 5
    assert all("found rust" in each for each in texts)


READINGS = ["Which reports tell of rust?", "Which tell of a closure?", "Of paint?", "Of lamps?"]


def _verified(corpus: Corpus, verified: dict[str, Any]) -> tuple[Outcome, Answer, list[Prompt]]:
    replies = {
        "diversify": lambda _: {"readings": READINGS},
        "verify": lambda _: {"reason": ""} | verified,
        "answer": lambda _: NOTHING,
    }
    return _observed(corpus, "diversify-verify", replies)


def test_it_answers_from_the_passages_that_serve(bridges: Corpus) -> None:
    told = _verified(bridges, {"useful": [2, 1, 99], "verdict": "partly"})
    _, answer, (_, verify, last) = told
    assert _passages(last) == _passages(verify)[:2]
    queries = answer.snapshots[0].arguments["queries"]
    assert queries == ["How many reports describe rust?", *READINGS[:3]]


@pytest.mark.parametrize(
    "verified",
    [{"useful": [1], "verdict": "useless"}, {"useful": [], "verdict": "useful"}],
    ids=["useless", "none named"],
)
def test_it_answers_from_what_it_knows_where_no_passage_serves(
    verified: dict[str, Any], bridges: Corpus
) -> None:
    _, _, prompts = _verified(bridges, verified)
    assert _passages(prompts[-1]) is None


@pytest.mark.parametrize(
    ("quality", "query", "graded"),
    [(0, "Which report has rust?", 2), (0.5, "Which report has rust?", 3), (1, "", 1)],
    ids=["no progress", "at the threshold", "no query"],
)
def test_it_goes_on_while_that_makes_progress_at_most_three_times(
    quality: float, query: str, graded: int, bridges: Corpus
) -> None:
    graded_so = {"reason": "", "quality": quality, "query": query}
    replies = {"assess": lambda _: graded_so, "answer": lambda _: NOTHING}
    asked = "Which report has rust?"
    _, _, prompts = _observed(bridges, "iterative-rag-5", replies, asked)
    assert [each.name for each in prompts] == ["assess"] * graded + ["answer"]


def _noted(prompt: Prompt, query: str | None) -> dict[str, Any]:
    """Note the first passage that tells of rust."""
    items = [
        {"name": each.title, "evidence": [{"passage": number, "quote": "found rust"}]}
        for number, each in enumerate(_passages(prompt), start=1)
        if "found rust" in each.text
    ]
    return {"items": items, "query": query}


def _quoted(prompt: Prompt) -> dict[str, Any]:
    """Answer with each passage, whole."""
    items = [
        {"name": each.title, "evidence": [{"passage": number, "quote": each.text}]}
        for number, each in enumerate(_passages(prompt), start=1)
    ]
    return NOTHING | {"items": items, "value": None}


def test_the_answer_rests_on_the_quotes_of_the_notes(bridges: Corpus) -> None:
    replies = {"note": lambda prompt: _noted(prompt, None), "answer": _quoted}
    _, answer, prompts = _observed(bridges, "note-taking-50", replies)
    assert answer.value == len(answer.entities) > 0
    assert {quote.quote for each in answer.entities for quote in each.evidence} == {"found rust"}
    assert [each.name for each in prompts] == ["note", "answer"]


def test_it_stops_after_two_rounds_that_add_nothing(bridges: Corpus) -> None:
    queries = iter(f"query {number}" for number in range(9))
    replies = {"note": lambda _: {"items": [], "query": next(queries)}, "answer": _quoted}
    _, answer, prompts = _observed(bridges, "note-taking-5", replies)
    assert [each.name for each in prompts] == ["note", "note", "answer"]
    assert answer.value == 0
