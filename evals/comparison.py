"""The agent beside the ranking baseline, on the questions whose answer is documents."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from pydantic import JsonValue

from evals.baseline import Curve, means
from evals.run import Asked
from evals.summary import by_kind

__all__ = ("Comparison", "Row", "compare", "to_json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Mean F1 over the questions of one kind."""

    kind: str
    """A value of `decided_by`, or `all`."""
    n: int
    f1: float
    """The agent's."""
    chunks: float
    """The baseline's with the single best k over all questions."""
    chunks_own: float
    """The baseline's with the best k for this kind."""
    chunks_k: int
    documents: float
    """As `chunks`, for the n best documents instead of the documents of the k best chunks."""
    documents_own: float
    documents_n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The baseline's curves over all questions, and both sides by kind."""

    chunks: Curve
    documents: Curve
    rows: tuple[Row, ...]
    """`all` first."""


def compare(asked: Sequence[Asked]) -> Comparison | None:
    """Compare; None where the baseline was not measured or no answer is documents."""
    measured = [each for each in asked if each.baseline is not None]
    if not measured:
        return None
    chunks, documents = _means(measured)
    kinds = {"all": measured, **by_kind(measured, "decided_by")}
    rows = tuple(
        _row(kind, found, _best(chunks), _best(documents)) for kind, found in kinds.items()
    )
    return Comparison(chunks=chunks, documents=documents, rows=rows)


def to_json(comparison: Comparison | None) -> JsonValue:
    """Return the curves, their best cuts and the rows as JSON; null for None."""
    if comparison is None:
        return None
    return {
        "chunks": {
            "best_k": _best(comparison.chunks),
            "f1": {str(cut): value for cut, value in comparison.chunks.items()},
        },
        "documents": {
            "best_n": _best(comparison.documents),
            "f1": {str(cut): value for cut, value in comparison.documents.items()},
        },
        "decided_by": [asdict(row) for row in comparison.rows],
    }


def _row(kind: str, found: Sequence[Asked], best_k: int, best_n: int) -> Row:
    chunks, documents = _means(found)
    own_k, own_n = _best(chunks), _best(documents)
    return Row(
        kind=kind,
        n=len(found),
        f1=float(np.mean([each.score.f1 or 0.0 for each in found])),
        chunks=chunks[best_k],
        chunks_own=chunks[own_k],
        chunks_k=own_k,
        documents=documents[best_n],
        documents_own=documents[own_n],
        documents_n=own_n,
    )


def _means(found: Sequence[Asked]) -> tuple[Curve, Curve]:
    measured = [each.baseline for each in found if each.baseline is not None]
    return means([each.chunks for each in measured]), means([each.documents for each in measured])


def _best(curve: Curve) -> int:
    """Return the cut with the highest mean F1, the smallest of equals."""
    return max(curve, key=lambda cut: (curve[cut], -cut))
