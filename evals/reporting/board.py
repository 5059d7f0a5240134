"""Runs laid side by side: the arms over each collection, question by question."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.bootstrap import Estimate, Statistic, estimate
from evals.experiments.collection import Identity
from evals.experiments.folder import Run
from evals.experiments.measuring import Measured

__all__ = ("Board", "Column", "boards")


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
    for root, run in runs:
        for collection in run.plan.collections:
            columns = found.setdefault(collection, [])
            columns += [(root.name, column) for column in _columns(run, collection)]
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
