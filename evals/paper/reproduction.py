"""The whole reproduction: chapter after chapter, then one report."""

from collections.abc import Callable, Mapping
from pathlib import Path

from evals.experiments.environment import environment
from evals.paper.batches import batching
from evals.paper.bench import Bench
from evals.paper.budgets import budget
from evals.paper.chapters import ablations, depth, skill
from evals.paper.clarifying import clarification
from evals.paper.fading import fading
from evals.paper.filtering import filtering
from evals.paper.methods import methods
from evals.paper.shares import shares
from evals.reporting.page import Section
from evals.reporting.table import Table
from evals.reporting.writing import write_report

__all__ = ("CHAPTERS", "reproduce")

CHAPTERS: Mapping[str, Callable[[Bench], list[Section]]] = {
    "methods": methods,
    "budget": budget,
    "shares": shares,
    "depth": depth,
    "fading": fading,
    "skill": skill,
    "batching": batching,
    "clarification": clarification,
    "filtering": filtering,
    "ablations": ablations,
}
"""In the order of the page."""
_TITLE = "Counterparts of the papers' tables, measured offline"


def reproduce(bench: Bench, into: Path, command: str) -> list[Path]:
    """Measure every chapter that the plan has, and write the report; return its files.

    The report is written anew after each chapter, so that one which is killed leaves what is done.

    Raises:
        HeadcountError: the data cannot be used or the report cannot be written.
    """
    bench.runs.mkdir(parents=True, exist_ok=True)
    sections: list[Section] = []
    written: list[Path] = []
    for name, chapter in CHAPTERS.items():
        if name in bench.plan.chapters or name == "clarification":
            bench.say(f"chapter {name}")
            sections += chapter(bench)
            page = [*sections, _provenance(bench, command)]
            written = write_report(into, _TITLE, _lead(bench), page)
    return written


def _lead(bench: Bench) -> list[str]:
    reader = (
        f"No language model was asked: the reader is {bench.plan.reasoner}, which answers from the "
        "labels of the passages that a method shows it and errs at that rate in every task, by a "
        "seed. How a question is read and which filter is called comes from the embedded rules. So "
        "the figures are not the papers': what can be compared is the order of the methods and "
        "what each part is worth."
    )
    return [reader, "Each table says which sample of the questions it is of, and what failed."]


def _provenance(bench: Bench, command: str) -> Section:
    here = environment()
    collections = Table(
        name="collections",
        title="Collections",
        head=("collection", "what it is", "questions", "expansion"),
        rows=[
            [each.name, each.title, each.questions, each.expansion or "none"]
            for each in bench.plan.collections
        ],
    )
    machine = Table(
        name="environment",
        title="Environment of the last start",
        head=("headcount", "code", "Python", "system", "cores"),
        rows=[
            [
                here.headcount,
                here.source[:12],
                here.python,
                f"{here.system}, {here.machine}",
                str(here.cores),
            ]
        ],
        notes=[", ".join(f"{name} {version}" for name, version in here.packages.items())],
    )
    text = (
        f"Seed {bench.plan.seed}. The same seed and code give the same results, byte for byte, "
        "whether killed in between or not and however many questions run side by side."
    )
    return Section(
        name="provenance",
        title="How it was measured",
        text=[text],
        command=command,
        tables=[collections, machine],
    )
