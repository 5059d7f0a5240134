"""Sections of a report, and the report on disk."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import typer

from agent.errors import SettingsError
from evals.experiments.arms import Arm, Collection, Identity
from evals.experiments.experiment import Experiment
from evals.experiments.measuring import Measured
from evals.experiments.run_folder import Run, load_run
from evals.experiments.running import run
from evals.output import say, tell_store
from evals.scores import Estimate, Statistic, estimate
from evals.tables import markdown

__all__ = (
    "Board",
    "Column",
    "Figure",
    "Section",
    "Table",
    "board_section",
    "board_tables",
    "boards",
    "cells",
    "cost",
    "differences",
    "failures",
    "provenance",
    "quality",
    "report_runs",
    "run_and_tell",
    "shown",
    "to_markdown",
    "write_report",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One arm over one collection."""

    name: str
    system: str
    reasoner: str
    measured: Mapping[str, Measured]
    """What is done, by the question's id."""

    @property
    def failed(self) -> list[Measured]:
        """The questions that ended without an answer."""
        return [each for each in self.measured.values() if each.result.error]

    @property
    def partial(self) -> list[Measured]:
        """The questions that a limit ended, or failed chunks left open: answered as far as read."""
        return [each for each in self.measured.values() if each.result.score["status"] == "partial"]

    def figures(self, name: str) -> list[float | None]:
        """Return a figure of every question; None where it is undefined."""
        return [each.result.figure(name) for each in self.measured.values()]

    def estimate(self, name: str, statistic: Statistic = "mean") -> Estimate:
        """Return a figure over all questions with its interval."""
        return estimate(self.figures(name), statistic)

    def mean(self, name: str) -> float:
        """Return a figure's mean for a chart; 0 where no question has it."""
        return self.estimate(name).value or 0.0

    def minus(self, other: "Column", name: str) -> Estimate:
        """Return the mean difference to another arm, with the interval of a paired bootstrap.

        Only questions count for which both have the figure.
        """
        shared = [
            (self.measured[each].result.figure(name), other.measured[each].result.figure(name))
            for each in self.measured
            if each in other.measured
        ]
        return estimate(
            [
                ours - theirs if ours is not None and theirs is not None else None
                for ours, theirs in shared
            ]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """All arms that were asked the same questions over the same documents."""

    collection: Identity
    columns: tuple[Column, ...]
    """The first is what the others are compared with."""

    @property
    def by_name(self) -> dict[str, Column]:
        """The columns by their arms' names."""
        return {column.name: column for column in self.columns}

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
        for collection in told.plan.collections:
            columns = found.setdefault(collection, [])
            columns += [(root.name, column) for column in _columns(told, collection)]
    return [
        Board(collection=collection, columns=tuple(_named_apart(columns)))
        for collection, columns in found.items()
    ]


def _columns(run: Run, collection: Identity) -> Iterator[Column]:
    for arm in run.plan.arms:
        done = {
            each.result.question: each
            for each in run.measured
            if each.result.collection == collection.name and each.result.arm == arm.name
        }
        yield Column(name=arm.name, system=arm.system, reasoner=arm.reasoner, measured=done)


def _named_apart(columns: Sequence[tuple[str, Column]]) -> Iterator[Column]:
    names = [column.name for _, column in columns]
    for root, column in columns:
        name = f"{column.name} ({root})" if names.count(column.name) > 1 else column.name
        yield Column(
            name=name,
            system=column.system,
            reasoner=column.reasoner,
            measured=column.measured,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under a head; the first column names the row."""

    name: str
    """For a file or a link: lower case, digits and hyphens."""
    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    """What a reader must know: the sample, what failed, what a column means."""


def to_markdown(table: Table) -> str:
    """Return the title, the table and its notes, ending with a newline."""
    body = markdown([_cell(each) for each in table.head], [_cells(row) for row in table.rows])
    return "\n\n".join([f"**{table.title}**", body, *table.notes]) + "\n"


def _cells(row: Sequence[str]) -> list[str]:
    return [_cell(each) for each in row]


def _cell(text: str) -> str:
    """Return a cell's text so that it cannot end the cell."""
    return " ".join(text.split()).replace("|", r"\|")


class Figure(NamedTuple):
    """A column of a table."""

    head: str
    name: str
    """The attribute of a score that it is taken over."""
    statistic: Statistic = "mean"
    digits: int = 3


_NAMED = 5
_QUALITY = (
    Figure("NACE mean", "normalised_error"),
    Figure("NACE median", "normalised_error", "median"),
    Figure("ACE mean", "absolute_error", digits=2),
    Figure("chunk recall", "chunk_recall_filtered"),
    Figure("precision", "precision"),
    Figure("recall", "recall"),
    Figure("F1", "f1"),
    Figure("exact", "exact"),
    Figure("bounds held", "bounds_held"),
)
_COST = (
    Figure("chunks read", "judged_share"),
    Figure("calls", "calls", digits=1),
    Figure("input tokens", "input_tokens", digits=0),
)
_COMPARED = (
    Figure("NACE", "normalised_error"),
    Figure("ACE", "absolute_error", digits=2),
    Figure("chunk recall", "chunk_recall_filtered"),
    Figure("F1", "f1"),
    Figure("exact", "exact"),
    Figure("calls", "calls", digits=1),
)


def board_tables(board: Board) -> list[Table]:
    """Return all tables of a board; those with nothing to say are left out."""
    tables = [quality(board), cost(board)]
    if len(board.columns) > 1:
        tables.append(differences(board))
    lost = failures(board)
    return [*tables, lost] if lost.rows else tables


def quality(board: Board) -> Table:
    """Return a row an arm: how good its answers are."""
    return _means(board, "quality", "How good the answers are", _QUALITY)


def cost(board: Board) -> Table:
    """Return a row an arm: what its answers took."""
    return _means(board, "cost", "What the answers took, a question", _COST)


def differences(board: Board) -> Table:
    """Return each arm minus the first, with 95 % intervals of a paired bootstrap."""
    first, *others = board.columns
    rows = [
        [column.name, *(shown(column.minus(first, each.name), each.digits) for each in _COMPARED)]
        for column in others
    ]
    paired = (
        f"Means over the questions for which both have the figure, minus those of {first.name}; in "
        "brackets the 95 % interval of a paired bootstrap over questions (1,000 resamples). An "
        "interval without 0 is a difference that chance in the questions hardly explains."
    )
    return Table(
        name=f"{board.collection.name}-differences",
        title=f"{board.collection.name}: each arm minus {first.name}",
        head=("arm", *(each.head for each in _COMPARED)),
        rows=rows,
        notes=(*board.about, paired),
    )


def failures(board: Board) -> Table:
    """Return a row an arm and reason for which questions ended without an answer."""
    rows = [
        [column.name, str(len(ids)), why, ", ".join(ids[:_NAMED]) + (", …" * (len(ids) > _NAMED))]
        for column in board.columns
        for why, ids in _by_reason(column).items()
    ]
    return Table(
        name=f"{board.collection.name}-failures",
        title=f"{board.collection.name}: questions without an answer",
        head=("arm", "questions", "why", "which"),
        rows=rows,
        notes=board.about,
    )


def _by_reason(column: Column) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in column.failed:
        found.setdefault(each.result.error, []).append(each.result.question)
    return found


def shown(figure: Estimate, digits: int = 3) -> str:
    """Return a difference with its interval, signed; a dash where it is undefined.

    >>> shown(Estimate(3, 0.5, 0.25, 0.75), 2)
    '+0.50 [+0.25, +0.75]'
    """
    if figure.value is None:
        return "–"
    value, low, high = (f"{each:+.{digits}f}" for each in (figure.value, figure.low, figure.high))
    return f"{value} [{low}, {high}]"


def _means(board: Board, name: str, title: str, figures: Sequence[Figure]) -> Table:
    return Table(
        name=f"{board.collection.name}-{name}",
        title=f"{board.collection.name}: {title[0].lower()}{title[1:]}",
        head=("arm", "questions", "failed", *(each.head for each in figures)),
        rows=[[*_counts(column), *cells(column, figures)] for column in board.columns],
        notes=board.about,
    )


def _counts(column: Column) -> tuple[str, str, str]:
    return column.name, str(len(column.measured)), str(len(column.failed))


def cells(column: Column, figures: Sequence[Figure]) -> Iterator[str]:
    """Yield an arm's figures as they are shown; a dash where one is undefined."""
    for each in figures:
        value = column.estimate(each.name, each.statistic).value
        yield "–" if value is None else f"{value:,.{each.digits}f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of a report, with its tables."""

    title: str
    text: Sequence[str] = ()
    """Paragraphs, in Markdown."""
    tables: Sequence[Table] = ()


def report_runs(roots: Sequence[Path], into: Path) -> Path:
    """Write the report of some runs into a folder; return the file.

    Raises:
        SettingsError: a run cannot be read, or the folder cannot be written.
    """
    runs = [(root, load_run(root)) for root in roots]
    sections = [board_section(board) for board in boards(runs)]
    measured = Section(title="How it was measured", tables=provenance([run for _, run in runs]))
    title = f"Report: {', '.join(dict.fromkeys(run.plan.name for _, run in runs))}"
    return write_report(into, title, (), [*sections, measured])


def board_section(board: Board) -> Section:
    """Return all tables of a board."""
    return Section(title=board.collection.name, text=board.about, tables=board_tables(board))


def provenance(runs: Sequence[Run]) -> list[Table]:
    """Return who answered what, and on which machines."""
    environments = dict.fromkeys(each for told in runs for each in told.environments)
    seeds = ", ".join(dict.fromkeys(str(told.plan.seed) for told in runs))
    return [
        Table(
            name="arms",
            title="Arms",
            head=("arm", "system", "reasoner", "policy"),
            rows=list(dict.fromkeys(row for told in runs for row in _arms(told))),
            notes=[f"Seed {seeds}. The same plan and replies give the same results."],
        ),
        Table(
            name="environments",
            title="Environments",
            head=("headcount", "code", "Python", "system", "cores"),
            rows=[
                (
                    each.headcount,
                    each.source[:12],
                    each.python,
                    f"{each.system}, {each.machine}",
                    str(each.cores),
                )
                for each in environments
            ],
        ),
    ]


def write_report(into: Path, title: str, lead: Sequence[str], sections: Sequence[Section]) -> Path:
    """Write `report.md` into a folder; return it.

    Raises:
        SettingsError: the folder cannot be written.
    """
    told = [f"# {title}", *lead]
    for section in sections:
        told += [f"## {section.title}", *section.text]
        told += [to_markdown(table).rstrip() for table in section.tables]
    place = into / "report.md"
    try:
        into.mkdir(parents=True, exist_ok=True)
        place.write_text("\n\n".join(told) + "\n", encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"--into {str(into)!r}: {error.strerror or error}") from error
    return place


def _arms(run: Run) -> Iterator[tuple[str, ...]]:
    for arm in run.plan.arms:
        policy = ", ".join(f"{name} = {value}" for name, value in arm.policy.items())
        yield arm.name, arm.system, arm.reasoner, policy or "the product's"


def run_and_tell(
    name: str,
    arms: tuple[Arm, ...],
    collection: Collection,
    into: Path,
    *,
    keep: Path | None,
    jobs: int,
) -> None:
    """Run arms over a collection into a folder, print quality, cost and differences.

    Args:
        name: the experiment's.
        arms: the first is what the others are compared with.
        collection: what they are asked; its seed is the experiment's.
        into: the run's folder.
        keep: where indexes and replies are kept; None throws them away.
        jobs: questions measured side by side.

    Raises:
        HeadcountError: the questions, the documents, an arm or a folder cannot be used.
    """
    tell_store()
    experiment = Experiment(name=name, arms=arms, collections=(collection,), seed=collection.seed)
    done = run(experiment, into, keep, say, jobs=jobs)
    for board in boards([(into, done)]):
        typer.echo("\n".join(to_markdown(table) for table in board_tables(board)))
