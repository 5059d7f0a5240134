"""Where a corpus mentions something: the places for certain, and the chunks where it can be.

Whole words, whatever their case, accents, the spaces, breaks, hyphens and emphasis between them;
the last one in singular and plural, or the inflections of the document's language. The patterns are
in the syntax that Python's engine and Rust's share: one scans all chunks and finds the places.
"""

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, pairwise, product
from math import prod
from typing import Final

import numpy as np
from pyroaring import BitMap

from agent.corpus_view import Lexicon
from agent.english import american, noun_forms, singular, unaccented
from agent.languages import (
    ENGLISH,
    MARKS,
    UNSPACED,
    core,
    gap_pattern,
    is_unspaced,
    plain_run,
    variants,
)
from tools.corpus.corpus import Corpus
from tools.filters.local_engine import scan
from tools.filters.phrases import Pattern
from tools.filters.searchable import ids

_SHY: Final = "\u00ad\u200b-\u200d\u2060\ufeff"
_HYPHENS: Final = r"\-\u2010-\u2013"
_APOSTROPHES: Final = "'\u2019\u2018\u02bc"
_MARKS: Final = "[\u0300-\u036f]*"
_WITHIN: Final = rf"[{_SHY}]*(?:[\-\u2010]\r?\n[ \t]*)?"
"""Between the letters of a word: nothing, what is invisible, a hyphen at a line's end."""
_INLINE: Final = rf"(?:[^\S\n]|[{_HYPHENS}{_SHY}*_`])"
_GAP: Final = rf"{_INLINE}*(?:\n\s*)?"
_SOME_GAP: Final = rf"(?:{_INLINE}+(?:\n\s*)?|\n\s*)"
_HYPHEN: Final = rf"[{_HYPHENS}]\s*"
_LETTER: Final = rf"(?:(?![{UNSPACED}])[^\W_]|[{MARKS}])"
_AFTER: Final = (
    rf"(?!{_LETTER})(?!_{_LETTER})(?![\u0300-\u036f])(?![{_APOSTROPHES}](?![sS](?![^\W_]))[^\W_])"
)
"""Behind a word: no letter, no mark that makes another letter of its last, no contraction."""
_EDGE: Final = r"[^\p{L}\p{N}]"
_BORDER: Final = rf"[[^\p{{L}}\p{{N}}]{UNSPACED}]"
"""What stands before a word or behind it."""
_REFERENCE: Final = "&[#0-9A-Za-z]+;"
_ADDRESS: Final = r"\]\([^)\n]*\)"
_CUT: Final = r"(?:&[#0-9A-Za-z]*|\]|\]\([^)\n]*)?$"
"""Where a chunk ends: within a character reference or a link's address, or elsewhere."""
_SEPARATED: Final = re.compile(rf"([\s{_HYPHENS}{_SHY}_]*)([^\s{_HYPHENS}{_SHY}_]+)")
_SHORTENED: Final = re.compile(r"([A-Z][A-Za-z]{0,3})\.?")
"""What may be an initial or a title, with a full stop behind it or without: `J. O'Neill`."""
_POSSESSIVE: Final = re.compile(rf"(?<=\w)(?:[{_APOSTROPHES}][sS]|(?<=[sS])[{_APOSTROPHES}])\Z")
_FUNCTION_WORDS: Final = frozenset(
    re.findall(
        r"\w+",
        "a all am an and any are as at be but by can did do for from had has have he i if in is it"
        " its may me must my no nor not of off on or our out per shall she so that the they this"
        " to up us was we were who will with you",
    )
)
_DEEPEST: Final = 60
"""Letters of a term of which the beginnings are told apart where a chunk ends."""
_AT_ONCE: Final = 400
"""Letters of the terms that are looked for in one scan."""
_HALF: Final = 4
"""Letters that each part of a word has at least which a corpus may write as two."""
_WAYS: Final = 64
"""Spellings of a phrase up to which all of its words are inflected, not the last one alone."""
_WEB_ADDRESS: Final = re.compile(r"[^\s<>()\[\]]*(?:@|://|\bwww\.)[^\s<>()\[\]]+")
_TELLING: Final = 4
"""Letters of a term that tell something within an address."""
_PREFIX: Final = 2
"""Letters that a beginning has at least which a corpus parts by a hyphen."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A letter or sign of a term as a pattern."""

    sign: str
    gap: str
    """What may stand before it."""
    full: str
    head: str = ""
    """The beginning of `full` that is one character; empty where that may be several."""
    begun: str = ""
    """What of it can stand before a cut; empty where it is cut nowhere."""


