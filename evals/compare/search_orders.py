"""Orders in which chunks are read that no verdict changes: scans, rankings, the filters alone."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, zip_longest

import numpy as np

from evals.compare.batching_filtered import filtered
from evals.compare.search_case import Case
from tools.retrieval import reciprocal_rank_fusion

__all__ = (
    "Order",
    "bm25",
    "dfa",
    "dfa_ranked",
    "full_scan",
    "fused",
    "fused_question",
    "lsa",
    "oracle",
    "random_scan",
)

Order = Callable[[Case], Sequence[int]]
"""Returns the chunks of a case's corpus in the order they are read, each once."""
_SEED = 0


def full_scan(case: Case) -> list[int]:
    """Read in document order."""
    return list(range(len(case.corpus)))


def random_scan(case: Case) -> list[int]:
    """Read in a random order, the same in every run."""
    order: list[int] = np.random.default_rng(_SEED).permutation(len(case.corpus)).tolist()
    return order


def bm25(case: Case) -> list[int]:
    """Read by BM25; the conditions' rankings in turn."""
    return _in_turn(_by_bm25(case, each.text) for each in case.sought)


def lsa(case: Case) -> list[int]:
    """Read by the cosine of the embedding; the conditions' rankings in turn."""
    return _in_turn(_by_vectors(case, each.text) for each in case.sought)


def fused(case: Case) -> list[int]:
    """Read by the fusion of the two; the conditions' rankings in turn."""
    return _in_turn(_fused(case, each.text) for each in case.sought)


def fused_question(case: Case) -> list[int]:
    """Read by the fusion of the two for the question as asked."""
    return _fused(case, case.record.question)


def dfa(case: Case) -> list[int]:
    """Read what the filters keep, in document order, then the rest."""
    return _first(filtered(case.record, case.corpus), full_scan(case))


def dfa_ranked(case: Case) -> list[int]:
    """Read what the filters keep by the fused ranking, then the rest by it."""
    ranking = fused(case)
    kept = frozenset(filtered(case.record, case.corpus))
    return _first([chunk for chunk in ranking if chunk in kept], ranking)


def oracle(case: Case) -> list[int]:
    """Read the gold chunks first: no order can be better."""
    return _first(sorted(case.present), full_scan(case))


def _by_bm25(case: Case, text: str) -> list[int]:
    order: list[int] = np.argsort(-case.corpus.lexical.bm25(text), kind="stable").tolist()
    return order


def _by_vectors(case: Case, text: str) -> list[int]:
    cosines = case.corpus.vectors.similarity(case.corpus.embedder.embed([text])[0])
    order: list[int] = np.argsort(-cosines, kind="stable").tolist()
    return order


def _fused(case: Case, text: str) -> list[int]:
    rankings = [_by_bm25(case, text), _by_vectors(case, text)]
    return [chunk for chunk, _ in reciprocal_rank_fusion(rankings)]


def _in_turn(rankings: Iterable[Sequence[int]]) -> list[int]:
    turns = chain.from_iterable(zip_longest(*rankings))
    return list(dict.fromkeys(chunk for chunk in turns if chunk is not None))


def _first(chosen: Sequence[int], others: Sequence[int]) -> list[int]:
    return list(dict.fromkeys([*chosen, *others]))
