"""A reader that loses track: does reading more still count better where long prompts distract?"""

from evals.ablate.variants import WHOLE
from evals.annotated.rates import LOST_IN_THE_MIDDLE, Skill
from evals.compare.plot import Axis, line_chart
from evals.experiments.arm import Arm
from evals.paper.bench import Bench
from evals.paper.grid import Grid, at
from evals.paper.layout import RECALL
from evals.reporting.board import Board
from evals.reporting.page import Chart, Section
from evals.reporting.table import Table
from evals.reporting.tables import Figure
from evals.systems import DEPTHS

__all__ = ("FADED", "fading")

_RATE = 0.1
_DEEPENED = ("hybrid-rag", "iterative-rag")
FADED = (*(f"{method}-{k}" for method in _DEEPENED for k in DEPTHS), "main")
_FADING = (0.0, 0.15, LOST_IN_THE_MIDDLE, 0.6)
_GRID = Grid(FADED, _FADING, shown={"main": WHOLE})
_NACE = Figure("NACE mean", "normalised_error")


def fading(bench: Bench) -> list[Section]:
    """Let the reader pass over more and more of a long prompt's passages (DFA, table 7)."""
    arms = [
        Arm(name=at(system, strength), system=system, reasoner=_reader(strength))
        for system, strength in _GRID
    ]
    _, boards = bench.measure("fading", arms)
    unread = ", ".join(
        f"{Skill(fading=LOST_IN_THE_MIDDLE).faded(k // 2, k):.2f} of {k}" for k in DEPTHS
    )
    text = (
        "An assumption, not a measurement: the reader passes over a passage in the middle of a "
        "prompt of 20 with the probability at the head of a column, of more passages with a "
        "greater one, of fewer with a smaller one, at the edges with half, and reads a passage "
        f"alone without loss. At {LOST_IN_THE_MIDDLE:g}, about what models of 2023 lost of a "
        f"single answer (Liu et al. 2023), {unread} are lost in the middle. Everything else is "
        "as in the other chapters."
    )
    return [
        Section(
            name="fading",
            title="A reader that loses track in long prompts",
            text=[text],
            tables=[_by_strength(board, figure) for board in boards for figure in (_NACE, RECALL)],
            charts=[
                Chart(
                    name=f"fading-{board.collection.name}-{method}",
                    title=f"{board.collection.name}: count error of {method} by k",
                    svg=_by_depth(board, method),
                )
                for board in boards
                for method in _DEEPENED
            ],
        )
    ]


def _reader(strength: float) -> str:
    return f"skill:{_RATE:g},fading={strength:g}" if strength else f"skill:{_RATE:g}"


def _by_strength(board: Board, figure: Figure) -> Table:
    return _GRID.table(
        board,
        figure,
        name=f"fading-{board.collection.name}-{figure.head.split()[0].lower()}",
        title=f"{board.collection.name}: {figure.head} by the strength of fading",
    )


def _by_depth(board: Board, method: str) -> str:
    columns = board.by_name
    lines = {
        f"fading {strength:g}": [
            (k, columns[at(f"{method}-{k}", strength)].mean(_NACE.name)) for k in DEPTHS
        ]
        for strength in _FADING
    }
    return line_chart(lines, across=Axis("k", DEPTHS[-1]), up=Axis("NACE mean", 1.0))
