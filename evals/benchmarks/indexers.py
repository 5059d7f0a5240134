"""The ways to index that are compared; each runs in a process of its own."""

import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from evals.benchmarks.growth.taken import cpu_seconds
from evals.benchmarks.peak import peak_mb

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ("INDEXERS", "lexical", "okapi", "stack", "tell", "whole")

_DIMENSIONS = 256


def whole(folder: str, corpus: str) -> float:
    """Build the corpus: read, chunk, count words, fit and apply LSA, cluster; return seconds."""
    from tools.corpus.build import build

    began = time.perf_counter()
    build([folder], corpus)
    return time.perf_counter() - began


def lexical(corpus: str, place: str) -> float:
    """Count the words of the corpus's chunks, as `whole` does; return seconds."""
    from tools.corpus.words.lexical_build import build_lexical

    texts = _texts(corpus)
    began = time.perf_counter()
    build_lexical(texts, Path(place))
    return time.perf_counter() - began


def okapi(corpus: str) -> float:
    """Count the same words with rank-bm25; return seconds."""
    texts = _texts(corpus)
    began = time.perf_counter()
    _okapi(texts)
    return time.perf_counter() - began


def stack(corpus: str, place: str) -> float:
    """Make of the chunks what a usual stack offers: BM25, LSA vectors, Chroma; return seconds."""
    from evals.benchmarks.nearest import collection

    texts = _texts(corpus)
    began = time.perf_counter()
    counted = _okapi(texts)
    collection(_lsa(texts), Path(place))
    seconds = time.perf_counter() - began
    del counted
    return seconds


INDEXERS: Mapping[str, Callable[..., float]] = {
    function.__name__: function for function in (whole, lexical, okapi, stack)
}


def tell(name: str, *places: str) -> None:
    """Run one way; print as JSON its seconds, and this process's processor time and peak memory."""
    seconds = INDEXERS[name](*places)
    told = {"seconds": seconds, "cpu": cpu_seconds(), "peak_mb": peak_mb()}
    sys.stdout.write(json.dumps(told))


def _texts(corpus: str) -> list[str]:
    from tools.corpus.corpus import open_corpus

    texts: list[str] = open_corpus(corpus).texts.to_list()
    return texts


def _okapi(texts: list[str]) -> object:
    from rank_bm25 import BM25Okapi

    from tools.corpus.words.tokenizer import words

    return BM25Okapi([words(text) for text in texts])


def _lsa(texts: list[str]) -> "NDArray[np.float32]":
    """Return LSA vectors by scikit-learn, of our embedder's words and dimensions."""
    import numpy as np
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    from tools.corpus.words.tokenizer import words

    weights = TfidfVectorizer(
        tokenizer=words, token_pattern=None, lowercase=False, sublinear_tf=True, min_df=2
    )
    weighted = weights.fit_transform(texts)
    most = min(_DIMENSIONS, *weighted.shape)
    rows = TruncatedSVD(most, random_state=0).fit_transform(weighted)
    return np.asarray(rows, dtype=np.float32)
