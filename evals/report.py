"""What was measured as tables: of one system question by question, of arms side by side."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from agent.errors import SettingsError
from evals.experiments.experiment import Identity, Measured
from evals.experiments.run_folder import Run, load_run
from evals.scores import Estimate, Statistic, estimate
from evals.tables import difference, interval, markdown, number


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
    Figure("bounds_held", "bounds_held"),
    Figure("process_accuracy", "process"),
    Figure("final_accuracy", "final"),
    Figure("full_accuracy", "full"),
    Figure("calls", "calls", digits=1),
    Figure("input_tokens", "input_tokens", digits=0),
    Figure("seconds", "seconds", digits=1),
)
_QUALITY = (
    "nace_mean nace_median ace_mean chunk_recall_filtered precision recall f1 exact bounds_held"
)
_COST = "judged_share calls input_tokens"
_COMPARED = "nace_mean chunk_recall_filtered f1 exact calls"


def _shown(names: str) -> list[Figure]:
    """Return figures by their names, with the heads of boards."""
    known = {each.head: each for each in _FIGURES}
    return [known[each]._replace(head=each.replace("_", " ")) for each in names.split()]


def run_report(asked: Sequence[Measured], reasoner: str) -> dict[str, JsonValue]:
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


def total_table(asked: Sequence[Measured]) -> str:
    """Return a row a figure over all questions, with its interval."""
    figures = [(each, _estimate(asked, each)) for each in _FIGURES]
    rows = [[each.head, interval(told, each.digits), str(told.n)] for each, told in figures]
    return markdown(("over all questions", "value (95 % interval)", "questions"), rows)


def _estimate(asked: Iterable[Measured], figure: Figure) -> Estimate:
    return estimate([each.figure(figure.name) for each in asked], figure.statistic)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One arm over one collection."""

    name: str
    measured: Mapping[str, Measured]
    """What is done, by the question's id."""

    @property
    def failed(self) -> list[Measured]:
        """The questions that ended without an answer."""
        return [each for each in self.measured.values() if each.error]

    @property
    def partial(self) -> list[Measured]:
        """The questions that a limit ended, or failed chunks left open: answered as far as read."""
        return [each for each in self.measured.values() if each.score["status"] == "partial"]

    def mean(self, figure: Figure) -> str:
        """Return a figure over all questions as a cell."""
        return number(_estimate(self.measured.values(), figure).value, figure.digits)

    def minus(self, other: "Column", figure: Figure) -> str:
        """Return the mean difference to another arm, with the interval of a paired bootstrap.

        Only questions count for which both have the figure.
        """
        shared = [
            (ours.figure(figure.name), other.measured[each].figure(figure.name))
            for each, ours in self.measured.items()
            if each in other.measured
        ]
        values = [
            None if ours is None or theirs is None else ours - theirs for ours, theirs in shared
        ]
        return difference(estimate(values), figure.digits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """All arms that were asked the same questions over the same documents."""

    collection: Identity
    columns: tuple[Column, ...]
    """The first is what the others are compared with."""

    @property
    def about(self) -> list[str]:
        """What every table has to say: the sample, what is not measured yet, and what failed."""
        asked, available = len(self.collection.ids), self.collection.available
        sampled = f"{asked} of {available} questions, drawn with seed {self.collection.seed}"
        told = [f"{sampled if asked < available else f'All {asked} questions'}."]
        told += [line for column in self.columns for line in self._lacking(column)]
        partial = [f"{each.name} {len(each.partial)}" for each in self.columns if each.partial]
        return [*told, f"Questions answered in part: {', '.join(partial)}."] if partial else told

    def _lacking(self, column: Column) -> Iterator[str]:
        missing = len(self.collection.ids) - len(column.measured)
        if missing:
            yield f"{column.name}: {missing} questions are not measured yet and not in any figure."
        if column.failed:
            yield (
                f"{column.name}: {len(column.failed)} of {len(column.measured)} questions failed "
                "and count as nothing found."
            )


def boards(runs: Sequence[tuple[Path, Run]]) -> list[Board]:
    """Put together what was asked over the same collection, in whichever run.

    Arms of one name in two runs are told apart by the runs' folders.
    """
    found: dict[Identity, list[tuple[str, Column]]] = {}
    for root, told in runs:
        for collection, arm in product(told.plan.collections, told.plan.arms):
            key = collection.name, arm.name
            done = (each for each in told.measured if (each.collection, each.arm) == key)
            column = Column(name=arm.name, measured={each.question: each for each in done})
            found.setdefault(collection, []).append((root.name, column))
    return [
        Board(collection=collection, columns=tuple(_named_apart(columns)))
        for collection, columns in found.items()
    ]


def _named_apart(columns: Sequence[tuple[str, Column]]) -> Iterator[Column]:
    names = [column.name for _, column in columns]
    for root, column in columns:
        name = f"{column.name} ({root})" if names.count(column.name) > 1 else column.name
        yield replace(column, name=name)


def section(title: str, *parts: str) -> str:
    """Return a part of a report: paragraphs and tables under a title."""
    return "\n\n".join([f"## {title}", *parts])


def _table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], *notes: str) -> str:
    """Return a table under its title, with what a reader must know behind it."""
    body = markdown(head, [[_cell(each) for each in row] for row in rows])
    return "\n\n".join([f"**{title}**", body, *notes])


