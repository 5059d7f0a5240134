"""Orders in which chunks are read that no verdict changes: scans, rankings, the filters alone."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from typing import Any

import numpy as np
from pyroaring import BitMap

from evals.compare.batching_cases import filtered
from evals.compare.search_case import Case, Sought
from tools.feedback.next_round import Limits, Round, decide
from tools.feedback.ranker import Ranked, Ranker, merge
from tools.retrieval import reciprocal_rank_fusion

__all__ = (
    "Order",
    "bm25",
    "dfa",
    "dfa_ranked",
    "full_scan",
    "fused",
    "fused_question",
    "headcount",
    "lsa",
    "oracle",
    "plain_feedback",
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


_SEED_search_feedback = 0
_PRESUMED = 100


@dataclass(slots=True)
class _Search:
    """What is known of one condition."""

    sought: Sought
    yes: dict[int, str] = field(default_factory=dict)
    """The quote of each chunk that matched."""
    no: BitMap = field(default_factory=BitMap)

    def read(self, chunk: int) -> bool:
        """Take the gold judge's verdict on a chunk; tell whether it matches."""
        quote = self.sought.quotes.get(chunk)
        if quote is None:
            self.no.add(chunk)
            return False
        self.yes[chunk] = quote
        return True


_Rank = Callable[[_Search, BitMap, int], list[Ranked]]


def headcount(case: Case) -> list[int]:
    """Read by feedback from verdicts and quotes, what the filters kept being likelier."""
    kept = BitMap(filtered(case.record, case.corpus))
    rankers = {
        id(sought): Ranker(case.corpus, sought.text, kept=kept, sentences=case.sentences)
        for sought in case.sought
    }

    def rank(search: _Search, pool: BitMap, n: int) -> list[Ranked]:
        quotes = list(search.yes.values())
        return rankers[id(search.sought)].rank(quotes, search.no, pool, n)

    return _read(case, rank)


def plain_feedback(case: Case) -> list[int]:
    """Read by a classifier of whole chunks by words (AutoTAR, arXiv:1504.06868).

    Matches are the condition's words and the chunks that matched; what did not match and 100
    random unread chunks are not. Rounds grow as the product's do.
    """
    rows = case.sentences.chunks.tocsr()
    return _read(case, lambda search, pool, n: _by_chunks(case, rows, search, pool, n))


def _by_chunks(case: Case, rows: Any, search: _Search, pool: BitMap, n: int) -> list[Ranked]:
    from scipy.sparse import vstack
    from sklearn.linear_model import LogisticRegression

    unread = np.array(pool, dtype=np.int64)
    rng = np.random.default_rng(_SEED_search_feedback)
    presumed = rng.choice(unread, min(_PRESUMED, len(unread)), replace=False)
    asked = case.sentences.rows(search.sought.text)
    others = np.concatenate([np.array(search.no, dtype=np.int64), presumed])
    features = vstack([asked, rows[list(search.yes)], rows[others]])
    truth = np.arange(features.shape[0]) < asked.shape[0] + len(search.yes)
    model = LogisticRegression(
        solver="liblinear", class_weight="balanced", random_state=_SEED_search_feedback
    )
    scores = rows[unread] @ model.fit(features, truth).coef_[0]
    best = np.argsort(-scores, kind="stable")[:n]
    return [Ranked(int(unread[place]), float(scores[place])) for place in best]


def _read(case: Case, rank: _Rank) -> list[int]:
    """Read round by round until every gold chunk was read; the rest follows in document order."""
    limits = Limits(idle_rounds=0)
    searches = [_Search(sought) for sought in case.sought]
    pool = BitMap(range(len(case.corpus)))
    order: list[int] = []
    rounds: list[Round] = []
    left = set(case.present)
    while left:
        size = decide(rounds, limits, unread=len(pool)).size
        batch = merge([rank(search, pool, size) for search in searches], size)
        rounds.append(Round(len(batch), _hits(searches, batch)))
        order += batch
        pool -= BitMap(batch)
        left -= set(batch)
    return [*order, *pool]


def _hits(searches: Sequence[_Search], batch: Sequence[int]) -> int:
    return sum(search.read(chunk) for chunk in batch for search in searches)
