"""Results as Markdown tables: readable in a terminal, a pipe and a merge request alike."""

from collections.abc import Iterable, Mapping, Sequence

from evals.question_run import FIGURES, GROUPINGS, QUESTION_KEYS, Asked, by_kind, summarise
from evals.scores import Estimate

__all__ = (
    "kinds_table",
    "markdown",
    "questions_table",
    "total_table",
)


_BRIEF = (
    "exact",
    "nace_mean",
    "nace_median",
    "precision",
    "recall",
    "f1",
    "evidence_recall",
    "process_accuracy",
    "final_accuracy",
    "full_accuracy",
    "chunk_recall_filtered",
    "chunk_recall_judged",
    "judged_share",
    "calls",
    "input_tokens",
    "seconds",
)


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Lay out a table with aligned columns, the first to the left and the others to the right.

    >>> print(markdown(["kind", "f1"], [["all", "0.5"]]))
    | kind |  f1 |
    |:-----|----:|
    | all  | 0.5 |
    """
    lines = [list(head), *(list(row) for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(head))]
    rule = "|".join(
        ":" + "-" * (width + 1) if at == 0 else "-" * (width + 1) + ":"
        for at, width in enumerate(widths)
    )
    laid = [_laid(line, widths) for line in lines]
    return "\n".join([laid[0], f"|{rule}|", *laid[1:]])


def questions_table(asked: Sequence[Asked]) -> str:
    """Return a row a question, with the keys of the JSON."""
    rows = [[_cell(key, getattr(each.score, key)) for key in QUESTION_KEYS] for each in asked]
    return markdown(QUESTION_KEYS, rows)


def total_table(asked: Sequence[Asked]) -> str:
    """Return a row a figure over all questions, with its interval."""
    figures = summarise(asked)
    rows = [[figure.name, *_estimate(figure.name, figures[figure.name])] for figure in FIGURES]
    return markdown(("over all questions", "value", "95 % interval", "questions"), rows)


def kinds_table(asked: Sequence[Asked]) -> str:
    """Return a row a kind of question."""
    rows = [
        [f"{attribute}: {kind[:40]}", str(len(found)), *_values(summarise(found))]
        for attribute in GROUPINGS
        for kind, found in by_kind(asked, attribute).items()
    ]
    return markdown(("kind", "questions", *_BRIEF), rows)


def _values(figures: Mapping[str, Estimate]) -> list[str]:
    return [_cell(name, figures[name].value) for name in _BRIEF]


def _estimate(name: str, figure: Estimate) -> tuple[str, str, str]:
    low, high = _cell(name, figure.low), _cell(name, figure.high)
    return _cell(name, figure.value), f"{low} to {high}" if figure.n else "-", str(figure.n)


def _cell(name: str, value: object) -> str:
    match value:
        case None:
            return "-"
        case float() if name in {"calls", "input_tokens", "seconds", "ace_mean"}:
            return f"{value:.1f}"
        case float() if name in {"value", "gold"}:
            return f"{value:g}"
        case float():
            return f"{value:.3f}"
        case _:
            return str(value)


def _laid(line: Sequence[str], widths: Sequence[int]) -> str:
    padded = (
        text.ljust(width) if at == 0 else text.rjust(width)
        for at, (text, width) in enumerate(zip(line, widths, strict=True))
    )
    return f"| {' | '.join(padded)} |"
