"""The main comparison: every method over every collection (DFA, tables 1 and 5; ADF; S-RAG)."""

from evals.ablate.variants import VARIANTS, WHOLE
from evals.experiments.arm import Arm
from evals.paper.bench import Bench
from evals.paper.layout import side_by_side
from evals.reporting.board import Board
from evals.reporting.figures import CHARTS
from evals.reporting.page import Chart, Section
from evals.reporting.tables import cost, differences, failures

__all__ = ("METHODS", "methods")

METHODS: tuple[tuple[str, str], ...] = (
    ("without documents", "llm-only"),
    ("single step", "naive-rag-10"),
    ("single step", "naive-rag-50"),
    ("single step", "hybrid-rag-50"),
    ("several steps", "iterative-rag-20"),
    ("several steps", "note-taking-20"),
    ("several steps", "diversify-verify"),
    ("agent", "react-10"),
    ("agent", "tool-agent"),
    ("agent", "multi-agent-20"),
    ("records", "records-alone"),
    ("everything", "full-scan"),
)
"""The baselines, by the papers' categories."""
_PUBLISHED, _BY_RECORDS = "dfa", "records-alone"
_TABLE_1 = {"core", "expanded"}
_ABOUT = (
    "Every method has the same chunks, embedder and reader. Recall is the share of the chunks with "
    "true evidence that a method read or quoted. Without a number, an answer counts as 0. What it "
    "takes to fill the records of a collection is on no question's bill."
)


def methods(bench: Bench) -> list[Section]:
    """Measure all methods with the same reader; return the tables and a section a collection."""
    reader = bench.plan.reasoner
    arms = [
        Arm(name=WHOLE, reasoner=reader),
        *(
            Arm(name=name, system=name, reasoner=reader, records=name == _BY_RECORDS)
            for _, name in METHODS
        ),
        Arm(name=_PUBLISHED, reasoner=reader, policy=dict(VARIANTS[_PUBLISHED].policy)),
    ]
    _, boards = bench.measure("methods", arms)
    rows = [(f"{category}: {name}", name) for category, name in METHODS]
    rows += [("DFA as published (ours, without the rest)", _PUBLISHED), ("headcount", WHOLE)]
    first = [board for board in boards if board.collection.name in _TABLE_1] or boards
    others = [board for board in boards if board not in first]
    tables = [side_by_side("table-1", "Counterpart of DFA, table 1", first, rows)]
    if others:
        title = "Counterpart of DFA, table 5 (and contracts)"
        tables.append(side_by_side("table-5", title, others, rows))
    main = Section(
        name="methods",
        title="All methods, one reader",
        text=[_ABOUT],
        tables=tables,
    )
    return [main, *(_details(board) for board in boards)]


def _details(board: Board) -> Section:
    name = board.collection.name
    lost = failures(board)
    return Section(
        name=f"methods-{name}",
        title=f"{name}: cost, differences, charts",
        tables=[cost(board), differences(board), *([lost] if lost.rows else [])],
        charts=[
            Chart(name=f"{name}-{key}", title=title, svg=draw(board))
            for key, (title, draw) in CHARTS.items()
        ],
    )