_Pieces = tuple[_Piece, ...]


class TermPattern:
    r"""All spellings of some terms; those without a letter or digit are left out.

    With the words of a corpus, a word in small letters also stands for its other English spelling
    (`licence`, `license`) and for two words as which the corpus writes it (`heat well`).

    >>> found = TermPattern(["e-mail address"]).spans
    >>> [text for text in ("Email addresses", "e-\nmail  address's", "email addressed")
    ...  if list(found(text))]
    ['Email addresses', "e-\nmail  address's"]
    >>> len(list(TermPattern(["Dr. Webb"]).spans("Dr Webb; Dr. Webb")))
    2
    """

    def __init__(self, terms: Iterable[str], lexicon: Lexicon | None = None) -> None:
        spellings = [each for term in terms for each in _spellings(term, lexicon)]
        self.spellings = sorted(dict.fromkeys(spellings), key=len, reverse=True)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where the terms stand; of places that overlap the first, then the longest."""
        if self.spellings:
            for found in self._compiled.finditer(text):
                yield found.span()

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile("|".join(f"(?:{_bounded(each)})" for each in self.spellings))


def _loose_spellings(terms: Iterable[str]) -> list[_Pieces]:
    """Return patterns that miss no way to write a term; none where one has no letter or digit.

    Case, accents, spaces, punctuation, markup, a link's address and character references make no
    difference, and a term inside a longer word counts.
    """
    folded = [
        "".join(filter(str.isalnum, _folded(unicodedata.normalize("NFC", each)))) for each in terms
    ]
    return [_loose(each) for each in folded] if all(folded) else []


def _loose(letters: str) -> _Pieces:
    """Return the pieces of letters with anything else between them.

    Between ASCII letters that may be others too, which keeps the pattern small.
    """
    other = "[^0-9A-Za-z]" if letters.isascii() else _EDGE
    gap = rf"(?:{other}|{_REFERENCE}|{_ADDRESS})*"
    return tuple(
        replace(
            each,
            gap=gap,
            full=f"(?:{_ligatures(each.sign, gap)}|{_REFERENCE})",
            begun=f"(?:{_any_of(each.sign)}{gap})+" if len(each.sign) > 1 else each.begun,
        )
        for each in _letters(letters)
    )


def _batched(
    spellings: Iterable[_Pieces], patterns: Callable[[_Pieces], Iterable[str]]
) -> Iterator[str]:
    """Yield the patterns of the spellings as alternatives, of so many letters at once."""
    ways: list[str] = []
    letters = 0
    for spelling in spellings:
        letters += len(spelling)
        if ways and letters > _AT_ONCE:
            yield "|".join(ways)
            ways, letters = [], len(spelling)
        ways += patterns(spelling)
    if ways:
        yield "|".join(ways)


def _spellings(term: str, lexicon: Lexicon | None) -> Iterator[_Pieces]:
    term = _POSSESSIVE.sub("", unicodedata.normalize("NFC", term).strip())
    words = [word for _, word in _SEPARATED.findall(term)]
    if not any(map(str.isalnum, term)):
        return
    if term.isupper() and term.casefold() in _FUNCTION_WORDS:
        yield _sequence(words, [""], cased=True)
        return
    *first, last = words
    first = [_SHORTENED.sub(r"\1", each) if _SHORTENED.fullmatch(each) else each for each in first]
    gaps = ["", *_gaps(term)]
    choices = [[_folded(word), *_other_spellings(word, lexicon)] for word in first]
    endings = _endings(last, lexicon, alone=not first)
    wide = [
        list(dict.fromkeys((*own, *_abroad(word, lexicon))))
        for own, word in zip(choices, first, strict=True)
    ]
    if prod(map(len, wide)) * len(endings) <= _WAYS:
        choices = wide
    for chosen in product(*choices, endings):
        yield _sequence(chosen, gaps)
    if not first:
        yield from _parted(last, lexicon)


def _gaps(term: str) -> Iterator[str]:
    """Yield what may stand between each two words of a term.

    Two words are also written as one, unless one of them is a function word: `in sight`, `insight`.
    """
    for (_, before), (gap, word) in pairwise(_SEPARATED.findall(term)):
        alone = {before.casefold(), word.casefold()} & _FUNCTION_WORDS
        between = _SOME_GAP if alone and gap.isspace() else _GAP
        yield rf"\.?{between}" if _SHORTENED.fullmatch(before) else between


def _endings(word: str, lexicon: Lexicon | None, *, alone: bool) -> Sequence[str]:
    """Return the forms of a term's last word; a name such as `Windows` has no singular."""
    others = _abroad(word, lexicon)
    spoken = lexicon is None or ENGLISH in lexicon.languages
    if not spoken or (others and not (lexicon and lexicon.inflections_in(word, ENGLISH))):
        return list(dict.fromkeys((_folded(word), *others)))
    forms = list(noun_forms(_folded(word)))
    if word.islower():
        forms += [other for each in tuple(forms) for other in _other_spellings(each, lexicon)]
    if word.casefold() in _FUNCTION_WORDS:
        forms = forms[:1]
    elif alone and _is_name(word):
        forms = [form for form in forms if form == forms[0] or form != singular(forms[0])]
    return list(dict.fromkeys((*forms, *others)))


