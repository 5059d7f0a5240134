"""Ranking everything not yet judged by what was judged: continuous active learning.

A text is a row of word weights, TF-IDF (1 + ln tf) · (ln((1 + N) / (1 + n)) + 1), scaled to length
1. A clause is lost in the row of a whole chunk, so that sentences have rows, too; what kind of
document it stands in only the whole chunk shows.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from tools.corpus.chunking.chunker import sentences
from tools.corpus.corpus import Corpus
from tools.corpus.embeddings.vectors import highest
from tools.corpus.processes import in_turn
from tools.corpus.words.lexical import tf_idf
from tools.corpus.words.lexicon import words
from tools.filters.searchable import ids
from tools.retrieval import alternating, ranked_among

_SEED = 0


def word_weights(matches: Any, others: Any, stems: Any) -> NDArray[np.float32]:
    """Return a weight for each word form, (V,), so that `rows @ weights` orders by likeness.

    The features of a row x are x ⊕ x·S, with S the stems, CSR (V, stems). The logistic regression
    w ⊕ w′ over them is linear in the words, hence folds into w + S·w′. Both classes have the same
    total weight (Cormack and Grossman, AutoTAR, arXiv:1504.06868, with L2 in place of an SVM).

    `matches` and `others`, which are not wanted or presumed so, are CSR (n, V) with a row at least.
    """
    from scipy.sparse import hstack, vstack
    from sklearn.linear_model import LogisticRegression

    rows = vstack([matches, others]).tocsr()
    features = hstack([rows, rows @ stems]).tocsr()
    used = np.unique(features.indices)
    truth = np.arange(rows.shape[0]) < matches.shape[0]
    model = LogisticRegression(
        solver="liblinear", class_weight="balanced", max_iter=1000, random_state=_SEED
    )
    model.fit(features[:, used], truth)
    weights = np.zeros(features.shape[1], dtype=np.float32)
    weights[used] = model.coef_[0]
    folded: NDArray[np.float32] = weights[: stems.shape[0]] + stems @ weights[stems.shape[0] :]
    return folded


_CACHED = 20_000
_BLOCK = 4_000_000
"""Counts that are weighted at once, or those of one word: what is at work stays small."""


class Sentences:
    """The rows of one corpus; conditions share it."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._known: dict[int, Any] = {}
        self._idf = corpus.lexical.smooth_idf

    def __len__(self) -> int:
        """Return the number of chunks, N."""
        return len(self._corpus)

    @cached_property
    def chunks(self) -> Any:
        """All chunks' rows, a CSC matrix (N, V) on the index's own places."""
        from scipy.sparse import csc_matrix

        counts = self._corpus.lexical.matrix
        weights, squares = np.empty(counts.nnz, dtype=np.float32), np.zeros(len(self))
        most = int(counts.data.max(initial=1))
        logs = 1 + np.log(np.maximum(np.arange(most + 1, dtype=np.float32), 1))

        def weighted(columns: slice, span: slice) -> NDArray[Any]:
            block = weights[span]
            np.take(logs, counts.data[span], out=block, mode="clip")
            sizes = np.diff(counts.indptr[columns.start : columns.stop + 1])
            block *= np.repeat(self._idf[columns], sizes)
            return np.bincount(counts.indices[span], weights=block**2, minlength=len(self))

        def shortened(span: slice) -> None:
            weights[span] /= np.take(lengths, counts.indices[span])

        blocks = list(_blocks(counts.indptr))
        for own in in_turn(lambda block: weighted(*block), blocks):
            squares += own
        lengths = np.sqrt(squares).astype(np.float32)
        for _ in in_turn(shortened, (span for _, span in blocks)):
            pass
        return csc_matrix((weights, counts.indices, counts.indptr), shape=counts.shape, copy=False)

    @cached_property
    def stems(self) -> Any:
        """Which stem each word form has, a CSR matrix (V, stems) of ones."""
        import polars as pl
        from scipy.sparse import csr_matrix

        # Not numpy's `unique`: there a word takes as much room as the longest of all.
        ranks = pl.Series(self._corpus.lexical.stems, dtype=pl.String).rank("dense").to_numpy()
        columns = ranks.astype(np.int64) - 1
        ones, starts = np.ones(len(columns), dtype=np.float32), np.arange(len(columns) + 1)
        width = int(columns.max()) + 1 if len(columns) else 0
        return csr_matrix((ones, columns, starts), shape=(len(columns), width))

    def of(self, chunk: int) -> Any:
        """Return a row for each sentence of a chunk that has words, a CSR matrix (n, V)."""
        if chunk not in self._known:
            if len(self._known) >= _CACHED:
                self._known.clear()
            self._known[chunk] = self.rows(self._corpus.chunk_text(chunk))
        return self._known[chunk]

    def rows(self, text: str) -> Any:
        """Return a row for each sentence of a text that has words of the corpus, (n, V)."""
        from scipy.sparse import csr_matrix

        cut = [words(text[start:end]) for start, end in sentences(text)]
        forms = list(dict.fromkeys(chain.from_iterable(cut)))
        found_at = self._corpus.lexical.places(forms).tolist()
        columns = {form: at for form, at in zip(forms, found_at, strict=True) if at >= 0}
        places: list[int] = []
        counts: list[int] = []
        starts = [0]
        for sentence in cut:
            found = Counter(columns[word] for word in sentence if word in columns)
            if found:
                places.extend(found.keys())
                counts.extend(found.values())
                starts.append(len(places))
        shape = (len(starts) - 1, len(self._idf))
        arrays = np.array(counts, dtype=np.float32), np.array(places, dtype=np.int32), starts
        return tf_idf(csr_matrix(arrays, shape=shape), self._idf)

    def whole(self, chunks: Iterable[int]) -> Any:
        """Return a row for each of these chunks that has words, a CSR matrix (n, V)."""
        counts = self._corpus.lexical.rows(np.fromiter(chunks, dtype=np.int64))
        return tf_idf(counts[np.diff(counts.indptr) > 0], self._idf)


