"""The chapters that vary one thing: depth of retrieval, skill of the reader, parts taken away."""

from evals.ablate.variants import WHOLE, arms_of
from evals.compare.plot import Axis, line_chart
from evals.experiments.arm import Arm
from evals.paper.bench import Bench
from evals.paper.grid import Grid, at
from evals.paper.layout import RECALL, legend, of_chapter, side_by_side
from evals.reporting.board import Board
from evals.reporting.page import Chart, Section
from evals.reporting.table import Table
from evals.reporting.tables import Figure, cost, differences, quality

__all__ = ("ablations", "depth", "skill")

_DEPTHS = (5, 10, 20, 50)
_DEEPENED = ("naive-rag", "hybrid-rag", "iterative-rag", "note-taking")
_RATES = (0.0, 0.1, 0.2, 0.3)
_SKILLED = ("main", "naive-rag-20", "note-taking-20", "tool-agent", "full-scan")
_SKILLS = Grid(_SKILLED, _RATES)
_NACE = Figure("NACE mean", "normalised_error")
_NACE_MEDIAN = Figure("NACE median", "normalised_error", "median")
_F1 = Figure("F1", "f1")


def depth(bench: Bench) -> list[Section]:
    """Retrieve more and more: does it count better? (DFA, table 7)."""
    names = [f"{method}-{k}" for method in _DEEPENED for k in _DEPTHS]
    arms = [Arm(name=name, system=name, reasoner=bench.plan.reasoner) for name in names]
    whole = Arm(name=WHOLE, reasoner=bench.plan.reasoner)
    _, boards = bench.measure("depth", [whole, *arms])
    rows = [(name, name) for name in (*names, WHOLE)]
    figures = (_NACE, _NACE_MEDIAN, RECALL)
    table = side_by_side("table-7", "Counterpart of DFA, table 7", boards, rows, figures)
    charts = [
        Chart(
            name=f"depth-{board.collection.name}",
            title=f"{board.collection.name}: count error by k",
            svg=_by_depth(board),
        )
        for board in boards
    ]
    text = ["The number at the end of a name is k. headcount has no k and stands for comparison."]
    title = "Retrieving more passages"
    return [Section(name="depth", title=title, text=text, tables=[table], charts=charts)]


def skill(bench: Bench) -> list[Section]:
    """Let the reader err more and more (in place of DFA, table 2: other models)."""
    arms = [
        Arm(name=at(system, rate), system=system, reasoner=f"skill:{rate:g}")
        for system, rate in _SKILLS
    ]
    _, boards = bench.measure("skill", arms)
    text = (
        "In place of other models: a reader that errs at a given rate in every task, a tenth as "
        "often where it would have to see what is not there. The errors depend on the seed and on "
        "the prompt's words alone."
    )
    return [
        Section(
            name="skill",
            title="Readers of different skill",
            text=[text],
            tables=[_by_rate(board, figure) for board in boards for figure in (_NACE, _F1)],
            charts=[
                Chart(
                    name=f"skill-{board.collection.name}",
                    title=f"{board.collection.name}: F1 by the reader's error rate",
                    svg=_against_rate(board),
                )
                for board in boards
            ],
        )
    ]


def ablations(bench: Bench) -> list[Section]:
    """Take each of our own parts away."""
    arms = arms_of(("search", "batching"), bench.plan.reasoner)
    _, boards = bench.measure("ablations", arms)
    tables = [
        table for board in boards for table in (quality(board), cost(board), differences(board))
    ]
    return [
        Section(
            name="ablations",
            title="Without a part of headcount",
            text=[
                "Each row is the whole product with other values of its policy; no code is edited."
            ],
            tables=[
                legend([arm.name for arm in arms if arm.name != WHOLE]),
                *(of_chapter(table, "ablations") for table in tables),
            ],
        )
    ]


def _by_rate(board: Board, figure: Figure) -> Table:
    return _SKILLS.table(
        board,
        figure,
        name=f"table-2-{board.collection.name}-{figure.name}".replace("_", "-"),
        title=f"Counterpart of DFA, table 2: {figure.head} by the reader's error rate",
    )


def _against_rate(board: Board) -> str:
    across = Axis("error rate of the reader", _RATES[-1])
    return line_chart(_SKILLS.lines(board, _F1), across=across, up="F1")


def _by_depth(board: Board) -> str:
    columns = board.by_name
    lines = {
        method: [(k, columns[f"{method}-{k}"].mean(_NACE.name)) for k in _DEPTHS]
        for method in _DEEPENED
    }
    lines[WHOLE] = [(k, columns[WHOLE].mean(_NACE.name)) for k in _DEPTHS]
    return line_chart(lines, across=Axis("k", _DEPTHS[-1]), up=Axis("NACE mean", 2.0))
