"""Many questions in one figure each: in total and by kind of question."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evals.bootstrap import Estimate, Statistic, estimate
from evals.run import Asked

__all__ = ("FIGURES", "GROUPINGS", "Figure", "by_kind", "summarise")


@dataclass(frozen=True, slots=True)
class Figure:
    """A column of the tables."""

    name: str
    attribute: str
    """The attribute of a score that it is taken over."""
    statistic: Statistic = "mean"


FIGURES = (
    Figure("exact", "exact"),
    Figure("ace_mean", "absolute_error"),
    Figure("nace_mean", "normalised_error"),
    Figure("nace_median", "normalised_error", "median"),
    Figure("relative_error", "relative_error"),
    Figure("precision", "precision"),
    Figure("recall", "recall"),
    Figure("f1", "f1"),
    Figure("chunk_recall_filtered", "chunk_recall_filtered"),
    Figure("chunk_recall_judged", "chunk_recall_judged"),
    Figure("judged_share", "judged_share"),
    Figure("bounds_held", "bounds_held"),
    Figure("evidence_recall", "evidence_recall"),
    Figure("process_accuracy", "process"),
    Figure("final_accuracy", "final"),
    Figure("full_accuracy", "full"),
    Figure("calls", "calls"),
    Figure("input_tokens", "input_tokens"),
    Figure("seconds", "seconds"),
)
GROUPINGS = ("aggregation", "logic", "decided_by")


def summarise(asked: Sequence[Asked]) -> dict[str, Estimate]:
    """Return every figure over some questions, undefined values left out, with its interval."""
    return {
        figure.name: estimate(
            [getattr(each.score, figure.attribute) for each in asked], figure.statistic
        )
        for figure in FIGURES
    }


def by_kind(asked: Sequence[Asked], attribute: str) -> Mapping[str, list[Asked]]:
    """Return the questions by an attribute of their records, the largest group first."""
    kinds: dict[str, list[Asked]] = defaultdict(list)
    for each in asked:
        kinds[getattr(each.record, attribute) or "not stated"].append(each)
    return dict(sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0])))
