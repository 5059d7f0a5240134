"""Tables in the papers' layout: a row a method, the collections side by side."""

from collections.abc import Sequence

from evals.reporting.board import Board
from evals.reporting.table import Table
from evals.reporting.tables import Figure, cells

__all__ = ("PAPER", "RECALL", "notes_of", "side_by_side")

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
    columns = [{column.name: column for column in board.columns} for board in boards]
    body = [
        [label, *(cell for by_name in columns for cell in cells(by_name[arm], figures))]
        for label, arm in rows
    ]
    return Table(name=name, title=title, head=("method", *heads), rows=body, notes=notes_of(boards))


def notes_of(boards: Sequence[Board]) -> list[str]:
    """Return what the tables over some collections have to say, each line with its collection."""
    return [f"{board.collection.name}: {line}" for board in boards for line in board.about]
