"""The charts of a board: what reading brings, how wrong counts are, the cost, the bounds."""

import math
from collections.abc import Callable, Mapping

import numpy as np

from evals.compare.plot import Axis, Series, line_chart, point_chart
from evals.experiments.result import Result
from evals.reporting.board import Board, Column

__all__ = ("CHARTS", "calibration", "cost_and_quality", "count_errors", "reading_and_recall")

_GRID = tuple(step / 100 for step in range(101))
_MOST_WRONG = 2.0
"""Where the axis of count errors ends: what is further off counts as that."""


def reading_and_recall(board: Board) -> str:
    """Draw the mean recall of gold chunks against the share of the corpus read so far."""
    lines = {column.name: _recalls(column) for column in board.columns}
    return line_chart(
        {name: found for name, found in lines.items() if found},
        across="share of the corpus read",
        up="recall of gold chunks",
    )


def count_errors(board: Board) -> str:
    """Draw the share of questions whose count error is at most that."""
    return line_chart(
        {column.name: _at_most(column) for column in board.columns},
        across=Axis("NACE at most", _MOST_WRONG),
        up="share of the questions",
    )


def cost_and_quality(board: Board) -> str:
    """Draw each arm's mean F1 against the tokens that it read, as a multiple of the corpus."""
    points = {
        column.name: [point] for column in board.columns if (point := _spent(column)) is not None
    }
    return point_chart(points, across=_ratios(points), up="F1")


def calibration(board: Board) -> str:
    """Draw the recall of every question against the least that its answer stated."""
    return point_chart(
        _stated(board), across="recall stated as a lower bound", up="recall", diagonal=True
    )


CHARTS: Mapping[str, tuple[str, Callable[[Board], str]]] = {
    "reading": ("Recall against the share of the corpus read", reading_and_recall),
    "errors": ("How many questions are at most so wrong", count_errors),
    "cost": ("Cost against quality", cost_and_quality),
    "bounds": ("Stated lower bounds against the truth", calibration),
}
"""By name: the title, and what draws it."""


def _recalls(column: Column) -> list[tuple[float, float]]:
    """Return share and mean recall for every hundredth, up to where the last question stopped."""
    read = [
        each.result.reading for each in column.measured.values() if each.result.reading.gold > 0
    ]
    if not read:
        return []
    last = max(each.shown / each.chunks for each in read)
    shares = [share for share in _GRID if share < last]
    return [
        (
            share,
            float(np.mean([sum(at <= share + 1e-12 for at in r.found_at) / r.gold for r in read])),
        )
        for share in (*shares, last)
    ]


def _at_most(column: Column) -> list[tuple[float, float]]:
    errors = [each for each in column.figures("normalised_error") if each is not None]
    if not errors:
        return []
    return [
        (_MOST_WRONG * step, sum(each <= _MOST_WRONG * step for each in errors) / len(errors))
        for step in _GRID
    ]


def _spent(column: Column) -> tuple[float, float] | None:
    f1 = column.estimate("f1").value
    shares = [
        tokens / each.result.reading.tokens
        for each in column.measured.values()
        if each.result.reading.tokens and (tokens := each.result.figure("input_tokens")) is not None
    ]
    return None if f1 is None or not shares else (float(np.mean(shares)), f1)


def _stated(board: Board) -> Series:
    """Return bound and recall of each question, by arm; both are of gold chunks read or quoted."""
    points = {
        column.name: [point for each in column.measured.values() if (point := _bound(each.result))]
        for column in board.columns
    }
    return {name: found for name, found in points.items() if found}


def _bound(result: Result) -> tuple[float, float] | None:
    recall = result.figure("chunk_recall_filtered")
    if result.recall_bound is None or recall is None:
        return None
    return result.recall_bound, recall


def _ratios(points: Series) -> Axis:
    """Return an axis of equal ratios, by whole powers of ten, that holds all points."""
    spent = [across for found in points.values() for across, _ in found if across > 0]
    low = 10.0 ** math.floor(math.log10(min(spent, default=0.1)))
    high = 10.0 ** math.ceil(math.log10(max(spent, default=1.0)))
    return Axis("input tokens ÷ tokens of the corpus", max(high, 10 * low), low)
