"""The label sets that bounds are tried on: the questions of a file, over their corpora."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evals.questions import Record
from evals.scope import folder_of, scope_of
from evals.spans import gold_chunks

if TYPE_CHECKING:
    from evals.corpora import Corpora

__all__ = ("Case", "cases")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Case:
    """One question as a search sees it: chunks, a cheap score of each, and which are relevant."""

    id: str
    relevant: NDArray[np.bool_]
    """The truth, (N,)."""
    scores: NDArray[np.float64]
    """BM25 of the question and its conditions, (N,)."""
    document: tuple[int, ...]
    """The document of each chunk."""

    @property
    def share(self) -> float:
        """The share of the chunks that is relevant."""
        return float(self.relevant.mean())


def cases(records: Sequence[Record], documents: Path, corpora: "Corpora") -> Iterator[Case]:
    """Yield the questions asked over `documents` or a part of it that have a relevant chunk."""
    for record in records:
        if folder_of(record, documents) != documents:
            continue
        corpus = corpora.over(scope_of(record, documents))
        relevant = np.zeros(corpus.chunk_count, dtype=bool)
        relevant[[gold.chunk for gold in gold_chunks(record, corpus) if gold.chunk >= 0]] = True
        if relevant.any():
            told = " ".join([record.question, *(each.text for each in record.conditions)])
            yield Case(
                id=record.id,
                relevant=relevant,
                scores=corpus.lexical.bm25(told),
                document=tuple(corpus.chunk_document.tolist()),
            )
