"""Where a corpus mentions something: the places for certain, and the chunks where it can be."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from pyroaring import BitMap

from tools.corpus.corpus import Corpus
from tools.filters.scan import Pattern, scan
from tools.filters.searchable import ids
from tools.mention_patterns import TermPattern, loose_pattern, term_pattern

_STRETCH = 3
_MARKUP = 200
"""How much longer than its term a mention can be: with its spaces and hyphens, with an address."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a term stands."""

    document: int
    start: int
    """The first character in the document's text."""
    end: int
    """The character behind it."""
    chunk: int
    """The first chunk that holds it whole, else the one that it begins in."""


class Mentions:
    """Where a corpus mentions a term."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._patterns: dict[tuple[str, ...], TermPattern] = {}

    def places(self, terms: Sequence[str]) -> list[Place]:
        """Return every place where one of the terms stands, by document and start.

        What counts as a term's spelling says `tools.mention_patterns`. A place may lie across the
        edges of chunks. Of places that overlap there is the first, of those that begin together the
        longest. One scan finds the documents, so that a million chunks take seconds.

        Args:
            terms: words or phrases; those without a letter or digit stand nowhere.
        """
        corpus = self._corpus
        pattern = self._pattern(tuple(terms))
        chunks = ids(self._matching(pattern.scans()))
        found = [
            (document, start, end)
            for document in np.unique(corpus.chunk_document[chunks]).tolist()
            for start, end in self.spans(corpus.document_text(document), terms)
        ]
        return [
            Place(*span, chunk) for span, chunk in zip(found, self._bearing(found), strict=True)
        ]

    def spans(
        self, text: str, terms: Sequence[str], excludes: Sequence[str] = ()
    ) -> list[tuple[int, int]]:
        """Return the spans of a text where one of the terms stands, in no excluded phrase."""
        found = self._pattern(tuple(terms)).spans(text)
        barred = list(self._pattern(tuple(excludes)).spans(text)) if excludes else []
        return [
            (start, end)
            for start, end in found
            if not any(first <= start and end <= last for first, last in barred)
        ]

    def _pattern(self, terms: tuple[str, ...]) -> TermPattern:
        if terms not in self._patterns:
            self._patterns[terms] = term_pattern(terms, self._corpus.lexicon)
        return self._patterns[terms]

    def _bearing(self, spans: Sequence[tuple[int, int, int]]) -> list[int]:
        """Return the chunk of each span: the first that holds it whole, else where it begins."""
        corpus = self._corpus
        document, start, end = np.array(spans, dtype=np.int64).reshape(-1, 3).T
        longest = int(corpus.chunk_end.max(initial=0)) + 1
        ends = corpus.chunk_document.astype(np.int64) * longest + corpus.chunk_end
        whole = np.searchsorted(ends, document * longest + end)
        begun = np.searchsorted(ends, document * longest + start, side="right")
        bearing: list[int] = np.where(corpus.chunk_start[whole] <= start, whole, begun).tolist()
        return bearing

    def holding(self, terms: Sequence[str]) -> BitMap | None:
        """Return the chunks that hold the letters and digits of one of the terms, in their order.

        It is generous, so that what is left out holds none: case, accents, ligatures, spaces,
        hyphens, quotes, markup and invisible characters make no difference, and a term inside a
        longer word counts. None where there is no term, or one without letters and digits.
        """
        pattern = loose_pattern(terms)
        return None if pattern is None else self._matching(pattern.whole)

    def across_edges(self, terms: Sequence[str]) -> BitMap:
        """Return the chunks between which a term stands, in part in the one, in part in the next.

        Only edges are looked at before which a term may have begun.
        """
        corpus, pattern = self._corpus, loose_pattern(terms)
        if pattern is None or len(corpus) < 2:
            return BitMap()
        reach = _STRETCH * max(len(term) for term in terms) + _MARKUP
        goes_on = np.append(corpus.chunk_document[:-1] == corpus.chunk_document[1:], [False])
        found = BitMap()
        for chunk in self._matching(pattern.begun) & BitMap(np.flatnonzero(goes_on)):
            document, edge = int(corpus.chunk_document[chunk]), int(corpus.chunk_end[chunk])
            near = corpus.document_text(document)[max(0, edge - reach) : edge + reach]
            if pattern.holds.search(near):
                found.update((chunk, chunk + 1))
        return found

    def _matching(self, patterns: Iterable[str]) -> BitMap:
        """Return the chunks whose text one of the patterns matches."""
        scanned = (scan(self._corpus, self._every, Pattern(each)) for each in patterns)
        return BitMap.union(BitMap(), *scanned)

    @cached_property
    def _every(self) -> BitMap:
        return BitMap(range(len(self._corpus.texts)))


_AROUND = 60
"""Characters before and behind a place at most."""


def in_context(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Widen each span to whole words of its line, up to its neighbours.

    Args:
        text: what the spans are of.
        spans: in the order of the text, none overlapping another.

    >>> text = "Ask for a dog, or a dog."
    >>> [text[start:end] for start, end in in_context(text, [(10, 13), (20, 23)])]
    ['Ask for a dog, or a', 'dog.']
    """
    wide: list[tuple[int, int]] = []
    for place, (start, end) in enumerate(spans):
        first = max(wide[-1][1] if wide else 0, text.rfind("\n", 0, start) + 1)
        following = spans[place + 1][0] if place + 1 < len(spans) else len(text)
        line = text.find("\n", end, following)
        last = following if line < 0 else line
        wide.append((_left(text, first, start), _right(text, end, last)))
    return wide


def _left(text: str, first: int, start: int) -> int:
    """Return where the context before a span begins: at a word, not before `first`."""
    near = max(first, start - _AROUND)
    if near > first:
        cut = next((at for at in range(near, start) if text[at].isspace()), start)
        near = cut
    while near < start and text[near].isspace():
        near += 1
    return near


def _right(text: str, end: int, last: int) -> int:
    """Return where the context behind a span ends: behind a word, not behind `last`."""
    far = min(last, end + _AROUND)
    if far < last:
        far = next((at for at in range(far, end, -1) if text[at].isspace()), end)
    while far > end and text[far - 1].isspace():
        far -= 1
    return far
