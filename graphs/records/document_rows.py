"""One vector a document, from the vectors of its chunks."""

import numpy as np
from numpy.typing import NDArray

from tools.corpus.corpus import Corpus
from tools.records.kinds import document_vectors

__all__ = ("document_rows",)


def document_rows(corpus: Corpus) -> NDArray[np.float64]:
    """Return a unit row for each document of a corpus."""
    return document_vectors(corpus.vectors.rows(), corpus.chunk_document, len(corpus.documents))
