"""Where a corpus mentions something: the places for certain, and the chunks where it can be."""

import html
import html.entities
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from tools.corpus.corpus import Corpus
from tools.filters.scan import Pattern, scan
from tools.filters.searchable import ids
from tools.mention_patterns import TermPattern, term_pattern

__all__ = ("UNLIKE", "Mentions", "Place", "cut_off", "in_context", "letters_of", "plain")

_MOST = 1_000
"""Letters of all terms together, beyond which a pattern is no quicker than comparing letters."""
_GAP = "[^A-Za-z0-9]*"
_NO_LETTERS = (
    r"\x{80}-\x{A9}\x{AB}-\x{B1}\x{2000}-\x{206F}\x{2190}-\x{245F}\x{2500}-\x{2775}"
    r"\x{FE00}-\x{FE0F}\x{FEFF}"
)
"""Signs beyond ASCII without letters in them: the commonest punctuation, blanks and drawings."""


def _first(names: Sequence[str]) -> list[str]:
    """Return the names that begin with no other."""
    known = frozenset(names)
    return [name for name in sorted(names) if known.isdisjoint(list(accumulate(name))[:-1])]


UNLIKE = Pattern(
    rf"[^\x00-\x7F{_NO_LETTERS}]|\]\(|&(?:#[0-9xX]|{'|'.join(_first(tuple(html.entities.html5)))})"
)
"""What a text holds where its letters can differ from what stands there: a letter beyond ASCII,
which may stand for others, a link's address, a character reference."""


def plain(terms: Sequence[str]) -> Pattern | None:
    """Return what a text with one of the terms matches, and of those without `UNLIKE` no other.

    None where there is no such pattern: a term has letters beyond ASCII, or they are too many.

    Args:
        terms: letters and digits alone, as `letters_of` gives them, none of them empty.
    """
    if not all(term.isascii() for term in terms) or sum(map(len, terms)) > _MOST:
        return None
    return Pattern("(?i)" + "|".join(_GAP.join(term) for term in terms))


def cut_off(terms: Sequence[str]) -> Pattern:
    """Return what a text matches at whose end a term, a link or a reference may be cut off.

    >>> import re
    >>> [bool(re.search(cut_off(["lock"]).text, text)) for text in ("a lo-", "the block", "a ]")]
    [True, False, True]
    """
    ends = [_begun(term) + _GAP for term in terms if len(term) > 1]
    return Pattern("(?i)(?:" + "|".join([*ends, r"\]", "&#?[a-z0-9]*"]) + ")$")


def _begun(term: str) -> str:
    """Return the pattern of the beginnings of a term of two letters and more, but for itself."""
    pattern = ""
    for letter in reversed(term[:-1]):
        pattern = f"{letter}(?:{_GAP}{pattern})?" if pattern else letter
    return pattern


