"""What ranking alone would have found: BM25 over the same chunks, cut at the best place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from evals.metrics import match
from evals.names import DocumentNames
from evals.questions import Record

__all__ = ("GRID", "Baseline", "Curve", "RankedCorpus", "curves", "means")

GRID = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500)
Curve = Mapping[int, float]
"""F1 of one question by the cut."""


class Lexical(Protocol):
    """Scores every chunk."""

    def bm25(self, query: str) -> NDArray[np.float64]:
        """Return the BM25 score of every chunk, (N,)."""
        ...


class RankedCorpus(Protocol):
    """Chunks that can be ranked."""

    @property
    def documents(self) -> Sequence[str]:
        """The documents' names."""
        ...

    @property
    def chunk_document(self) -> NDArray[np.integer[Any]]:
        """The document of each chunk, (N,)."""
        ...

    @property
    def lexical(self) -> Lexical:
        """The lexical index."""
        ...


@dataclass(frozen=True, slots=True)
class Baseline:
    """F1 of one question by the number of chunks taken, and by the number of documents."""

    chunks: Curve
    """The documents of the k best chunks are the answer."""
    documents: Curve
    """The n documents with the best single chunk are the answer."""


def curves(record: Record, corpus: RankedCorpus) -> Baseline | None:
    """Rank the corpus by the question's words; None where documents are not the answer.

    Which cut is best is only known from the truth: the best of a curve is an oracle's choice, so
    that the baseline is not beaten for want of a good k. Ties are broken by chunk.
    """
    if record.target != "documents":
        return None
    scores = corpus.lexical.bm25(record.question)
    ranking = corpus.chunk_document[np.argsort(-scores, kind="stable")]
    _, first = np.unique(ranking, return_index=True)
    by_best_chunk = ranking[np.sort(first)]
    return Baseline(_curve(record, corpus, ranking), _curve(record, corpus, by_best_chunk))


def means(found: Sequence[Curve]) -> Curve:
    """Return the mean curve of several questions."""
    return {cut: float(np.mean([curve[cut] for curve in found])) for cut in GRID} if found else {}


def _curve(
    record: Record, corpus: RankedCorpus, ranking: NDArray[np.integer[Any]]
) -> dict[int, float]:
    names = DocumentNames(corpus.documents)
    gold = names.keys(record.answer or ())
    neutral = names.keys(record.borderline_documents)
    taken = {cut: {f"#{document}" for document in ranking[:cut].tolist()} for cut in GRID}
    return {cut: match(answer, gold, neutral).f1 or 0.0 for cut, answer in taken.items()}