def _is_name(term: str) -> bool:
    """Tell whether a term is one word that is written as a name."""
    return term[:1].isupper() and not term.isupper() and not _SEPARATED.sub("", term, count=1)


def _abroad(word: str, lexicon: Lexicon | None) -> list[str]:
    """Return the forms of a word in the other languages than English in which it stands, or all."""
    if is_unspaced(word):
        return [core(plain_run(word), lexicon.languages if lexicon is not None else ())]
    if lexicon is None or lexicon.languages == (ENGLISH,):
        return []
    low = word.lower()
    spoken = [each for each in lexicon.languages if lexicon.stands_in(low, each)]
    spoken = [each for each in spoken or lexicon.languages if each != ENGLISH]
    forms = (lexicon.inflections_in(low, each) for each in spoken)
    return [_folded(form) for own in forms for form in own]


def _inflected(terms: Iterable[str], lexicon: Lexicon | None) -> Iterator[str]:
    """Yield terms, and those with their words inflected in other languages than English."""
    for term in terms:
        yield term
        words = [word for _, word in _SEPARATED.findall(term)]
        ways = [list(dict.fromkeys((word, *_abroad(word, lexicon)))) for word in words]
        if prod(map(len, ways)) <= _WAYS:
            yield from map(" ".join, product(*ways))


def _other_spellings(word: str, lexicon: Lexicon | None) -> Iterator[str]:
    """Yield how the corpus spells a word otherwise that is British in one spelling."""
    if lexicon is None or not word.islower() or not word.isalpha():
        return
    for form in lexicon.spellings(word):
        if form != word and american(form) == american(word):
            yield _folded(form)


