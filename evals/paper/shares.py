"""Small and large budgets: every method with the same share of the corpus's tokens."""

from collections.abc import Mapping

from evals.compare.plot import Axis, line_chart
from evals.experiments.allowance import Allowance
from evals.experiments.arm import Arm
from evals.paper.bench import Bench
from evals.paper.layout import RECALL, notes_of
from evals.reporting.board import Board, Column
from evals.reporting.page import Chart, Section
from evals.reporting.table import Table
from evals.reporting.tables import Figure, cells

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
_FIGURES = (RECALL, Figure("NACE mean", "normalised_error"))


def shares(bench: Bench) -> list[Section]:
    """Give every method the same share of the corpus's tokens for each question."""
    arms = [
        Arm(
            name=_at(system, share),
            system=system,
            reasoner=bench.plan.reasoner,
            allowance=Allowance(share=share),
        )
        for system in SHARED
        for share in _SHARES
    ]
    _, boards = bench.measure("shares", arms)
    text = (
        "The tokens of a question, sent and received, are limited to a share of the corpus's. "
        "Below what it needs headcount stops after whole requests, so that what is left of the "
        "budget may be spent by nobody."
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


def _at(system: str, share: float) -> str:
    return f"{system} @ {share:g}"


def _by_share(board: Board, figure: Figure) -> Table:
    columns = _columns(board)
    rows = [
        [system, *(next(cells(columns[_at(system, share)], [figure])) for share in _SHARES)]
        for system in SHARED
    ]
    return Table(
        name=f"shares-{board.collection.name}-{figure.head.split()[0].lower()}",
        title=f"{board.collection.name}: {figure.head} by the budget, as a share of the corpus",
        head=("method", *(f"{share:g}" for share in _SHARES)),
        rows=rows,
        notes=notes_of([board]),
    )


def _against_share(board: Board) -> str:
    columns = _columns(board)
    lines = {
        system: [
            (share, columns[_at(system, share)].estimate(RECALL.name).value or 0.0)
            for share in _SHARES
        ]
        for system in SHARED
    }
    return line_chart(lines, across=Axis("tokens ÷ tokens of the corpus", _SHARES[-1]), up="recall")


def _columns(board: Board) -> Mapping[str, Column]:
    return {column.name: column for column in board.columns}
