"""What was measured as tables: of one system question by question, of arms side by side."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from evals.experiment import Arm, Identity, Measured, Run, load_run
from evals.scores import (
    LEVEL,
    Estimate,
    Statistic,
    chance_of,
    estimate,
    estimate_nested,
    standing,
)
from evals.tables import difference, markdown, number


class Figure(NamedTuple):
    """A column of a table."""

    head: str
    name: str
    """The field of a score that it is taken over."""
    statistic: Statistic = "mean"
    digits: int = 3


_FIGURES = (
    Figure("exact", "exact"),
    Figure("ace_mean", "absolute_error", digits=2),
    Figure("nace_mean", "normalised_error"),
    Figure("nace_median", "normalised_error", "median"),
    Figure("precision", "precision"),
    Figure("recall", "recall"),
    Figure("f1", "f1"),
    Figure("chunk_recall_filtered", "chunk_recall_filtered"),
    Figure("judged_share", "judged_share"),
    Figure("answer_recall", "answer_recall"),
    Figure("answer_right", "answer_right"),
    Figure("bounds_held", "bounds_held"),
    Figure("facts_outlined", "outlined"),
    Figure("facts_retrieved", "retrieved"),
    Figure("process_accuracy", "process"),
    Figure("final_accuracy", "final"),
    Figure("full_accuracy", "full"),
    Figure("calls", "calls", digits=1),
    Figure("input_tokens", "input_tokens", digits=0),
    Figure("seconds", "seconds", digits=1),
)
_QUALITY = (
    "nace_mean nace_median ace_mean chunk_recall_filtered precision recall f1 exact answer_recall "
    "answer_right bounds_held facts_outlined facts_retrieved process_accuracy final_accuracy "
    "full_accuracy"
)
_COST = "judged_share calls input_tokens"
_COMPARED = "nace_mean chunk_recall_filtered f1 exact calls"


def _shown(names: str) -> list[Figure]:
    """Return figures by their names, with the heads of boards."""
    known = {each.head: each for each in _FIGURES}
    return [known[each]._replace(head=each.replace("_", " ")) for each in names.split()]


def run_report(asked: Sequence[Measured], reasoner: str) -> dict[str, Any]:
    """Return `{"summary": …, "questions": […]}` of one system.

    The summary holds, besides `questions` and `reasoner`: `total`, each figure's value with `low`,
    `high` (95 %) and `n`; `errors` by question.
    """
    return {
        "summary": {
            "questions": len(asked),
            "reasoner": reasoner,
            "total": {each.head: asdict(_estimate(asked, each)) for each in _FIGURES},
            "errors": {each.question: each.error for each in asked if each.error},
        },
        "questions": [each.score | {"seconds": each.seconds} for each in asked],
    }


def _estimate(asked: Iterable[Measured], figure: Figure) -> Estimate:
    return estimate([each.figure(figure.name) for each in asked], figure.statistic)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """What is done of one arm over one collection."""

    reader: str
    asked: int
    """How many answers it has when all is done: one a question and seed."""
    answers: tuple[Measured, ...]

    @property
    def failed(self) -> list[Measured]:
        """Those that ended without an answer."""
        return [each for each in self.answers if each.error]

    def values(self, figure: Figure) -> Mapping[str, Mapping[int, float]]:
        """Return a figure by question and seed, where it is defined."""
        found: dict[str, dict[int, float]] = {}
        for each in self.answers:
            if (value := each.figure(figure.name)) is not None:
                found.setdefault(each.question, {})[each.seed] = value
        return found

    def mean(self, figure: Figure) -> float | None:
        """Return a figure's statistic over the questions' means over seeds."""
        rows = [[*each.values()] for each in self.values(figure).values()]
        return estimate_nested(rows, figure.statistic).value


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """All arms that were asked the same questions over the same documents."""

    collection: Identity
    columns: Mapping[str, Column]
    """By the arm's name; the first is what the others are compared with."""

    @property
    def about(self) -> list[str]:
        """What every table has to say: the sample, what is not measured yet, and what failed."""
        asked, available = len(self.collection.ids), self.collection.available
        sampled = f"{asked} of {available} questions, drawn with seed {self.collection.seed}"
        told = [f"{sampled if asked < available else f'All {asked} questions'}."]
        for name, column in self.columns.items():
            done = len(column.answers)
            parts = [each for each in column.answers if each.score["status"] == "partial"]
            for count, what in (
                (column.asked - done, "answers are not measured yet and not in any figure"),
                (len(column.failed), f"of {done} answers failed and count as nothing found"),
                (len(parts), f"of {done} answers are partial"),
            ):
                if count:
                    told.append(f"{name}: {count} {what}.")
        return told


