"""The shipped plan can be read and names what there is; a wrong one is refused in one line."""

from pathlib import Path

import pytest

from agent.errors import SettingsError
from evals.paper.budgets import EQUAL
from evals.paper.chapters import _DEEPENED, _DEPTHS, _SKILLED
from evals.paper.fading import FADED
from evals.paper.methods import METHODS
from evals.paper.plan import load_plan
from evals.paper.reproduction import CHAPTERS
from evals.paper.shares import SHARED
from evals.systems import SYSTEMS

PLAN = """
reasoner = "gold"
[[collections]]
name = "a"
title = "A"
questions = "a.jsonl"
documents = "a"
[chapters.methods]
collections = ["{name}"]
"""


def test_the_shipped_plan_has_every_chapter() -> None:
    plan = load_plan(None)
    assert set(plan.chapters) | {"clarification"} == set(CHAPTERS)
    assert plan.clarification is not None


def test_every_method_is_a_system() -> None:
    named = {name for _, name in METHODS}.union(_SKILLED, EQUAL, SHARED, FADED)
    named |= {f"{method}-{k}" for method in _DEEPENED for k in _DEPTHS}
    assert named <= set(SYSTEMS)


def test_paths_are_below_the_folder(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(PLAN.format(name="a"))
    (collection,) = load_plan(tmp_path / "plan.toml").of("methods", tmp_path)
    assert collection.questions == tmp_path / "a.jsonl"
    assert collection.expansion is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (PLAN.format(name="b"), "unknown collection 'b'"),
        ("reasoner = ", "Invalid value"),
        ("seed = 1", "reasoner"),
    ],
)
def test_a_wrong_plan_is_refused(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "plan.toml").write_text(text)
    with pytest.raises(SettingsError, match=why):
        load_plan(tmp_path / "plan.toml")
