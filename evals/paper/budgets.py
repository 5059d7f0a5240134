"""The same budget for all: on every question a method may spend what headcount spent on it."""

from evals.ablate.variants import VARIANTS, WHOLE
from evals.experiments.allowance import Allowance
from evals.experiments.arm import Arm
from evals.paper.bench import Bench
from evals.paper.layout import RECALL, of_chapter
from evals.reporting.board import Board, Column
from evals.reporting.page import Section
from evals.reporting.table import Table
from evals.reporting.tables import Figure, cells, differences

__all__ = ("EQUAL", "budget")

EQUAL = (
    "naive-rag-full",
    "hybrid-rag-full",
    "iterative-rag-50",
    "note-taking-50",
    "diversify-verify",
    "react-50",
    "tool-agent",
    "multi-agent-50",
    "full-scan",
)
"""The baselines that read, each as deep as it goes: the budget cuts them, not k."""
_FIGURES = (
    RECALL,
    Figure("NACE mean", "normalised_error"),
    Figure("F1", "f1"),
    Figure("input tokens", "input_tokens", digits=0),
)


def budget(bench: Bench) -> list[Section]:
    """Give every method, on each question, the tokens that headcount spent on it."""
    reader = bench.plan.reasoner
    _, spent = bench.measure("budget", [Arm(name=WHOLE, reasoner=reader)], part="spent")
    allowed = Allowance(each={each.collection.name: _spent(each.columns[0]) for each in spent})
    dfa = dict(VARIANTS["dfa"].policy)
    arms = [
        Arm(name=WHOLE, reasoner=reader, allowance=allowed),
        Arm(name="dfa", reasoner=reader, policy=dfa, allowance=allowed),
        *(Arm(name=name, system=name, reasoner=reader, allowance=allowed) for name in EQUAL),
    ]
    _, boards = bench.measure("budget", arms, part="equal")
    text = (
        "On every question each method may spend the tokens, sent and received, that headcount "
        "spent on it without a limit. A method that reaches the limit answers with what it has; "
        "the baselines see what is left and show as many passages as that allows, keeping half of "
        "the budget for the answer where searching costs too, and a fifth where notes are taken. "
        "The k of their searches is 50; “full” shows the best-ranked passages until the budget "
        "is spent. “More” and “less” count the questions on which a method read "
        "more, or less, of the true evidence than headcount."
    )
    return [
        Section(
            name="budget",
            title="The same budget for all",
            text=[text],
            tables=[_equal(board) for board in boards]
            + [of_chapter(differences(board), "budget") for board in boards],
        )
    ]


def _spent(column: Column) -> dict[str, int]:
    return {question: max(1, each.result.tokens) for question, each in column.measured.items()}


def _equal(board: Board) -> Table:
    whole = board.columns[0]
    rows = [
        [
            column.name,
            *cells(column, _FIGURES),
            *map(str, _against(column, whole)),
            str(len(column.partial)),
        ]
        for column in board.columns
    ]
    head = ("method", *(each.head for each in _FIGURES), "more", "less", "at the limit")
    name = board.collection.name
    return Table(
        name=f"budget-{name}",
        title=f"{name}: every method with headcount's tokens",
        head=head,
        rows=rows,
        notes=[*board.about, _order(board)],
    )


def _against(column: Column, whole: Column) -> tuple[int, int]:
    """Return on how many questions a method read more, and less, of the evidence."""
    pairs = [
        (column.measured[each].result.figure(RECALL.name), found.result.figure(RECALL.name))
        for each, found in whole.measured.items()
        if each in column.measured
    ]
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    return sum(a > b for a, b in known), sum(a < b for a, b in known)


def _order(board: Board) -> str:
    """Say which methods read as much as headcount or more, by the mean."""
    means = {each.name: each.estimate(RECALL.name).value or 0.0 for each in board.columns}
    above = [name for name, mean in means.items() if name != WHOLE and mean >= means[WHOLE]]
    told = ", ".join(above)
    return f"With a mean recall as high as headcount's or higher: {told or 'none'}."
