"""Tables in the papers' layout: a row a method, the collections side by side."""

from collections.abc import Sequence
from dataclasses import replace

from evals.ablate.variants import VARIANTS
from evals.reporting.board import Board
from evals.reporting.table import Table
from evals.reporting.tables import Figure, cells

__all__ = ("PAPER", "RECALL", "legend", "notes_of", "of_chapter", "side_by_side")

RECALL = Figure("recall", "chunk_recall_filtered")
"""Share of the gold chunks that a method read or quoted."""
PAPER = (
    Figure("NACE mean", "normalised_error"),
    Figure("NACE median", "normalised_error", "median"),
    Figure("ACE mean", "absolute_error"),
    RECALL,
)
"""The columns of the main tables (DFA, tables 1, 2 and 5)."""


def side_by_side(
    name: str,
    title: str,
    boards: Sequence[Board],
    rows: Sequence[tuple[str, str]],
    figures: Sequence[Figure] = PAPER,
) -> Table:
    """Return a row an arm, and for each collection the figures.

    Args:
        name: the table's.
        title: the table's.
        boards: the collections, in order.
        rows: each row's label and its arm's name.
        figures: the columns for each collection.
    """
    heads = [f"{board.collection.name}: {figure.head}" for board in boards for figure in figures]
    columns = [board.by_name for board in boards]
    body = [
        [label, *(cell for by_name in columns for cell in cells(by_name[arm], figures))]
        for label, arm in rows
    ]
    return Table(name=name, title=title, head=("method", *heads), rows=body, notes=notes_of(boards))


def legend(names: Sequence[str]) -> Table:
    """Return a row a variant: what it does without."""
    rows = [[name, VARIANTS[name].about] for name in names]
    groups = "-".join(dict.fromkeys(VARIANTS[name].group for name in names))
    return Table(name=f"{groups}-legend", title="Taken away", head=("arm", "without"), rows=rows)


def of_chapter(table: Table, chapter: str) -> Table:
    """Return the table under a name of its chapter: several chapters have the same collections."""
    return replace(table, name=f"{chapter}-{table.name}")


def notes_of(boards: Sequence[Board]) -> list[str]:
    """Return what the tables over some collections have to say, each line with its collection."""
    return [f"{board.collection.name}: {line}" for board in boards for line in board.about]
