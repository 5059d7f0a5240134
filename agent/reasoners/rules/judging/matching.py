"""Where a passage mentions a term: whole words in all their usual spellings."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from agent.english import unaccented, unaccented_places
from agent.reasoners.rules.language.compounds import HARD_HYPHEN

__all__ = ("spans_of_terms", "term_pattern")

_WORD_BEFORE = r"(?<![^\W_])(?<![^\W_]_)"
_WORD_AFTER = r"(?![^\W_])(?!_[^\W_])"
_GAP = r"[\s\-\u2010-\u2013_]*"
_HYPHEN = r"[\-\u2010-\u2013]\s*"
_PLURAL_Y = re.compile(r"(?<![A-Z])(?<=[b-df-hj-np-tv-z])(?:y|ies)\Z")
_PLURAL = re.compile(r"\b[a-z]{3,}[a-rtv-z]s\Z(?<!is)")
_ARTICLE = re.compile(r"\b(?:an?|the|some|any|no|each|every)\s+(?:[a-z]+[\s-]+)?\Z", re.IGNORECASE)
_FILE_NAME = re.compile(r"\bfile\s?-?names?\b|\w\.[a-z]{2,5}\b", re.IGNORECASE)


def spans_of_terms(
    text: str, terms: Sequence[str], excludes: Sequence[str] = ()
) -> Iterator[tuple[int, int]]:
    r"""Yield the spans of `text` that mention one of the terms, each term from left to right.

    A mention is made of whole words. Case, plural, possessive, hyphens, line breaks and a version
    number behind the term do not matter, nor accents of Latin letters, except that an acronym
    keeps its capitals. A mention
    inside one of the `excludes` phrases does not count, nor, where `excludes` speaks of file
    names, one inside a file name.

    >>> text = "a pre-\ncommit hook"
    >>> [text[a:b] for a, b in spans_of_terms(text, ["Pre commit"])]
    ['pre-\ncommit']
    """
    terms = [term for term in terms if any(map(str.isalnum, term))]
    barred = tuple(_barred_spans(text, terms, excludes))
    no_files = any(_FILE_NAME.search(phrase) for phrase in excludes)
    plain, places = unaccented_places(text)
    for term in terms:
        for found in term_pattern(unaccented(term)).finditer(plain):
            span = places[found.start()], places[found.end()]
            if any(start <= span[0] and span[1] <= end for start, end in barred):
                continue
            if no_files and _in_file_name(text, span):
                continue
            if not _common_noun(term, text, span):
                yield span


@lru_cache(maxsize=512)
def term_pattern(term: str) -> re.Pattern[str]:
    """Compile the pattern of a term's spellings.

    >>> bool(term_pattern("wheel").search("two Wheels")), bool(term_pattern("GIL").search("gil"))
    (True, False)
    """
    stem, ending = _ending(term)
    body = _HYPHEN.join(_spelt(half) for half in stem.split(HARD_HYPHEN))
    flags = 0 if is_acronym(term) else re.IGNORECASE
    return re.compile(f"{_WORD_BEFORE}{body}{ending}", flags)


def _spelt(term: str) -> str:
    parts = [part for part in re.split(r"[\s\-\u2010-\u2013_]+", term.strip()) if part]
    return _GAP.join(re.escape(part) for part in parts)


def is_acronym(term: str) -> bool:
    """Tell whether a term is written in capitals only, so that its case is part of its spelling.

    >>> is_acronym("TOML"), is_acronym("NumPy"), is_acronym("X")
    (True, False, True)
    """
    letters = [letter for letter in term if letter.isalpha()]
    return bool(letters) and all(letter.isupper() for letter in letters)


def _ending(term: str) -> tuple[str, str]:
    """Return what of a term is always written alike, and a pattern for how it may go on.

    The plural of a common noun also stands for its singular: `cherries`, `dragons`.
    """
    if not term[-1:].isalpha():
        return term, _WORD_AFTER
    if _PLURAL_Y.search(term):
        return re.sub(r"(?:y|ies)\Z", "", term), rf"(?:y|ies|y['\u2019]s|ies['\u2019]){_WORD_AFTER}"
    if _PLURAL.search(term):
        term = term[:-1]
    possessive = r"(?:['\u2019]s|s['\u2019]?|es)?"
    return term, rf"(?:{possessive}{_WORD_AFTER}|_?\d+)"


def _barred_spans(
    text: str, terms: Sequence[str], excludes: Sequence[str]
) -> Iterator[tuple[int, int]]:
    plain, places = unaccented_places(text)
    for phrase in map(unaccented, excludes):
        if any(term_pattern(unaccented(term)).search(phrase) for term in terms):
            for found in term_pattern(phrase).finditer(plain):
                yield places[found.start()], places[found.end()]


def _common_noun(term: str, text: str, span: tuple[int, int]) -> bool:
    """Tell whether a capitalised term stands in small letters, as a noun behind an article."""
    proper = term[:1].isupper() and term.isalpha()
    if not proper or not text[span[0]].islower():
        return False
    return bool(_ARTICLE.search(text[max(0, span[0] - 40) : span[0]]))


def _in_file_name(text: str, span: tuple[int, int]) -> bool:
    before, after = text[max(0, span[0] - 1) : span[0]], text[span[1] : span[1] + 2]
    return before in {".", "/"} or bool(re.match(r"\.\w", after))