def _cell(text: str) -> str:
    """Return a cell's text so that it cannot end the cell."""
    return " ".join(text.split()).replace("|", r"\|")


def board_section(board: Board) -> str:
    """Return all tables of a board; those with nothing to say are left out."""
    tables = [
        _means(board, "how good the answers are", _shown(_QUALITY)),
        _means(board, "what the answers took, a question", _shown(_COST)),
    ]
    if len(board.columns) > 1:
        tables.append(_differences(board))
    if any(column.failed for column in board.columns):
        tables.append(_failures(board))
    return section(board.collection.name, *board.about, *tables)


def _means(board: Board, title: str, figures: Sequence[Figure]) -> str:
    rows = (
        [each.name, str(len(each.measured)), str(len(each.failed)), *map(each.mean, figures)]
        for each in board.columns
    )
    head = ("arm", "questions", "failed", *(each.head for each in figures))
    return _table(f"{board.collection.name}: {title}", head, rows, *board.about)


def _differences(board: Board) -> str:
    """Return each arm minus the first, with 95 % intervals of a paired bootstrap."""
    first, *others = board.columns
    compared = _shown(_COMPARED)
    rows = ([each.name, *(each.minus(first, figure) for figure in compared)] for each in others)
    paired = (
        f"Means over the questions for which both have the figure, minus those of {first.name}; in "
        "brackets the 95 % interval of a paired bootstrap over questions (1,000 resamples). An "
        "interval without 0 is a difference that chance in the questions hardly explains."
    )
    title = f"{board.collection.name}: each arm minus {first.name}"
    head = ("arm", *(each.head for each in compared))
    return _table(title, head, rows, *board.about, paired)


_NAMED = 5
"""Questions without an answer that are named."""


def _failures(board: Board) -> str:
    """Return a row an arm and reason for which questions ended without an answer."""
    rows = [
        [column.name, str(len(ids)), why, ", ".join(ids[:_NAMED]) + (", …" * (len(ids) > _NAMED))]
        for column in board.columns
        for why, ids in _by_reason(column).items()
    ]
    title = f"{board.collection.name}: questions without an answer"
    return _table(title, ("arm", "questions", "why", "which"), rows, *board.about)


def _by_reason(column: Column) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in column.failed:
        found.setdefault(each.error, []).append(each.question)
    return found


def report_runs(roots: Sequence[Path], into: Path) -> Path:
    """Write the report of some runs into a folder; return the file.

    Raises SettingsError: a run cannot be read, or the folder cannot be written.
    """
    runs = [(root, load_run(root)) for root in roots]
    measured = section("How it was measured", *provenance([run for _, run in runs]))
    title = f"Report: {', '.join(dict.fromkeys(run.plan.name for _, run in runs))}"
    return write_report(into, title, *map(board_section, boards(runs)), measured)


def provenance(runs: Sequence[Run]) -> list[str]:
    """Return tables of who answered what, and by which code."""
    seeds = ", ".join(dict.fromkeys(str(told.plan.seed) for told in runs))
    return [
        _table(
            "Arms",
            ("arm", "system", "reasoner", "policy"),
            dict.fromkeys(row for told in runs for row in _arms(told)),
            f"Seed {seeds}. The same plan and replies give the same results.",
        ),
        _table(
            "Code",
            ("headcount", "code", "Python"),
            dict.fromkeys(
                (each.plan.headcount, each.plan.code[:12], each.plan.python) for each in runs
            ),
        ),
    ]


def write_report(into: Path, title: str, *parts: str) -> Path:
    """Write `report.md` into a folder; raises SettingsError where it cannot be written."""
    place = into / "report.md"
    try:
        into.mkdir(parents=True, exist_ok=True)
        place.write_text("\n\n".join([f"# {title}", *parts]) + "\n", encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"--into {str(into)!r}: {error.strerror or error}") from error
    return place


def _arms(run: Run) -> Iterator[tuple[str, ...]]:
    for arm in run.plan.arms:
        policy = ", ".join(f"{name} = {value}" for name, value in arm.policy.items())
        yield arm.name, arm.system, arm.reasoner, policy or "the product's"