def _parted(word: str, lexicon: Lexicon | None) -> Iterator[_Pieces]:
    """Yield a word as two that the corpus has, cut where they are most even: `chick peas`.

    Where the corpus has the word itself they need a hyphen, since two words may mean something
    else; so does a beginning of two or three letters: `re-opened`.
    """
    if lexicon is None or not word.isalpha() or len(word) < _PREFIX + _HALF or is_unspaced(word):
        return
    low = word.lower()
    for one, other in ((low[:at], low[at:]) for at in range(_PREFIX, _HALF)):
        forms = noun_forms(_folded(other))
        if lexicon.frequency(one) and one not in _FUNCTION_WORDS and len(other) >= _HALF:
            found = [form for form in forms if lexicon.frequency(form)]
            yield from (_sequence((_folded(one), form), ["", _HYPHEN]) for form in found)
    cuts = sorted(range(_HALF, len(word) - _HALF + 1), key=lambda at: abs(2 * at - len(word)))
    for one, other in ((low[:at], low[at:]) for at in cuts):
        forms = noun_forms(_folded(other))
        known = lexicon.frequency(one) and any(map(lexicon.frequency, forms))
        if known and not _FUNCTION_WORDS & {one, other}:
            gap = _HYPHEN if lexicon.frequency(low) else _GAP
            for form in forms:
                yield _sequence((_folded(one), form), ["", gap])
            return


def _sequence(words: Sequence[str], gaps: Sequence[str], *, cased: bool = False) -> _Pieces:
    pieces: list[_Piece] = []
    for word, gap in zip(words, gaps, strict=True):
        as_written = (_Piece(each, "", re.escape(each), re.escape(each)) for each in word)
        letters = as_written if cased else _letters(word)
        pieces += [
            replace(each, gap=gap_pattern(each.sign, _WITHIN) if at else gap)
            for at, each in enumerate(letters)
        ]
    return tuple(pieces)


def _letters(word: str) -> Iterator[_Piece]:
    """Yield the letters of a folded word; those that one character may stand for (`ß`) as one."""
    groups = _written()
    at = 0
    while at < len(word):
        end, here = at + 1, at
        while here < end:
            end = max([end, *(here + n for n in (2, 3) if word[here : here + n] in groups)])
            here += 1
        letters, at = word[at:end], end
        if len(letters) == 1:
            yield _letter(letters)
        else:
            yield _Piece(
                letters, "", _ligatures(letters, _WITHIN), begun=f"(?:{_any_of(letters)}{_WITHIN})*"
            )


def _letter(letter: str) -> _Piece:
    if letter in _APOSTROPHES:
        return _Piece(letter, "", f"[{_APOSTROPHES}]", f"[{_APOSTROPHES}]")
    written = _class(letter)
    base, *marks = list(unicodedata.normalize("NFD", letter))
    if letter.isascii() or not marks:
        return _Piece(letter, "", written + _MARKS * bool(re.match("[a-z]", letter)), written)
    bare = _class(_folded(base))
    return _Piece(letter, "", f"(?:{written}|{bare}{''.join(marks)})", begun=bare)


def _ligatures(letters: str, within: str) -> str:
    """Return the pattern of letters, with `within` between two or one sign for several."""
    if not letters:
        return ""
    ways = []
    for size in (1, 2, 3):
        if size == 1 or (size <= len(letters) and letters[:size] in _written()):
            full = _letter(letters[0]).full if size == 1 else _class(letters[:size])
            rest = _ligatures(letters[size:], within)
            ways.append(full + (within if rest else "") + rest)
    return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"


def _any_of(letters: str) -> str:
    parts = {letters[at : at + n] for at in range(len(letters)) for n in (1, 2, 3)}
    return f"[{''.join(sorted({*letters, *''.join(_written().get(each, '') for each in parts)}))}]"


def _class(letters: str) -> str:
    """Return the pattern of one character that stands for a letter, or for several."""
    own = variants(letters) if len(letters) == 1 else ""
    written = own + "".join(_written().get(each, "") for each in own or [letters])
    return re.escape(written) if len(written) == 1 else f"[{re.escape(written)}]"


@lru_cache(maxsize=1)
def _written() -> dict[str, str]:
    """Return by one letter or more the characters that are folded to them."""
    found: dict[str, str] = {}
    for code in chain(range(0x2E80), range(0xA640, 0xAC00), range(0xFB00, 0x10000)):
        letter = chr(code)
        alike = unicodedata.normalize("NFKC", letter) if letter.isalpha() else letter
        folded = _folded(alike)
        if folded not in {"", letter} and all(map(str.isalnum, folded)):
            found[folded] = found.get(folded, "") + letter
    return found


