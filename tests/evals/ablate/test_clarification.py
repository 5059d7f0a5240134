import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from agent.ambiguity import Clarification, Exchange, Option, Reply
from agent.cost import Cost
from agent.policy import Disambiguation
from evals.ambiguity.cases import Case, Intended, Words
from evals.clarification import (
    STRATEGIES,
    Ablated,
    compared,
    differences_table,
    report,
    standing,
    standings_table,
)
from evals.cli import app
from evals.simulated_users import USERS, Trial
from tests.fake_provider.server import FakeProvider

ASKED = Exchange(
    asked=Clarification(
        code="A1",
        span="many",
        question="From which value on?",
        options=(Option(label="3", meaning="At least 3?"),),
    ),
    reply=Reply(choice=1),
)


def trial(*, right: bool, asked: int = 0, value: float | None = 4, calls: int = 1) -> Trial:
    return Trial(
        meant="?",
        expected=4,
        value=value,
        right=right,
        exchanges=(ASKED,) * asked,
        questions=min(asked, 1),
        cost=Cost(model_calls=calls),
    )


def ablated(
    name: str,
    trials: Mapping[Disambiguation, Sequence[Trial]],
    codes: tuple[str, ...] = ("A1",),
    numbers: Sequence[float] = (4, 4),
) -> Ablated:
    intended = tuple(Intended(question="?", number=each) for each in numbers[: len(trials["none"])])
    case = Case(id=name, question="?", codes=codes, intended=intended, source=Words("?"))  # type: ignore[arg-type]  # codes are text here
    return Ablated(case=case, trials={key: tuple(each) for key, each in trials.items()})


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


def test_a_strategy_is_measured_over_the_readings_of_each_question() -> None:
    told = standing(GUIDED_IS_BETTER, "direct")
    assert (told.readings, told.accuracy.value, told.nace_mean.value) == (6, 0.5, 0.5)
    assert (told.questions.value, told.turns.value, told.calls.value) == (1.0, 1.0, 1.0)


def test_a_question_that_is_put_again_is_a_turn_but_no_question() -> None:
    told = standing(GUIDED_IS_BETTER, "guided")
    assert (told.questions.value, told.turns.value) == (1.0, 2.0)


def test_no_number_is_the_whole_error() -> None:
    assert standing(GUIDED_IS_BETTER, "none").nace_mean.value == 0.5


def test_strategies_are_compared_question_by_question() -> None:
    by_name = {each.strategy: each for each in compared(GUIDED_IS_BETTER)}
    assert by_name["guided"].minus == "direct"
    assert by_name["guided"].accuracy.value == 0.5
    assert (by_name["guided"].accuracy.low, by_name["guided"].accuracy.high) == (0.5, 0.5)
    assert by_name["weighed"].questions.value == -0.5


def test_the_report_parts_ambiguous_questions_from_controls() -> None:
    every = {strategy: [trial(right=True)] for strategy in STRATEGIES}
    asked = [*GUIDED_IS_BETTER, ablated("c", every, codes=())]
    told: dict[str, Any] = report(asked, "rules", "scripted", {})
    summary = told["summary"]
    assert list(summary["by"]) == ["ambiguous", "idle", "controls"]
    assert summary["strategies"]["none"]["accuracy"]["value"] == pytest.approx(0.625)
    json.dumps(told)
    assert len(standings_table(asked).splitlines()) == 2 + 3 * len(STRATEGIES)
    assert len(differences_table(asked).splitlines()) == 2 + 4 * 3


def test_what_makes_no_difference_is_told_apart() -> None:
    asked = [*GUIDED_IS_BETTER, ablated("m", GUIDED_IS_BETTER[0].trials, numbers=(4, 7))]
    told: dict[str, Any] = report(asked, "rules", "scripted", {})["summary"]  # type: ignore[assignment]  # JSON
    assert {name: each["none"]["accuracy"]["n"] for name, each in told["by"].items()} == {
        "ambiguous": 4,
        "matters": 1,
        "idle": 3,
    }
    assert list(told["differences_by"]) == list(told["by"])


def test_a_trial_from_options_alone_was_offered() -> None:
    assert trial(right=True, asked=1).offered
    assert not trial(right=True).offered
    assert not trial(right=False, asked=1).offered


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for authors in range(1, 7):
        listed = ", ".join(f"Writer {at} Surname" for at in range(authors))
        text = f"Author: {listed}\nStatus: Open\n\nA report about harbour number {authors}.\n"
        (folder / f"r{authors}.txt").write_text(text, encoding="utf-8")
    record = {
        "id": "q1",
        "question": "How many reports have many authors?",
        "ambiguity": ["A1"],
        "readings": [
            {
                "rewritten": f"How many reports have at least {at} authors?",
                "answer": [f"r{authors}" for authors in range(at, 7)],
            }
            for at in (3, 5)
        ],
    }
    (tmp_path / "questions.jsonl").write_text(json.dumps(record), encoding="utf-8")
    return folder


def run(folder: Path, *more: str) -> Result:
    given = ["ablate", "clarification", "--questions", str(folder.parent / "questions.jsonl")]
    return CliRunner().invoke(app, [*given, "--documents", str(folder), *more])


@pytest.mark.parametrize("user", [each for each in USERS if each != "model"])
def test_every_user_talks_under_every_strategy(folder: Path, user: str) -> None:
    target = folder.parent / "out.json"
    result = run(folder, "--user", user, "--json", str(target))
    assert result.exit_code == 0, result.output
    told = json.loads(target.read_text(encoding="utf-8"))
    assert set(told["summary"]["strategies"]) == set(STRATEGIES)
    readings = told["questions"][0]["readings"]
    assert all(trial["error"] is None for trials in readings.values() for trial in trials)
    assert [trial["turns"] for trial in readings["none"]] == [0, 0]
    assert [trial["turns"] for trial in readings["direct"]] == [1, 1]


def test_asked_in_options_a_user_gets_what_it_means(folder: Path) -> None:
    target = folder.parent / "out.json"
    run(folder, "--json", str(target))
    readings = json.loads(target.read_text(encoding="utf-8"))["questions"][0]["readings"]
    for strategy in ("guided", "weighed"):
        assert [trial["right"] for trial in readings[strategy]] == [True, True]


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (("--user", "angry"), "there is no user 'angry'"),
        (("--user", "model", "--user-model", "gold"), "cannot play a user"),
    ],
    ids=["unknown", "no model"],
)
def test_a_user_that_cannot_play_is_told(folder: Path, more: tuple[str, ...], problem: str) -> None:
    result = run(folder, *more)
    assert result.exit_code == 1
    assert problem in result.stderr.splitlines()[-1]


def test_a_model_plays_the_user(
    folder: Path, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"reason": "none fits", "choice": None, "text": "at least 5 authors"}
    provider.answer = lambda _text, _body: dict(said)
    monkeypatch.setenv("HEADCOUNT_BASE_URL", provider.url)
    monkeypatch.setenv("HEADCOUNT_API_KEY", "key")
    target = folder.parent / "out.json"
    result = run(folder, "--user", "model", "--user-model", "player", "--json", str(target))
    assert result.exit_code == 0, result.output
    told = json.loads(target.read_text(encoding="utf-8"))
    assert told["summary"]["user"] == "model"
    (first, *_) = told["questions"][0]["readings"]["direct"]
    assert [each["reply"] for each in first["asked"]] == ["at least 5 authors"]
    assert any("at least 3 authors?" in str(body["messages"]) for body in provider.requests)