_STRETCH = 3
"""How much longer than its term a mention can be, with its spaces, hyphens and markup."""
_LINK = re.compile(r"\]\([^)\n]*\)")
_OTHER = re.compile(r"[\W_]+")


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

    def places(self, terms: Sequence[str], excludes: Sequence[str] = ()) -> list[Place]:
        """Return every place where one of the terms stands, by document and start.

        What counts as a term's spelling says `tools.mention_patterns`. A place may lie across the
        edges of chunks. Of places that overlap there is the first, of those that begin together the
        longest. One scan finds the documents, so that a million chunks take seconds.

        Args:
            terms: words or phrases; those without a letter or digit stand nowhere.
            excludes: phrases within which a term does not count.
        """
        corpus = self._corpus
        pattern = self._pattern(tuple(terms))
        chunks = BitMap.union(
            BitMap(), *(scan(corpus, self._every, Pattern(each)) for each in pattern.scans())
        )
        found = [
            (document, start, end)
            for document in np.unique(corpus.chunk_document[ids(chunks)]).tolist()
            for start, end in self.spans(corpus.document_text(document), terms, excludes)
        ]
        return [
            Place(*span, chunk) for span, chunk in zip(found, self._bearing(found), strict=True)
        ]

    def spans(
        self, text: str, terms: Sequence[str], excludes: Sequence[str] = ()
    ) -> list[tuple[int, int]]:
        """Return the spans of a text where one of the terms stands; see `places`."""
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

        Most texts hold a term where they match its pattern, which a scan tells; only of the others
        the letters are compared one by one.
        """
        wanted = _wanted(terms)
        if wanted is None:
            return None
        sure, unsure = self._scanned(wanted)
        texts = self._corpus.texts.gather(ids(unsure))
        compared = zip(unsure, texts, strict=True)
        return sure | BitMap(chunk for chunk, text in compared if _holds(text, wanted))

    def across_edges(self, terms: Sequence[str]) -> BitMap:
        """Return the chunks between which a term stands, in part in the one, in part in the next.

        Chunks that overlap by more than the longest term hold it whole; only other edges are looked
        at.
        """
        corpus, wanted = self._corpus, _wanted(terms)
        if wanted is None or len(corpus) < 2:
            return BitMap()
        reach = _STRETCH * max(len(term) for term in terms)
        found = BitMap()
        for chunk in self._edges(wanted, reach).tolist():
            document, edge = int(corpus.chunk_document[chunk]), int(corpus.chunk_end[chunk])
            near = corpus.document_text(document)[max(0, edge - reach) : edge + reach]
            if _holds(near, wanted):
                found.update((chunk, chunk + 1))
        return found

    def _scanned(self, wanted: Sequence[str]) -> tuple[BitMap, BitMap]:
        """Return the chunks that hold a term for certain, and those to compare by letters."""
        pattern = plain(wanted)
        if pattern is None:
            return BitMap(), self._every
        return scan(self._corpus, self._every, pattern) - self._unlike, self._unlike

    def _edges(self, wanted: Sequence[str], reach: int) -> NDArray[np.intp]:
        """Return the chunks at whose end a term may stand, ascending.

        One of the two chunks that meet holds it whole, or spells otherwise than it stands, or the
        first ends with its beginning, or one of them is shorter than what is looked at.
        """
        corpus = self._corpus
        owner, start, end = corpus.chunk_document, corpus.chunk_start, corpus.chunk_end
        same = owner[:-1] == owner[1:]
        bare = same & (start[1:] + reach > end[:-1])
        if plain(wanted) is None:
            return np.flatnonzero(bare)
        follows, goes_on = np.append([False], same[:-1]), np.append(same[1:], [False])
        short = follows & (start[:-1] + reach > end[:-1]) | goes_on & (end[1:] < end[:-1] + reach)
        held = self._mask(BitMap.union(*self._scanned(wanted)))
        begun = self._mask(scan(corpus, self._every, cut_off(wanted)))
        return np.flatnonzero(bare & (short | held[:-1] | held[1:] | begun[:-1]))

    def _mask(self, chunks: BitMap) -> NDArray[np.bool_]:
        mask = np.zeros(len(self._corpus), dtype=bool)
        mask[ids(chunks)] = True
        return mask

    @cached_property
    def _every(self) -> BitMap:
        return BitMap(range(len(self._corpus.texts)))

    @cached_property
    def _unlike(self) -> BitMap:
        """The chunks that may spell a term otherwise than its letters stand there."""
        return scan(self._corpus, self._every, UNLIKE)


def letters_of(text: str) -> str:
    r"""Return the letters and digits of a text alone, without case and accents.

    >>> letters_of("**Caf\u00e9** Stra\u00dfe&shy;"), letters_of("[type](x.html)-check\u200ber")
    ('cafestrasse', 'typechecker')
    """
    if "&" in text:
        text = html.unescape(text)
    if "](" in text:
        text = _LINK.sub("", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
    folded = _OTHER.sub("", text.casefold()).replace("\N{LATIN SMALL LETTER DOTLESS I}", "i")
    return folded if folded.isascii() else _OTHER.sub("", unicodedata.normalize("NFKD", folded))


def _wanted(terms: Sequence[str]) -> list[str] | None:
    wanted = [letters_of(term) for term in terms]
    return wanted if wanted and all(wanted) else None


def _holds(text: str, wanted: Sequence[str]) -> bool:
    letters = letters_of(text)
    return any(term in letters for term in wanted)


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
