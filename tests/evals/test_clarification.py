import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from agent.ambiguity import Clarification, Exchange, Option, Reply
from agent.cost import Cost
from agent.policy import Disambiguation
from evals.clarification import (
    STRATEGIES,
    Ablated,
    Examined,
    code_scores,
    differences,
    strategies,
    summary,
)
from evals.experiment import Collection
from evals.questions import AnnotatedReading, Record
from evals.scores import Estimate
from evals.simulated_users import Trial
from tests.evals.question_files import invoked, written

REPORTS = ["one", "two", "three", "four", "five", "six"]
CLEAR = "How many reports have the status Open?"


@pytest.fixture
def reports(tmp_path: Path) -> Collection:
    """Six reports with one to six authors, and two questions: one ambiguous, one clear."""
    texts = {}
    for authors, name in enumerate(REPORTS, start=1):
        listed = ", ".join(f"Writer {at} Surname" for at in range(authors))
        told = f"Author: {listed}\nStatus: Open\n\nA report about harbour number {authors}.\n"
        texts[f"{name}.txt"] = told
    readings = [
        {
            "rewritten": f"How many reports have at least {limit} authors?",
            "answer_count": 7 - limit,
            "answer": REPORTS[limit - 1 :],
        }
        for limit in (3, 5)
    ]
    open_ = {"rewritten": CLEAR, "answer_count": 6, "answer": REPORTS}
    unclear = {"id": "q1", "question": "How many reports have many authors?", "ambiguity": ["A1"]}
    clear = {"id": "q2", "question": CLEAR, "ambiguity": [], "readings": [open_]}
    return written(tmp_path, texts, unclear | {"readings": readings}, clear)


ASKED = Exchange(
    asked=Clarification(
        code="A1",
        span="many",
        question="From which value on?",
        options=(Option(label="3", meaning="At least 3?"),),
    ),
    reply=Reply(choice=1),
)


def trial(*, right: bool, asked: int = 0, value: float | None = 4) -> Trial:
    told = {"exchanges": (ASKED,) * asked, "cost": Cost(model_calls=1)}
    return Trial(meant="?", expected=4, value=value, right=right, **told)


def ablated(name: str, trials: Mapping[Disambiguation, Sequence[Trial]]) -> Ablated:
    readings = (AnnotatedReading(rewritten="?", answer_value=4),) * len(trials["none"])
    record = Record(id=name, question="?", ambiguity=("A1",), readings=readings)
    return Ablated(record=record, trials={key: tuple(each) for key, each in trials.items()})


GUIDED_IS_BETTER = [
    ablated(
        f"q{at}",
        {
            "none": [trial(right=False, value=None), trial(right=True)],
            "direct": [trial(right=True, asked=1), trial(right=False, asked=1, value=8)],
            "guided": [trial(right=True, asked=2), trial(right=True, asked=2)],
            "weighed": [trial(right=True, asked=1), trial(right=True)],
        },
    )
    for at in range(3)
]


def test_a_strategy_is_measured_and_compared_over_the_readings_of_each_question() -> None:
    told = strategies(GUIDED_IS_BETTER)
    means = {name: figure.value for name, figure in told["direct"].items()}
    assert means == {
        "right": 0.5, "nace": 0.5, "questions": 1.0, "turns": 1.0, "calls": 1.0, "errors": 0.0
    }  # fmt: skip
    assert (told["guided"]["questions"].value, told["guided"]["turns"].value) == (1.0, 2.0)
    assert told["none"]["nace"].value == 0.5
    compared = differences(GUIDED_IS_BETTER)
    assert compared["guided minus direct"]["right"] == Estimate(3, 0.5, 0.5, 0.5)
    assert compared["weighed minus guided"]["questions"].value == -0.5


@pytest.mark.slow
def test_a_user_talks_under_every_strategy(reports: Collection, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    result = invoked("ablate clarification", reports, "--json", target)
    assert result.exit_code == 0, result.output
    told = json.loads(target.read_text(encoding="utf-8"))
    assert set(told["strategies"]) == set(STRATEGIES)
    trials = told["questions"][0]["trials"]
    assert not any(each["error"] for own in trials.values() for each in own)
    assert [len(each["exchanges"]) for each in trials["none"]] == [0, 0]
    assert [len(each["exchanges"]) for each in trials["direct"]] == [1, 1]


def examined(name: str, found: str, gold: str) -> Examined:
    codes: Any = tuple(gold.split())
    record = Record(id=name, question="?", ambiguity=codes)
    return Examined(record=record, codes=tuple(found.split()))


EXAMINED = [
    examined("q1", "A1", "A1"),
    examined("q2", "A1 B1", "A1 A2"),
    examined("q3", "A1", ""),
    examined("q4", "", "B1"),
    examined("q5", "C2", ""),
]


def test_accuracy_is_over_the_questions_that_have_the_code_and_f1_over_all() -> None:
    scores = code_scores(EXAMINED)
    accuracies = {code: score["accuracy"] for code, score in scores.items()}
    assert accuracies == {"A1": 0.5, "A2": 0.0, "B1": 0.0, "C2": None}
    told = [scores["A1"][name] for name in ("n", "found", "precision", "recall", "f1")]
    assert told == [2, 3, 2 / 3, 1.0, 0.8]
    total = summary(EXAMINED, scores)
    assert total["macro_f1"] == pytest.approx(0.8 / 3)  # over the codes that somebody annotated


def test_the_json_holds_what_other_programs_read(reports: Collection, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    result = invoked("ambiguity", reports, "--json", target)
    assert result.exit_code == 0, result.output
    told = json.loads(target.read_text(encoding="utf-8"))
    assert [each["record"]["ambiguity"] for each in told["questions"]] == [["A1"], []]
    assert told["questions"][1]["codes"] == []
    total = told["summary"]
    assert (total["n"], total["controls"], total["false_alarms"]) == (2, 1, 0)
    assert set(told["codes"]["A1"]) == {"n", "found", "accuracy", "precision", "recall", "f1"}


def test_when_every_question_fails_the_exit_code_says_so(
    reports: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr("evals.clarification.find", broken)
    result = invoked("ambiguity", reports)
    assert result.exit_code == 1
    assert "every question failed, the first with RuntimeError: out of order" in result.stderr
