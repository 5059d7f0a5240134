"""Sentence starts in running text, by rule: no model and no list of a domain's words.

A full stop ends a sentence unless the word before it is an abbreviation, an initial or a clause's
own number, or the next word goes on in lower case. A clause number after a stop starts a sentence.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

__all__ = ("Pauses", "pauses_of", "sentence_starts")


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_NEVER_LAST = _words(
    "mr mrs ms dr prof hon rev gov sen messrs capt col lt sgt st cf viz vs e.g i.e"
)
_BEFORE_NUMBER = _words(
    "no nos fig figs eq eqs sec secs art arts ch chap par para vol vols ed eds pp ref refs op ca "
    "approx"
)
_SELDOM_LAST = _words(
    "inc corp ltd co llc llp plc gmbh bros dept univ assn ave blvd rd sq mt ft jr sr etc al est "
    "incl excl resp jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun"
)
_OPENERS = _words(
    "the this that these those a an it its he she they we you i his her their our your in on at by "
    "for from to as if when while where since because although though however therefore thus "
    "moreover furthermore but and so there here such each every all any no not both either neither "
    "after before during under upon until unless with without one some many most other what who "
    "which how why"
)
_WORD = 24
_OPENING = "(\"'“‘«[*_`"
_STOP = re.compile(
    r"""
    (?<![.!?…]) (?P<mark>[.!?…]++) [)\]"'”’»*_`]*+ \s++ (?P<next>[("'“‘«\[*_`]*+(?:\w[\w'’]{0,12})?)
  | (?<![。！？]) [。！？]++ [」』”）]*+ \s*+ (?P<cjk>(?=\S))
    """,
    re.VERBOSE,
)
_NUMBER = (
    r"(?:\d{1,3}(?:\.\d{1,3})+\.?|\d{1,3}[.)](?=\s)|\((?:[a-zA-Z]|[ivxIVX]{2,5}|\d{1,2})\)"
    r"|(?:Section|SECTION|Article|ARTICLE)\s+[\dIVXLC][\dIVXLC.]*)"
)
_LETTER = r"(?:[A-Z]|[IVX]{2,5})\."
_CLAUSE = re.compile(
    rf"""
      (?: (?P<stop>\.)[)"”]*+\s | [;:!?][)"”]*+\s (?:\s*+(?:and|or)\s)? | ,\s++(?:and|or)\s )
      \s*+ (?P<at>{_NUMBER}) \s+ (?=[\w("“‘'\[])
    | (?<!\s)\s{{2,}}+ (?P<apart>{_NUMBER}|{_LETTER}) \s+ (?=[\w("“‘'\[])
    | (?<=[^\s.,;:!?])\s (?P<capitals>\d{{1,3}}\.) \s (?=[A-Z]{{3}})
    """,
    re.VERBOSE,
)
_SPACE = r"[\s\x1c-\x1f]"
_STOP_HINT = rf"[.!?…][)\]\"'”’»*_`]*{_SPACE}|[。！？]"
_CLAUSE_HINT = (
    rf"{_SPACE}(?:\d{{1,3}}(?:\.\d{{1,3}})+\.?|\d{{1,3}}[.)]|\((?:[a-zA-Z]{{1,5}}|\d{{1,2}})\)"
    rf"|(?:Section|SECTION|Article|ARTICLE){_SPACE}+[\dIVXLC][\dIVXLC.]*|(?:[A-Z]|[IVX]{{2,5}})\.)"
    rf"{_SPACE}"
)
"""In the syntax of Python and of Rust: a text without such places has no match of `_STOP` or of
`_CLAUSE`. Most lines have neither."""
_FEW = 16
"""Texts below which calling Rust's engine takes longer than it saves."""
_NUMBER_ONLY = re.compile(rf"(?:(?:and|or)\s+)?(?:{_NUMBER}|{_LETTER})\s*")


class Pauses(NamedTuple):
    """What may part a text's sentences: False is certain."""

    stops: bool
    """A mark that ends a sentence."""
    clauses: bool
    """A clause's number."""


_pauses = partial(tuple.__new__, Pauses)
"""Makes pauses of a pair without a call in Python."""
_EITHER = Pauses(stops=True, clauses=True)


def sentence_starts(text: str, start: int, end: int, pauses: Pauses = _EITHER) -> list[int]:
    """Return where sentences and clauses begin within `text[start:end]`, `start` first, ascending.

    >>> line = "Acme Inc. pays No. 5 here. 12.3 Term. It ends."
    >>> [line[at : at + 5] for at in sentence_starts(line, 0, len(line))]
    ['Acme ', '12.3 ', 'It en']
    """
    starts = {start}
    if pauses.clauses:
        starts.update(_clauses(text, start, end))
    if pauses.stops:
        starts.update(_stops(text, start, end))
    return _without_bare_numbers(text, sorted(starts))


def pauses_of(texts: Sequence[str]) -> list[Pauses]:
    """Return what may part the sentences of each text."""
    if len(texts) < _FEW:
        return [_EITHER] * len(texts)
    import polars as pl

    said = pl.Series(texts, dtype=pl.String)
    found = [said.str.contains(hint).to_list() for hint in (_STOP_HINT, _CLAUSE_HINT)]
    return list(map(_pauses, zip(*found, strict=True)))


def _stops(text: str, start: int, end: int) -> Iterator[int]:
    for match in _STOP.finditer(text, start, end):
        if match["cjk"] is not None:
            yield match.start("cjk")
        elif _ends_sentence(_word_before(text, start, match.start()), match["mark"], match["next"]):
            yield match.start("next")


def _word_before(text: str, start: int, at: int) -> str:
    """Return the word that ends at `at`, as far as it matters for abbreviations."""
    words = text[max(start, at - _WORD) : at].split()
    return words[-1].lstrip(_OPENING).lower() if words and not text[at - 1].isspace() else ""


def _ends_sentence(word: str, mark: str, following: str) -> bool:
    bare = following.lstrip(_OPENING)
    if bare[:1].islower():
        return False
    if mark != ".":
        return True
    if word in _NEVER_LAST or (len(word) == 1 and word.isalpha()):
        return False
    if word in _BEFORE_NUMBER and (bare[:1].isdigit() or len(bare) == 1):
        return False
    acronym = "." in word and all(len(part) == 1 and part.isalpha() for part in word.split("."))
    if acronym or word in _SELDOM_LAST:
        return bare.lower() in _OPENERS
    return True


def _clauses(text: str, start: int, end: int) -> Iterator[int]:
    for match in _CLAUSE.finditer(text, start, end):
        word = _word_before(text, start, match.start()) if match["stop"] else ""
        if word not in _BEFORE_NUMBER and not (len(word) == 1 and word.isalpha()):
            yield max(match.start("at"), match.start("apart"), match.start("capitals"))


def _without_bare_numbers(text: str, starts: list[int]) -> list[int]:
    """Drop a start that would leave a clause's number alone in the sentence before it."""
    kept = starts[:1]
    for at in starts[1:]:
        if _NUMBER_ONLY.fullmatch(text, kept[-1], at) is None:
            kept.append(at)
    return kept
