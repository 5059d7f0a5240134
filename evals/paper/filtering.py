"""What filters discard: the pipeline without a look at it, over several seeds (DFA, A.8.2)."""

from collections.abc import Sequence
from statistics import fmean

from evals.ablate.variants import WHOLE, arms_of
from evals.bootstrap import Estimate, estimate
from evals.paper.bench import Bench
from evals.paper.layout import RECALL, legend, notes_of, of_chapter
from evals.reporting.board import Board, Column
from evals.reporting.page import Section
from evals.reporting.table import Table
from evals.reporting.tables import Figure, cost, differences, quality, shown

__all__ = ("PUBLISHED", "SEEDS", "filtering")

PUBLISHED = ("dfa", "dfa-no-observation", "dfa-no-preview")
_OURS = ("no-scan", "no-observation", "no-preview")
SEEDS = (0, 1, 2)
_FIGURES = (
    RECALL,
    Figure("NACE mean", "normalised_error"),
    Figure("F1", "f1"),
    Figure("chunks read", "judged_share"),
    Figure("calls", "calls", digits=1),
)
_COMPARED = _FIGURES[:3]


def filtering(bench: Bench) -> list[Section]:
    """Take the look at discarded passages away, and the preview."""
    reader = bench.plan.reasoner
    seeded = [
        arm.model_copy(update={"name": _at(arm.name, seed), "reasoner": _reader(reader, seed)})
        for arm in arms_of(PUBLISHED, reader)
        if arm.name != WHOLE
        for seed in SEEDS
    ]
    _, published = bench.measure("filtering", seeded, part="published")
    arms = arms_of(_OURS, reader)
    _, whole = bench.measure("filtering", arms, part="whole")
    text = (
        "The paper looks at what a filter call keeps and at what it discards. Here that look, and "
        "the preview of a call, are taken from the published pipeline (dfa: it filters, judges and "
        f"stops), with {len(SEEDS)} seeds of the reader, since one bad call in ten is drawn by the "
        "seed and decides what an answer is worth; and, with one seed, from the whole product made "
        "to filter (no-scan), which the other two rows of that table are to be compared with."
    )
    tables = [
        table for board in whole for table in (quality(board), cost(board), differences(board))
    ]
    title = "What filters discard, and what they would do"
    return [
        Section(
            name="filtering",
            title=title,
            text=[text],
            tables=[
                legend((*PUBLISHED, *_OURS)),
                *(_pooled(board) for board in published),
                *(of_chapter(table, "filtering") for table in tables),
            ],
        )
    ]


def _reader(reasoner: str, seed: int) -> str:
    """Return the reader with errors of that seed; a model or the rules draw nothing."""
    return f"{reasoner},seed={seed}" if reasoner.startswith("skill:") else reasoner


def _at(name: str, seed: int) -> str:
    return f"{name} @ seed {seed}"


def _pooled(board: Board) -> Table:
    """Return a row a variant: means over seeds, and what it lies above the first."""
    by_name = board.by_name
    found = {name: [by_name[_at(name, seed)] for seed in SEEDS] for name in PUBLISHED}
    first = found[PUBLISHED[0]]
    rows = [
        [
            name,
            *(_cell(_mean(columns, figure), figure) for figure in _FIGURES),
            *(
                "–" if columns is first else shown(_minus(columns, first, figure), figure.digits)
                for figure in _COMPARED
            ),
        ]
        for name, columns in found.items()
    ]
    beyond = (f"{figure.head} minus {PUBLISHED[0]}" for figure in _COMPARED)
    interval = (
        "In brackets the 95 % interval of a paired bootstrap over questions, each with its mean "
        f"over {len(SEEDS)} seeds."
    )
    return Table(
        name=f"filtering-{board.collection.name}-seeds",
        title=f"{board.collection.name}: the published pipeline, means over {len(SEEDS)} seeds",
        head=("arm", *(figure.head for figure in _FIGURES), *beyond),
        rows=rows,
        notes=[*notes_of([board]), interval],
    )


def _by_question(columns: Sequence[Column], figure: Figure) -> dict[str, float | None]:
    """Return each question's mean over the seeds; None where the figure is undefined for it."""
    told: dict[str, float | None] = {}
    for question in columns[0].measured:
        values = [
            value
            for column in columns
            if question in column.measured
            and (value := column.measured[question].result.figure(figure.name)) is not None
        ]
        told[question] = fmean(values) if values else None
    return told


def _mean(columns: Sequence[Column], figure: Figure) -> Estimate:
    return estimate(list(_by_question(columns, figure).values()))


def _minus(columns: Sequence[Column], first: Sequence[Column], figure: Figure) -> Estimate:
    ours, theirs = _by_question(columns, figure), _by_question(first, figure)
    pairs = [(value, theirs.get(question)) for question, value in ours.items()]
    return estimate([a - b if a is not None and b is not None else None for a, b in pairs])


def _cell(figure: Estimate, told: Figure) -> str:
    return "–" if figure.value is None else f"{figure.value:,.{told.digits}f}"