def _folded(text: str) -> str:
    return unaccented(unaccented(text).casefold()).replace("\N{LATIN SMALL LETTER DOTLESS I}", "i")


def _bounded(spelling: _Pieces) -> str:
    """Return the pattern of a spelling in Python's syntax, at the edges of words.

    What has to stand before it is looked at behind its first character: the engine skips to that.
    """
    first, last = spelling[0], spelling[-1].sign
    behind = r"[\s\S]" if first.head else ""
    before, after = "", _AFTER * _is_bound(last)
    if _is_bound(first.sign):
        before = rf"(?<!{_LETTER}{behind})(?<!{_LETTER}_{behind})"
    if first.sign.isdigit():
        before += rf"(?<!\d[.,]{behind})"
    if last.isdigit():
        after += r"(?![.,]\d)"
    if len(spelling) == 1:
        after += r"(?!\+\+|#)"  # C is neither C++ nor C#
    return first.head + before + _joined(spelling).removeprefix(first.head) + after


def _is_bound(sign: str) -> bool:
    """Tell whether a word that begins or ends with a sign has an edge there."""
    return re.match(rf"[^\W_]|[{MARKS}]", sign) is not None and not is_unspaced(sign)


def _joined(pieces: Sequence[_Piece]) -> str:
    return pieces[0].full + "".join(each.gap + each.full for each in pieces[1:])


def _scanned(spelling: _Pieces) -> Iterator[str]:
    """Yield what a chunk matches, in Rust's syntax: the spelling, and its beginning at the end.

    It matches more than that: the edges of words are looked at roughly.
    """
    pieces = spelling[:_DEEPEST]
    before = rf"(?:^|{_BORDER})" if _is_bound(pieces[0].sign) else ""
    whole = len(pieces) == len(spelling) and _is_bound(pieces[-1].sign)
    yield before + _joined(pieces) + (rf"(?:{_BORDER}|$)" if whole else "")
    yield from (before + each for each in _ended(pieces, f"{_EDGE}*$"))


