from collections.abc import Sequence
from typing import Any

from agent.evidence import Passage
from agent.reasoner import Prompt
from agent.reasoners.scripted import ScriptedReasoner
from evals.baselines.baseline_prompts import BaselineValues
from evals.scores import Outcome
from evals.systems import BASELINES, observed
from graphs.context import Context
from tools.corpus.corpus import Corpus

QUESTION = "How many reports describe rust?"


def _noted(prompt: Prompt, query: str | None) -> dict[str, Any]:
    """Note the first passage that tells of rust."""
    passages: Sequence[Passage] = prompt.values_as(BaselineValues).passages
    items = [
        {"name": each.title, "evidence": [{"passage": number, "quote": "found rust"}]}
        for number, each in enumerate(passages, start=1)
        if "found rust" in each.text
    ]
    return {"items": items, "query": query}


def _merged(prompt: Prompt) -> dict[str, Any]:
    notes: Sequence[Any] = prompt.values_as(BaselineValues).notes
    items = [{"name": each.name, "notes": [at]} for at, each in enumerate(notes, start=1)]
    return {"reason": "", "items": items, "value": None, "unit": None}


def _asked(corpus: Corpus, reader: ScriptedReasoner, name: str) -> Outcome:
    return observed(BASELINES[name], QUESTION, Context(corpus=corpus, reasoner=reader))


def test_the_answer_rests_on_the_quotes_of_the_notes(bridges: Corpus) -> None:
    reader = ScriptedReasoner({"note": lambda prompt: _noted(prompt, None), "merge": _merged})
    answer = _asked(bridges, reader, "note-taking-50").answer
    assert answer is not None
    assert answer.value == len(answer.entities) > 0
    assert {quote.quote for each in answer.entities for quote in each.evidence} == {"found rust"}
    assert [each.name for each in reader.prompts] == ["note", "merge"]


def test_it_stops_after_two_rounds_that_add_nothing(bridges: Corpus) -> None:
    queries = iter(f"query {number}" for number in range(9))
    reader = ScriptedReasoner(
        {"note": lambda _: {"items": [], "query": next(queries)}, "merge": _merged}
    )
    answer = _asked(bridges, reader, "note-taking-5").answer
    assert [each.name for each in reader.prompts] == ["note", "note", "merge"]
    assert answer is not None
    assert answer.value == 0


def test_a_note_that_does_not_exist_proves_nothing(bridges: Corpus) -> None:
    wrong = {"reason": "", "items": [{"name": "x", "notes": [0, 99]}], "value": None, "unit": None}
    reader = ScriptedReasoner(
        {"note": lambda prompt: _noted(prompt, None), "merge": lambda _: wrong}
    )
    answer = _asked(bridges, reader, "note-taking-5").answer
    assert answer is not None
    assert [(each.documents, each.evidence) for each in answer.entities] == [((), ())]


def test_workers_share_a_question_and_their_notes_are_merged(bridges: Corpus) -> None:
    tasks = ["rust on the girders", "rust on the girders", " ", "closed to traffic"]
    reader = ScriptedReasoner(
        {
            "delegate": lambda _: {"reason": "", "tasks": tasks},
            "note": lambda prompt: _noted(prompt, "the same next query"),
            "merge": _merged,
        }
    )
    answer = _asked(bridges, reader, "multi-agent-5").answer
    names = [each.name for each in reader.prompts]
    assert names == ["delegate", "note", "note", "note", "merge"]
    assert answer is not None
    assert answer.snapshots[0].arguments["queries"] == [
        "rust on the girders",
        "closed to traffic",
        "the same next query",
    ]
