"""A round of feedback over all chunks, against scikit-learn scoring and sorting every row."""

from typing import Any

import numpy as np
from pyroaring import BitMap

from evals.benchmarks.drawn import drawn_words
from evals.benchmarks.rounds import medians
from evals.benchmarks.row import LARGE, Aim, Figure, Row, Unequal
from tools.corpus.corpus import Corpus
from tools.feedback.ranker import Ranker, Sentences
from tools.filters.searchable import bitmap

__all__ = ("feeding",)

_SHARE = 0.001
_READ = 60
_NEXT = 100


def feeding(corpus: Corpus, rounds: int) -> list[Row]:
    """Rank all that is unread after sixty verdicts on a rare word; both sides learn from the same.

    What is made once a question, the weighted rows of all chunks, is not timed on either side.
    """
    sentences = Sentences(corpus)
    (word,) = drawn_words(corpus.lexical, 1, share=_SHARE)
    holding = corpus.lexical.postings(word)[: _READ // 2]
    others = np.setdiff1d(np.arange(2 * _READ), holding)[: _READ // 2]
    read, rows = np.concatenate((holding, others)), sentences.chunks.tocsr()
    pool = BitMap(range(len(corpus))) - bitmap(read)
    quotes = [corpus.chunk_text(int(chunk)) for chunk in holding]
    ranker = Ranker(corpus, f"mentions {word}", sentences=sentences)

    def ours() -> int:
        return len(ranker.rank(quotes, bitmap(others), pool, _NEXT))

    def peer() -> int:
        return len(_by_rows(rows, read, np.arange(len(read)) < len(holding)))

    if ours() != _NEXT or peer() != _NEXT:
        raise Unequal(f"a round of feedback does not rank {_NEXT} chunks")
    taken = medians({"ours": ours, "peer": peer}, rounds if len(corpus) <= LARGE else 1)
    return [
        Row(
            what="a round of feedback over all chunks",
            unit="ms",
            ours=Figure("Ranker.rank", taken["ours"] * 1000),
            peer=Figure("scikit-learn, all rows sorted", taken["peer"] * 1000),
            aim=Aim("at most", 1000),
            note=f"{len(read)} chunks read, {len(pool):,} ranked; ours scores the sentences of "
            "the best thousand too",
        )
    ]


def _by_rows(rows: Any, read: Any, truth: Any) -> list[int]:
    """Return the next chunks as a usual learner ranks them: fit, decide on every row, sort."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(solver="liblinear", class_weight="balanced", random_state=0)
    scores = model.fit(rows[read], truth).decision_function(rows)
    scores[read] = -np.inf
    order: list[int] = np.argsort(-scores, kind="stable")[:_NEXT].tolist()
    return order
