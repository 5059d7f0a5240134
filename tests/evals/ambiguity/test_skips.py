"""What each gate would skip is counted by code, whichever gate the run went by."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evals.ambiguity.case import Case, Words
from evals.ambiguity.finding import Found
from evals.ambiguity.run import Examined
from evals.ambiguity.skips import skips
from evals.cli import app


def examined(*codes: str, by: tuple[str, ...] = (), error: str = "") -> Examined:
    case = Case(id="q", question="How many?", codes=codes, source=Words("How many?"))
    return Examined(case=case, found=Found(skips=frozenset(by), error=error))


def test_skips_count_under_every_code_of_a_question():
    told = skips(
        [
            examined("A1", "B1", by=("coherence",)),
            examined("A1"),
            examined(by=("coherence", "screen")),
            examined("C1", error="lost"),
        ]
    )
    assert told == {
        "A1": {"n": 2, "coherence": 1, "screen": 0, "off": 0},
        "B1": {"n": 1, "coherence": 1, "screen": 0, "off": 0},
        "ambiguous": {"n": 2, "coherence": 1, "screen": 0, "off": 0},
        "clear": {"n": 1, "coherence": 1, "screen": 1, "off": 0},
    }


@pytest.mark.parametrize("knob", ["gate", "calibration"])
def test_a_gate_or_calibration_that_does_not_exist_is_named(
    knob: str, tmp_path: Path, ours: Callable[..., dict[str, Any]]
):
    questions, folder = tmp_path / "questions.jsonl", tmp_path / "docs"
    questions.write_text(json.dumps(ours()), encoding="utf-8")
    folder.mkdir()
    given = ["ambiguity", "--questions", str(questions), "--documents", str(folder)]
    result = CliRunner().invoke(app, [*given, f"--{knob}", "loose"])
    assert result.exit_code == 1
    assert f"error: --{knob}: Input should be" in result.output
