"""Chapters that vary a budget or the reader have an arm for every cell of their tables."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from evals.annotated import Skill, skill_of
from evals.experiments.arm import Arm
from evals.experiments.collection import Identity
from evals.paper.bench import Bench
from evals.paper.fading import FADED, fading
from evals.paper.filtering import PUBLISHED, SEEDS, filtering
from evals.paper.plan import PaperPlan
from evals.paper.shares import SHARED, shares
from evals.reporting.board import Board, Column
from evals.reporting.page import Section

LETTERS = Identity(
    name="letters", questions="", expansion=None, rule="record", sample=1, seed=0, available=1,
    ids=("q1",),
)  # fmt: skip


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Arm]:
    """Keep what a chapter wants measured, and measure nothing."""
    found: list[Arm] = []

    def measure(
        _: Bench, __: str, arms: Sequence[Arm], *, part: str = ""
    ) -> tuple[None, list[Board]]:
        found.extend(arms)
        columns = tuple(
            Column(name=arm.name, system=arm.system, reasoner=arm.reasoner, measured={})
            for arm in arms
        )
        return None, [Board(collection=LETTERS, columns=columns)]

    monkeypatch.setattr(Bench, "measure", measure)
    return found


@pytest.fixture
def bench() -> Bench:
    return Bench(
        plan=PaperPlan(reasoner="skill:0.1", collections=(), chapters={}),
        documents=Path(),
        runs=Path(),
        jobs=1,
        say=lambda line: None,
    )


@pytest.mark.parametrize(
    ("chapter", "rows"), [(shares, SHARED), (fading, FADED)], ids=["shares", "fading"]
)
def test_every_system_has_a_row_and_every_value_a_column(
    chapter: Callable[[Bench], list[Section]],
    rows: Sequence[str],
    asked: list[Arm],
    bench: Bench,
) -> None:
    (section,) = chapter(bench)
    for table in section.tables:
        assert len(table.rows) == len(rows)
        assert len(asked) == len(rows) * (len(table.head) - 1)
    assert len({arm.name for arm in asked}) == len(asked)
    assert all("letters" in chart.title for chart in section.charts)
    faded = {skill_of(arm.reasoner).fading for arm in asked}
    assert Skill().fading in faded
    assert (len(faded) > 1) == (chapter is fading)


def test_filtering_draws_the_readers_errors_by_several_seeds(
    asked: list[Arm], bench: Bench
) -> None:
    (section,) = filtering(bench)
    (pooled,) = [table for table in section.tables if table.name == "filtering-letters-seeds"]
    assert [row[0] for row in pooled.rows] == [*PUBLISHED]
    seeded = asked[: len(PUBLISHED) * len(SEEDS)]
    assert {(skill_of(arm.reasoner).seed, arm.name.partition(" ")[0]) for arm in seeded} == {
        (seed, name) for seed in SEEDS for name in PUBLISHED
    }
