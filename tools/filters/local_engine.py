"""The local engine: predicates evaluated in this process over one corpus.

Polars scans the memory-mapped texts. Of up to a hundredth of the chunks they are gathered, up to a
quarter picked by a mask and streamed over all cores; above it reading all costs less.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial, reduce

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pyroaring import BitMap

from agent.predicates import field_values, satisfies
from agent.question import Predicate
from tools.corpus.corpus import Corpus
from tools.corpus.words.lexicon import words
from tools.filters.arguments import Engine, Passage
from tools.filters.phrases import Pattern
from tools.filters.searchable import best, bitmap, ids

_GATHERED = 0.01
_PICKED = 0.25


def scan(corpus: Corpus, candidates: BitMap, pattern: Pattern) -> BitMap:
    """Return the candidates whose text the pattern, in Rust's syntax, matches somewhere."""
    texts = corpus.texts
    if len(candidates) < _GATHERED * len(texts):
        chunks = ids(candidates)
        matched = texts.gather(chunks).str.contains(pattern.text, literal=pattern.literal)
        return bitmap(chunks[matched.to_numpy()])
    if len(candidates) < _PICKED * len(texts):
        chunks, taken = ids(candidates), np.zeros(len(texts), dtype=bool)
        taken[chunks] = True
        return bitmap(chunks[_streamed(texts.filter(pl.Series(taken)), pattern)])
    return bitmap(_streamed(texts, pattern)) & candidates


def _streamed(texts: pl.Series, pattern: Pattern) -> NDArray[np.uint32]:
    """Return the places of the texts that the pattern matches, ascending."""
    matches = pl.col("text").str.contains(pattern.text, literal=pattern.literal)
    frame = texts.alias("text").to_frame().lazy().with_row_index("place")
    found = frame.filter(matches).select("place").collect(engine="streaming")
    return np.asarray(found["place"].to_numpy())


class LocalEngine(Engine):
    """Evaluates predicates over an opened corpus."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus: Corpus = corpus

    def passages(self, chunks: BitMap) -> list[Passage]:
        """Return the passages of chunks, in their order."""
        corpus = self.corpus
        return [
            Passage(
                document=corpus.documents[int(corpus.chunk_document[chunk])],
                start=int(corpus.chunk_start[chunk]),
                end=int(corpus.chunk_end[chunk]),
                text=corpus.chunk_text(chunk),
            )
            for chunk in chunks
        ]

    def postings(self, words: Iterable[str]) -> Mapping[str, BitMap]:
        """Return the chunks that hold each of the word forms."""
        return {word: bitmap(self.corpus.lexical.postings(word)) for word in words}

    def scan(self, wanted: Sequence[tuple[BitMap, Sequence[Pattern]]]) -> list[BitMap]:
        """Return for each pair the chunks of its set whose text all its patterns match."""
        one = partial(scan, self.corpus)
        return [reduce(one, patterns, candidates) for candidates, patterns in wanted]

    def best_by_words(
        self, snapshot: BitMap, query: str, count: int | None, least: float | None
    ) -> BitMap:
        """Return the best of the snapshot by BM25Okapi among those with a word of the query."""
        index = self.corpus.lexical
        chunks = ids(snapshot & bitmap(index.holding(words(query))))
        return best(chunks, index.bm25(query)[chunks], count=count, least=least)

    def best_by_vector(
        self, snapshot: BitMap, query: str, count: int | None, least: float | None
    ) -> BitMap:
        """Return the nearest of the snapshot by the exact cosine."""
        vector, chunks = self.corpus.embedder.embed([query])[0], ids(snapshot)
        if not snapshot or not vector.any():
            return BitMap()
        cosines = self.corpus.vectors.similarity(vector, chunks)
        return best(chunks, cosines, count=count, least=least)

    def described(self, snapshot: BitMap, tests: Sequence[Predicate], *, every: bool) -> BitMap:
        """Return the chunks of documents whose fields satisfy every test, or any."""
        corpus, joined, chunks = self.corpus, all if every else any, ids(snapshot)
        columns = [(field_values(corpus, each.field), each) for each in tests]
        documents = corpus.chunk_document[chunks]
        satisfying = np.zeros(len(corpus.documents), dtype=bool)
        for document in np.unique(documents).tolist():
            satisfying[document] = joined(
                satisfies(has.get(document), each) for has, each in columns
            )
        return bitmap(chunks[satisfying[documents]])