def _minus(ours: Column, theirs: Column, figure: Figure) -> list[list[float]]:
    """Return the differences of two arms, a row a question for which both have the figure.

    They are of the same seed; an arm that was asked with one alone stands against each.
    """
    rows, others = [], theirs.values(figure)
    for question, one in ours.values(figure).items():
        if other := others.get(question):
            own, their = fmean(one.values()), fmean(other.values())
            seeds = max(one, other, key=len)
            rows.append([one.get(each, own) - other.get(each, their) for each in seeds])
    return rows


def boards(runs: Sequence[tuple[Path, Run]]) -> list[Board]:
    """Put together what was asked over the same collection, in whichever run.

    Arms of one name in two runs are told apart by the runs' folders.
    """
    found: dict[Identity, list[tuple[str, str, Column]]] = {}
    for root, told in runs:
        for collection, arm in product(told.plan.collections, told.plan.arms):
            key = collection.name, arm.name
            column = Column(
                reader=arm.reasoner,
                asked=len(collection.ids) * len(arm.seeded(told.plan.seeds)),
                answers=tuple(e for e in told.measured if (e.collection, e.arm) == key),
            )
            found.setdefault(collection, []).append((arm.name, root.name, column))
    made = []
    for collection, arms in found.items():
        times = Counter(arm for arm, _, _ in arms)
        columns = {
            f"{arm} ({root})" if times[arm] > 1 else arm: column for arm, root, column in arms
        }
        made.append(Board(collection=collection, columns=columns))
    return made


def section(title: str, *parts: str) -> str:
    """Return a part of a report: paragraphs and tables under a title."""
    return "\n\n".join([f"## {title}", *parts])


def _table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], *notes: str) -> str:
    """Return a table under its title, with what a reader must know behind it."""
    cells = [[" ".join(each.split()).replace("|", r"\|") for each in row] for row in rows]
    return "\n\n".join([f"**{title}**", markdown(head, cells), *notes])


def board_section(board: Board) -> str:
    """Return all tables of a board; those with nothing to say are left out."""
    tables = [
        _means(board, "how good the answers are", _shown(_QUALITY)),
        _means(board, "what the answers took, a question", _shown(_COST)),
    ]
    if len(board.columns) > 1:
        tables.append(_differences(board))
    if any(column.failed for column in board.columns.values()):
        tables.append(_failures(board))
    return section(board.collection.name, *board.about, *tables)


def _means(board: Board, title: str, figures: Sequence[Figure]) -> str:
    rows, columns = [], board.columns.values()
    figures = [each for each in figures if any(column.values(each) for column in columns)]
    for name, column in board.columns.items():
        shown = (number(column.mean(each), each.digits) for each in figures)
        rows.append([name, str(len(column.answers)), str(len(column.failed)), *shown])
    head = ("arm", "answers", "failed", *(each.head for each in figures))
    return _table(f"{board.collection.name}: {title}", head, rows, *board.about)


def _compared_with(arms: Mapping[str, Column]) -> Mapping[str, str]:
    """Return what each arm is compared with: the first of its reader, else the first of all."""
    whole, *others = arms
    firsts = {arms[name].reader: name for name in [*others[::-1], whole]}
    own = {name: firsts[arms[name].reader] for name in others}
    return {name: whole if first == name else first for name, first in own.items()}


