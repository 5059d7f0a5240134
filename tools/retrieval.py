"""The best chunks for a text: by its words (BM25), by its vector, or by both, fused by ranks."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from agent.adf_state import Retrieval
from tools.corpus.corpus import Corpus
from tools.corpus.embeddings.vectors import highest
from tools.corpus.words.lexical import LexicalIndex
from tools.corpus.words.tokenizer import words

E = TypeVar("E")
T = TypeVar("T", bound=Hashable)

ETA = 60.0
"""η of Cormack, Clarke and Büttcher (SIGIR 2009), whom ADF cites without a value of its own."""


def reciprocal_rank_fusion(rankings: Sequence[Iterable[T]]) -> list[tuple[T, float]]:
    """Merge rankings by score(d) = Σ_r 1 / (η + rank_r(d)), ranks from 1 (ADF, eq. 6).

    A ranking that lacks an item adds nothing; an item named twice in one counts where it stands
    first. Equal scores keep the order in which the rankings, read one after another, name them.

    >>> [item for item, _ in reciprocal_rank_fusion([["a", "b"], ["b", "c"]])]
    ['b', 'a', 'c']
    """
    scores: dict[T, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            scores[item] = scores.get(item, 0.0) + 1.0 / (ETA + rank)
    return sorted(scores.items(), key=lambda pair: -pair[1])


def alternating(rankings: Iterable[Iterable[E]]) -> Iterator[E]:
    """Yield the first of each ranking, then the second of each, until all are through.

    >>> list(alternating(["abc", "x"]))
    ['a', 'x', 'b', 'c']
    """
    missing: Any = object()
    for row in zip_longest(*rankings, fillvalue=missing):
        yield from (each for each in row if each is not missing)


_DEPTH = 100
"""How deep the rankings are that are fused: deeper than what is kept, so that they can agree."""


def retrieve(
    corpus: Corpus,
    text: str,
    n: int,
    *,
    mode: Retrieval = "hybrid",
    vector: NDArray[np.float32] | None = None,
) -> list[int]:
    """Return at most n chunks, best first (ADF, section 5.3.3); unknown words find none."""
    depth, rankings = max(n, _DEPTH) if mode == "hybrid" else n, []
    if mode != "dense":
        rankings.append(by_words(corpus.lexical, text, depth))
    if mode != "bm25" and vector is None:
        rankings.append(_by_vector(corpus, text, depth))
    elif mode != "bm25" and vector is not None and vector.any():
        rankings.append(highest(corpus.vectors.similarity(vector), depth).tolist())
    return both_ways(rankings, n)


def ranked_among(
    corpus: Corpus, text: str, chunks: NDArray[np.int64], depth: int
) -> list[tuple[int, float]]:
    """Rank some chunks by a text: the best by its words and by its vector, the two ranks fused."""
    vector = corpus.embedder.embed([text])[0]
    scores = corpus.lexical.bm25(text)[chunks], corpus.vectors.similarity(vector, chunks)
    return reciprocal_rank_fusion([chunks[highest(each, depth)].tolist() for each in scores])


def both_ways(rankings: Sequence[Sequence[int]], n: int) -> list[int]:
    """Return the n best of several rankings merged by reciprocal ranks (ADF, eq. 6)."""
    return [chunk for chunk, _ in reciprocal_rank_fusion(rankings)[:n]]


def by_words(index: LexicalIndex, text: str, n: int) -> list[int]:
    """Return the n best chunks by BM25 among those with a word of the text; ties by index."""
    asked = words(text)
    held = index.holding(asked)
    best: list[int] = held[highest(index.bm25(asked)[held], n)].tolist()
    return best


def _by_vector(corpus: Corpus, text: str, n: int) -> list[int]:
    """Return the n nearest chunks; none where the text has no direction."""
    ranked = corpus.ranked(text, n)
    return [chunk for chunk, _ in ranked] if any(cosine for _, cosine in ranked) else []
