"""Small and large budgets: every method with the same share of the corpus's tokens."""

from evals.compare.plot import Axis, line_chart
from evals.experiments.allowance import Allowance
from evals.experiments.arm import Arm
from evals.paper.bench import Bench
from evals.paper.grid import Grid, at
from evals.paper.layout import RECALL
from evals.reporting.board import Board
from evals.reporting.page import Chart, Section
from evals.reporting.table import Table
from evals.reporting.tables import Figure

__all__ = ("SHARED", "shares")

SHARED = (
    "main",
    "naive-rag-full",
    "hybrid-rag-full",
    "iterative-rag-50",
    "note-taking-50",
    "tool-agent",
    "full-scan",
)
_SHARES = (0.05, 0.1, 0.2, 0.4)
_GRID = Grid(SHARED, _SHARES)
_FIGURES = (RECALL, Figure("NACE mean", "normalised_error"))


def shares(bench: Bench) -> list[Section]:
    """Give every method the same share of the corpus's tokens for each question."""
    arms = [
        Arm(
            name=at(system, share),
            system=system,
            reasoner=bench.plan.reasoner,
            allowance=Allowance(share=share),
        )
        for system, share in _GRID
    ]
    _, boards = bench.measure("shares", arms)
    text = (
        "The tokens of a question, sent and received, are limited to a share of the corpus's. "
        "Below what it needs headcount sends smaller requests, and leaves out what would take more "
        "than half of what is left: looks for ambiguity and filters."
    )
    return [
        Section(
            name="shares",
            title="Small and large budgets",
            text=[text],
            tables=[_by_share(board, figure) for board in boards for figure in _FIGURES],
            charts=[
                Chart(
                    name=f"shares-{board.collection.name}",
                    title=f"{board.collection.name}: recall of gold chunks by the budget",
                    svg=_against_share(board),
                )
                for board in boards
            ],
        )
    ]


def _by_share(board: Board, figure: Figure) -> Table:
    return _GRID.table(
        board,
        figure,
        name=f"shares-{board.collection.name}-{figure.head.split()[0].lower()}",
        title=f"{board.collection.name}: {figure.head} by the budget, as a share of the corpus",
    )


def _against_share(board: Board) -> str:
    across = Axis("tokens ÷ tokens of the corpus", _SHARES[-1])
    return line_chart(_GRID.lines(board, RECALL), across=across, up="recall")