def _blocks(starts: NDArray[np.integer[Any]]) -> Iterator[tuple[slice, slice]]:
    """Yield word after word in blocks of counts: which words, and where their counts stand."""
    cuts = np.searchsorted(starts, np.arange(0, int(starts[-1]), _BLOCK))
    for first, stop in pairwise([*np.unique(cuts).tolist(), len(starts) - 1]):
        yield slice(first, stop), slice(int(starts[first]), int(starts[stop]))


_KEPT = 2.0
"""What being kept by the filters adds to a score: a standard deviation by chunk and by sentence."""
_SHORTLIST = 1000
"""Chunks whose sentences are scored in a round, at least: the best by their words as a whole."""
_QUOTED = 1000
"""Quotes that a round learns from at most, drawn at random: more say little that is new."""
_PRESUMED = 300
_REFUSED = 100
_SAMPLED = 100


class Ranked(NamedTuple):
    """A chunk to read, with its place's reason."""

    chunk: int
    score: float
    """Standard deviations above the shortlist's mean, comparable between rounds; before any
    verdict the score of the fused retrieval."""


class Ranker:
    """Ranks the unread chunks of a corpus for one condition.

    Before anything was judged it is the fusion of BM25 and vectors by the condition's words. Then
    two classifiers know the condition's words. One learns sentences: the quotes found match, random
    ones of what is unread, or was judged not to match, do not. The other learns whole chunks, those
    that matched and random ones of the same. A chunk scores by its words as a whole and by its best
    sentence as the first has it, by its words as the second has it, each in standard deviations,
    and for having been kept by the filters.
    """

    def __init__(
        self,
        corpus: Corpus,
        text: str,
        *,
        kept: BitMap | None = None,
        sentences: Sentences | None = None,
    ) -> None:
        """Rank for a condition; the chunks that filters `kept` are likelier."""
        self._corpus = corpus
        self._text = text
        self._kept = kept if kept is not None else BitMap()
        self._sentences = sentences if sentences is not None else Sentences(corpus)
        self._asked = self._sentences.rows(text)

    def rank(
        self, quotes: Sequence[str], yes: BitMap, no: BitMap, pool: BitMap, n: int
    ) -> list[Ranked]:
        """Return at most n chunks of the pool, the unread, the likeliest first; ties by chunk.

        The quotes, of chunks in `yes`, proved the condition so far; chunks in `no` were read and do
        not satisfy it.
        """
        if not pool or n < 1:
            return []
        rng = np.random.default_rng(_SEED)
        drawn = [_drawn(ids(each), _SAMPLED, rng) for each in (pool, no)]
        of_sentences = self._learnt(self._told(quotes), self._refuted(drawn, rng))
        of_chunks = self._learnt(
            [self._sentences.whole(_drawn(ids(yes), _QUOTED, rng))],
            [self._sentences.whole(each) for each in drawn],
        )
        if not (quotes or no) or of_sentences is None or of_chunks is None:
            found = ranked_among(self._corpus, self._text, ids(pool), max(n, _SHORTLIST))
            ranked = [Ranked(*each) for each in found]
            return sorted(ranked, key=lambda each: each.chunk not in self._kept)[:n]
        return self._by_words(of_sentences, of_chunks, pool, n)

    def _learnt(self, matches: Iterable[Any], others: Iterable[Any]) -> NDArray[np.float32] | None:
        """Return the word weights that tell rows apart, (V,); None where one side has none."""
        from scipy.sparse import vstack

        told = vstack([self._asked, *matches]).tocsr(), vstack([*others]).tocsr()
        empty = not all(each.shape[0] for each in told)
        return None if empty else word_weights(*told, self._sentences.stems)

    def _told(self, quotes: Sequence[str]) -> Iterator[Any]:
        known = list(dict.fromkeys(quotes))
        places = _drawn(np.arange(len(known)), _QUOTED, np.random.default_rng(_SEED))
        return (self._sentences.rows(known[at]) for at in places)

    def _refuted(self, drawn: Sequence[Iterable[int]], rng: np.random.Generator) -> Iterator[Any]:
        """Yield at most so many sentences of the chunks drawn, of the unread and the refused."""
        from scipy.sparse import csr_matrix, vstack

        none = csr_matrix((0, self._asked.shape[1]), dtype=np.float32)
        for chunks, most in zip(drawn, (_PRESUMED, _REFUSED), strict=True):
            rows = vstack([none, *map(self._sentences.of, chunks)]).tocsr()
            yield rows[rng.permutation(rows.shape[0])[:most]]

    def _by_words(
        self,
        of_sentences: NDArray[np.float32],
        of_chunks: NDArray[np.float32],
        pool: BitMap,
        n: int,
    ) -> list[Ranked]:
        unread = ids(pool)
        both = self._sentences.chunks @ np.stack([of_sentences, of_chunks], axis=1)
        whole = _standard(both[unread, 0]) + _standard(both[unread, 1])
        best = highest(whole, max(n, _SHORTLIST))
        chunks = unread[best]
        parts = self._best_sentences(chunks.tolist(), of_sentences)
        parts[np.isnan(parts)] = np.nanmin(parts) if not np.isnan(parts).all() else 0.0
        kept = np.array([chunk in self._kept for chunk in chunks.tolist()], bool)
        scores = whole[best] + _standard(parts) + _KEPT * kept
        order = np.lexsort((chunks, -scores))[:n]
        return [Ranked(int(chunks[place]), float(scores[place])) for place in order]

    def _best_sentences(
        self, chunks: Sequence[int], weights: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """Return the score of each chunk's best sentence; NaN where none has words."""
        rows = [self._sentences.of(chunk) for chunk in chunks]
        best = np.full(len(rows), np.nan)
        told = [place for place, each in enumerate(rows) if each.shape[0]]
        if told:
            data, columns = (
                np.concatenate([getattr(rows[place], name) for place in told])
                for name in ("data", "indices")
            )
            sizes = np.concatenate([np.diff(rows[place].indptr) for place in told])
            scores = np.add.reduceat(data * weights[columns], np.cumsum(sizes) - sizes)
            each = np.array([rows[place].shape[0] for place in told])
            best[told] = np.maximum.reduceat(scores, np.cumsum(each) - each)
        return best


def _drawn(values: NDArray[np.int64], most: int, rng: np.random.Generator) -> list[int]:
    """Draw so many without replacement, in their order; all where there are no more."""
    if len(values) <= most:
        return [int(each) for each in values]
    return [int(each) for each in np.sort(rng.choice(values, most, replace=False))]


def merge(rankings: Sequence[Iterable[Ranked]], size: int) -> list[int]:
    """Return the next batch of a question: its conditions' rankings, taken in turn, each once.

    >>> first, second = [Ranked(4, 2.0), Ranked(1, 1.0)], [Ranked(4, 3.0), Ranked(7, 0.5)]
    >>> merge([first, second], 3), merge([first, second], 2)
    ([4, 1, 7], [4, 1])
    """
    return list(dict.fromkeys(ranked.chunk for ranked in alternating(rankings)))[: max(0, size)]


_AT_ONCE = 2
"""Passages of a doubtful document that come first in a round."""
_PUT_BACK = 10
"""Places by which a passage falls behind for each of its document that stands before it."""


def spread(
    chunks: Sequence[int],
    document: Sequence[int] | Mapping[int, int] | NDArray[np.int32],
    doubtful: Collection[int] = (),
) -> list[int]:
    """Put each further chunk of a document ten places later than the one before it.

    The best two of each doubtful document come first, in turn with the others.

    >>> spread([4, 5, 9, 6], {4: 0, 5: 0, 6: 0, 9: 1}, doubtful=[1])
    [9, 4, 5, 6]
    """
    turns: Counter[int] = Counter()
    placed: list[tuple[int, int, int]] = []
    for place, chunk in enumerate(chunks):
        turn = turns[document[chunk]]
        placed.append((place + _PUT_BACK * turn, turn, chunk))
        turns[document[chunk]] += 1
    parted: tuple[list[int], list[int]] = ([], [])
    for _, turn, chunk in sorted(placed):
        first = turn < _AT_ONCE and document[chunk] in doubtful
        parted[not first].append(chunk)
    return list(alternating(parted))


def _standard(scores: NDArray[Any]) -> NDArray[np.float64]:
    spread = float(scores.std())
    centred: NDArray[np.float64] = (scores - scores.mean()).astype(np.float64)
    return centred / spread if spread > 0 else centred
