"""BM25 of all chunks, against rank-bm25."""

import random
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from evals.benchmarks.rounds import medians
from evals.benchmarks.row import LARGE, Aim, Figure, Row, Unequal
from tools.corpus.corpus import Corpus
from tools.corpus.words.lexical import LexicalIndex
from tools.corpus.words.tokenizer import words

__all__ = ("queries", "ranking")

_QUERIES = 5
_WORDS = 5
_FEW_ROUNDS = 3
"""Over a large corpus, where the peer takes ten seconds a round."""
_DIGITS = 8
"""Scores are added up in different orders: they are compared to so many decimal places."""


def ranking(corpus: Corpus, rounds: int) -> list[Row]:
    """Score every chunk for a few queries, having checked that both sides rank alike.

    The peer's index is made untimed, chunk by chunk, since all words at once would double its
    memory: about 9 GB for a million chunks.
    """
    from rank_bm25 import BM25Okapi

    ours, peer = corpus.lexical, BM25Okapi(_words(corpus))
    asked = queries(ours)
    for query in asked:
        if _order(ours.bm25(query)) != _order(peer.get_scores(query)):
            raise Unequal(f"BM25 ranks the chunks otherwise than rank-bm25 for {query}")
    taken = medians(
        {
            "ours": lambda: _answer(ours.bm25, asked),
            "peer": lambda: _answer(peer.get_scores, asked),
        },
        rounds if len(corpus) <= LARGE else min(rounds, _FEW_ROUNDS),
    )
    each = 1000 / len(asked)
    return [
        Row(
            what="BM25 of all chunks, a query",
            unit="ms",
            ours=Figure("LexicalIndex.bm25", taken["ours"] * each),
            peer=Figure("rank_bm25.BM25Okapi", taken["peer"] * each),
            aim=Aim("times", 1000),
            note=f"identical order of all {len(corpus):,} chunks for {len(asked)} queries",
        )
    ]


def _answer(score: Callable[[list[str]], NDArray[np.float64]], asked: Sequence[list[str]]) -> None:
    """Score the queries one after another, as they come; no two answers are held at a time."""
    for query in asked:
        score(query)


def _words(corpus: Corpus) -> Iterator[list[str]]:
    return (words(text) for text in corpus.texts)


def queries(index: LexicalIndex, seed: int = 0) -> list[list[str]]:
    """Draw queries of a few words each, frequent words likelier than rare ones."""
    draw = random.Random(seed)  # noqa: S311 - a sample, no secret
    weights = index.document_frequency.tolist()
    return [draw.choices(index.vocabulary, weights, k=_WORDS) for _ in range(_QUERIES)]


def _order(scores: NDArray[np.float64]) -> list[int]:
    order: list[int] = np.argsort(-np.round(scores, _DIGITS), kind="stable").tolist()
    return order