def _differences(board: Board) -> str:
    """Return each arm minus the first of its reader, and what stands among so many comparisons."""
    arms, compared = board.columns, _shown(_COMPARED)
    others = _compared_with(arms)
    cells = {
        (name, each): _minus(arms[name], arms[other], each)
        for name, other in others.items()
        for each in compared
    }
    chances = {key: chance_of([*map(fmean, rows)]) for key, rows in cells.items() if rows}
    stands = dict(zip(chances, standing([*chances.values()]), strict=True))
    rows = []
    for name, other in others.items():
        shown = [difference(estimate_nested(cells[name, e]), e.digits) for e in compared]
        kept = ", ".join(each.head for each in compared if stands.get((name, each)))
        rows.append([f"{name} minus {other}", *shown, kept or "none"])
    paired = (
        "Means over the questions for which both have the figure; in brackets the 95 % interval of "
        "a paired bootstrap that draws questions and, within each, seeds (1,000 resamples). Last, "
        "which differences stand at 0.05 by a randomisation test over questions, after Holm's "
        f"correction over the {len(chances)} of this table."
    )
    most = max(map(len, cells.values()))
    least = 2.0 ** (1 - most)
    if least * len(chances) > LEVEL:
        paired += f" With {most} questions no p is below {least:.2g}: nothing can stand here."
    head = ("arm", *(each.head for each in compared), "stands after Holm")
    title = f"{board.collection.name}: each arm minus {next(iter(arms))}"
    return _table(title, head, rows, *board.about, paired)


_NAMED = 5


def _failures(board: Board) -> str:
    """Return a row an arm and reason for which questions ended without an answer."""
    which: dict[tuple[str, str], list[str]] = {}
    for name, column in board.columns.items():
        for each in column.failed:
            which.setdefault((name, each.error), []).append(f"{each.question} (seed {each.seed})")
    rows = [
        [name, str(len(ids)), why, ", ".join(ids[:_NAMED]) + (", …" * (len(ids) > _NAMED))]
        for (name, why), ids in which.items()
    ]
    title = f"{board.collection.name}: questions without an answer"
    return _table(title, ("arm", "questions", "why", "which"), rows, *board.about)


def report_runs(roots: Sequence[Path], into: Path) -> Path:
    """Write the report of some runs into a folder; return the file.

    Raises SettingsError: a run cannot be read.
    """
    runs = [(root, load_run(root)) for root in roots]
    measured = section("How it was measured", *provenance([run for _, run in runs]))
    title = f"Report: {', '.join(dict.fromkeys(run.plan.name for _, run in runs))}"
    return write_report(into, title, *map(board_section, boards(runs)), measured)


def provenance(runs: Sequence[Run]) -> list[str]:
    """Return tables of who answered what, and by which code."""
    plans = [each.plan for each in runs]
    seeds = ", ".join(dict.fromkeys(str(seed) for plan in plans for seed in plan.seeds))
    same = f"Seeds {seeds}; without chance one. The same plan and replies give the same results."
    arms = dict.fromkeys(_arm_row(arm) for plan in plans for arm in plan.arms)
    code = dict.fromkeys((plan.headcount, plan.code[:12], plan.python) for plan in plans)
    return [
        _table("Arms", ("arm", "system", "reasoner", "policy"), arms, same),
        _table("Code", ("headcount", "code", "Python"), code),
    ]


def _arm_row(arm: Arm) -> tuple[str, ...]:
    policy = ", ".join(f"{name} = {value}" for name, value in arm.policy.items())
    return arm.name, arm.system, arm.reasoner, policy or "the product's"


def write_report(into: Path, title: str, *parts: str) -> Path:
    """Write `report.md` into a folder."""
    place = into / "report.md"
    into.mkdir(parents=True, exist_ok=True)
    place.write_text("\n\n".join([f"# {title}", *parts]) + "\n", encoding="utf-8")
    return place
