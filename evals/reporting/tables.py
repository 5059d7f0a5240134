"""The tables of a board: quality, cost, differences with their intervals, failures."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evals.bootstrap import Estimate, Statistic
from evals.reporting.board import Board, Column
from evals.reporting.table import Table

__all__ = ("Figure", "board_tables", "cells", "cost", "differences", "failures", "quality", "shown")


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
