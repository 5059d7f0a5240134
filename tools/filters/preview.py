"""What a call would do, seen before it is committed, and samples of both sides of it."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from agent.reasoner import ToolCall
from tools.filters.bitmaps import ids
from tools.filters.hints import hint
from tools.filters.registry import apply, arguments_of
from tools.filters.searchable import Searchable
from tools.retrieval import reciprocal_rank_fusion

__all__ = ("Preview", "preview", "sample_discarded", "sample_kept")


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The effect of a filter call that has not been committed."""

    kept: BitMap
    discarded: BitMap
    """The candidates that are not kept."""
    lost: BitMap
    """Known positives among the discarded."""
    hint: str
    """What the corpus lacks of the call and has instead; empty where nothing."""


def preview(corpus: Searchable, candidates: BitMap, call: ToolCall, positives: BitMap) -> Preview:
    """Return what a filter call would keep, discard and lose; raises ToolArgumentError."""
    kept = apply(corpus, candidates, call)
    discarded = candidates - kept
    told = hint(corpus, arguments_of(call), kept=len(kept))
    return Preview(kept=kept, discarded=discarded, lost=discarded & positives, hint=told)


def sample_kept(
    corpus: Searchable, kept: BitMap, query: str, n: int, seed: int = 0
) -> tuple[int, ...]:
    """Return n of the kept chunks: a third nearest to the query, the others at random."""
    return _sample(corpus, kept, query, n, nearest=n // 3, seed=seed)


def sample_discarded(
    corpus: Searchable, discarded: BitMap, query: str, n: int, seed: int = 0
) -> tuple[int, ...]:
    """Return n of the discarded chunks: half nearest to the query, half at random.

    The nearest are where a mistake would show first; the random ones say what the bulk is.
    """
    return _sample(corpus, discarded, query, n, nearest=(n + 1) // 2, seed=seed)


def _sample(
    corpus: Searchable, chunks: BitMap, query: str, n: int, *, nearest: int, seed: int
) -> tuple[int, ...]:
    """Return the nearest, best first, then random others; all chunks where there are no more.

    The same set, query and seed give the same sample.
    """
    near = _nearest(corpus, ids(chunks), query, nearest)
    others = ids(chunks - BitMap(near))
    drawn = _generator(chunks, seed).permutation(len(others))[: max(0, n - len(near))]
    return (*near, *(int(chunk) for chunk in np.sort(others[drawn])))


def _nearest(corpus: Searchable, chunks: NDArray[np.int64], query: str, n: int) -> Sequence[int]:
    """Return the n chunks nearest to the query by BM25 and by cosine, the two ranks fused."""
    if not len(chunks) or n < 1:
        return ()
    vector = corpus.embedder.embed([query])[0]
    scores = (corpus.lexical.bm25(query)[chunks], corpus.vectors.similarity(vector, chunks))
    depth = 10 * n
    rankings = [chunks[np.argsort(-each, kind="stable")[:depth]].tolist() for each in scores]
    return [chunk for chunk, _ in reciprocal_rank_fusion(rankings)][:n]


def _generator(chunks: BitMap, seed: int) -> np.random.Generator:
    """Return a generator seeded by the set's content."""
    digest = hashlib.sha256(ids(chunks).tobytes()).digest()
    return np.random.default_rng([int.from_bytes(digest[:8], "little"), seed])