def _ended(spelling: _Pieces, end: str) -> Iterator[str]:
    """Yield the pattern of a spelling's beginnings before an end; none where it is one letter."""
    pieces, begun = spelling[:_DEEPEST], ""
    for at, piece in reversed(list(enumerate(pieces))):
        ways = [piece.begun] if piece.begun else []
        if at + 1 < len(pieces):
            ways.append(piece.full + (f"(?:{pieces[at + 1].gap}{begun})?" if begun else ""))
        begun = ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})" if ways else ""
    if begun:
        yield begun + end


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

        A place may lie across the edges of chunks. Of places that overlap there is the first, of
        those that begin together the longest. One scan finds the documents.
        """
        corpus = self._corpus
        pattern = self._pattern(tuple(terms))
        chunks = ids(self._matching(_batched(pattern.spellings, _scanned)))
        return self._placed(
            (document, start, end)
            for document in np.unique(corpus.chunk_document[chunks]).tolist()
            for start, end in self.spans(corpus.document_text(document), terms)
        )

    def _placed(self, spans: Iterable[tuple[int, int, int]]) -> list[Place]:
        """Return spans with the first chunk that holds each whole, else where it begins."""
        corpus, found = self._corpus, list(spans)
        document, start, end = np.array(found, dtype=np.int64).reshape(-1, 3).T
        longest = int(corpus.chunk_end.max(initial=0)) + 1
        ends = corpus.chunk_document.astype(np.int64) * longest + corpus.chunk_end
        whole = np.searchsorted(ends, document * longest + end)
        begun = np.searchsorted(ends, document * longest + start, side="right")
        bearing: list[int] = np.where(corpus.chunk_start[whole] <= start, whole, begun).tolist()
        return [Place(*each, chunk) for each, chunk in zip(found, bearing, strict=True)]

    def perhaps(self, terms: Sequence[str], certain: Container[int]) -> list[Place]:
        """Return where documents that are not certain to mention a name may yet do so.

        Within an address (`sales@hallamfineart.example`), or in the singular of what was taken for
        a name that ends in s (`Eurobalises`); one place a document.
        """
        corpus, found = self._corpus, dict[int, Place]()
        names = (each for each in terms if each != each.lower())
        letters = ["".join(filter(str.isalnum, _folded(each))) for each in names]
        letters = [each for each in letters if len(each) >= _TELLING]
        loose = (self.holding(terms) if letters else None) or BitMap()
        for document in np.unique(corpus.chunk_document[list(loose)]).tolist():
            for span in _WEB_ADDRESS.finditer(corpus.document_text(document)):
                written = "".join(filter(str.isalnum, _folded(span[0])))
                if any(each in written for each in letters):
                    found[document] = Place(document, *span.span(), 0)
        singulars = [singular(each) for each in terms if _is_name(each)]
        for place in self.places([one for one in singulars if one not in terms]):
            if corpus.document_text(place.document)[place.start].isupper():
                found[place.document] = place
        return self._placed(
            (each.document, each.start, each.end)
            for each in found.values()
            if each.document not in certain
        )

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
            self._patterns[terms] = TermPattern(terms, self._corpus.lexicon)
        return self._patterns[terms]

    def holding(self, terms: Sequence[str]) -> BitMap | None:
        """Return the chunks that hold the letters and digits of one of the terms, in their order.

        It is generous, so that what is left out holds none: case, accents, ligatures, spaces,
        hyphens, quotes, markup and invisible characters make no difference, and a term inside a
        longer word counts. None where there is no term, or one without letters and digits.
        """
        spellings = _loose_spellings(_inflected(terms, self._corpus.lexicon))
        whole = _batched(spellings, lambda each: (_joined(each[:_DEEPEST]),))
        return self._matching(whole) if spellings else None

    def across_edges(self, terms: Sequence[str]) -> BitMap:
        """Return the chunks between which a term stands, in part in the one and in the next."""
        corpus = self._corpus
        spellings = _loose_spellings(_inflected(terms, corpus.lexicon))
        if not spellings or len(corpus) < 2:
            return BitMap()
        begun = _batched(spellings, lambda each: _ended(each, f"{each[0].gap}{_CUT}"))
        holds = re.compile("|".join(map(_joined, spellings)).replace(_EDGE, r"[\W_]"))
        reach = _STRETCH * max(len(term) for term in terms) + _MARKUP
        goes_on = np.append(corpus.chunk_document[:-1] == corpus.chunk_document[1:], [False])
        found = BitMap()
        for chunk in self._matching(begun) & BitMap(np.flatnonzero(goes_on)):
            document, edge = int(corpus.chunk_document[chunk]), int(corpus.chunk_end[chunk])
            near = corpus.document_text(document)[max(0, edge - reach) : edge + reach]
            if holds.search(near):
                found.update((chunk, chunk + 1))
        return found

    def _matching(self, patterns: Iterable[str]) -> BitMap:
        every = BitMap(range(len(self._corpus.texts)))
        scanned = (scan(self._corpus, every, Pattern(each)) for each in patterns)
        return BitMap.union(BitMap(), *scanned)


_AROUND = 60
"""Characters before and behind a place at most."""
_CUT_WORD: Final = re.compile(r"\A\S+")
_WORD_CUT: Final = re.compile(r"\S+\Z")


def in_context(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Widen each span to whole words of its line, up to its neighbours.

    Spans are in the order of the text, none overlapping another.

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
        before, behind = text[first:start], text[end:last]
        if len(before) > _AROUND:
            before = _CUT_WORD.sub("", before[-_AROUND:])
        if len(behind) > _AROUND:
            behind = _WORD_CUT.sub("", behind[: _AROUND + 1])
        wide.append((start - len(before.lstrip()), end + len(behind.rstrip())))
    return wide
