"""Values in running text, and the words beside them that call them.

`reported total assets of 5,000 US dollars`, `founded in 1998`, `has 120 rooms`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    DETERMINERS,
    FUNCTION_WORDS,
    PREPOSITIONS,
    PRONOUNS,
    word_set,
)
from agent.reasoners.rules.language.written_dates import MONTHS

__all__ = ("Slot", "SlotKind", "Word", "slots_in")

SlotKind = Literal["number", "date", "name"]
_KINDS: Final[tuple[SlotKind, ...]] = get_args(SlotKind)

_VALUE: Final = re.compile(
    r"(?P<date>\b\d{4}-\d{2}-\d{2}\b"
    rf"|\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?:{MONTHS})\.?\s+"
    r"(?:\d{1,2}(?:st|nd|rd|th)?\b,?\s+)?\d{4}\b"
    r"|\b\d{1,2}[./]\d{1,2}[./]\d{4}\b)"
    r"|(?P<number>(?:(?:US\$|[$€£¥₹]|\b[A-Z]{3}\s)\s?)?(?<![\w.,-])[-−]?"
    r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
    r"(?:\s?(?:%|percent\b|per\scent\b|thousand\b|million\b|billion\b|trillion\b|bn\b|[kM]\b)"
    r"|\s?/\s?(?:5|10|20|100)(?![\w/]|[.,]\d)|\sout\sof\s\d+\b)?"
    r"(?![\w]|[.,]\d|-\d))"
    r"|(?P<name>(?:(?<=\w\s)|(?<=,\s)|(?<=:\s)|(?<=[\"“(]))"
    r"[A-Z][\w&'’-]*(?:\s(?:(?:of|de|la|von|du)\s)?[A-Z][\w&'’-]*)*)"
)
_WORD: Final = re.compile(r"\([^()]*(?:\([^()]*\)[^()]*)*\)|[^\W\d_][\w'’/&-]*|[,;:]|\S")
_NAMED: Final = re.compile(r"\s[A-Z][a-z]")
"""A capital behind a number: it is a part of a name, as in `84 Oak Street`."""
_YEAR: Final = re.compile(r"(?:19|20)\d{2}")
_LINK: Final = re.compile(r"(?:https?://|www\.)[^\s)>\]]+|\S+@\S+\.\w+")
_STOP: Final = re.compile(r"(?<=[.!?])\s+(?=[\"“(]?[A-Z\d])|\n+|;\s")
_CONNECTORS: Final = (FUNCTION_WORDS | {":", "="}) - {"not", "no", "other"}
_CALLING: Final = word_set("of is was are were at to in by on as from for : = be")
_EQUATING: Final = word_set("of is was are were be at : =")
_COPULAS: Final = word_set("is was are were")
_JOINING: Final = word_set("and while but or")
_MARKS: Final = frozenset(",;:")
_BOUNDS: Final = AUXILIARIES | DETERMINERS | (PREPOSITIONS - {"of", "to", "per", "in", "for"})
_MOST_WORDS: Final = 7
_MOST_AFTER: Final = 3


@dataclass(frozen=True, slots=True)
class Word:
    """A word or mark beside a value."""

    text: str
    start: int
    end: int

    @property
    def low(self) -> str:
        """Without case."""
        return self.text.casefold()


@dataclass(frozen=True, slots=True)
class Slot:
    """A value in a sentence with the words around it."""

    kind: SlotKind
    value: str
    start: int
    end: int
    before: tuple[Word, ...]
    """The words that may call it, up to its clause's beginning, without what connects them."""
    joined: bool
    """Whether `of`, `is` or their like stand between: the value is of these words, whatever
    follows it."""
    after: tuple[Word, ...]
    """Content words that directly follow: what is counted, or the unit."""
    period: tuple[int, int] | None = None
    """Where the sentence names another value's year, of which this one is; None without one."""


def slots_in(text: str) -> Iterator[Slot]:
    """Yield the values of running text, sentence by sentence; addresses of the web hold none."""
    text = _LINK.sub(lambda found: ":" * len(found.group()), text)
    begin = 0
    for stop in [*(found.span() for found in _STOP.finditer(text)), (len(text), len(text))]:
        if text[begin : stop[0]].strip():
            yield from _with_period(list(_in_sentence(text, begin, stop[0])))
        begin = stop[1]


def _with_period(slots: list[Slot]) -> Iterator[Slot]:
    """Yield a sentence's values, each with the year that the sentence speaks of, if it is one."""
    years = [slot for slot in slots if _YEAR.fullmatch(slot.value) and not slot.before]
    if len({year.value for year in years}) != 1:
        yield from slots
        return
    for slot in slots:
        own = slot in years
        yield slot if own else replace(slot, period=(years[0].start, years[0].end))


def _in_sentence(text: str, begin: int, end: int) -> Iterator[Slot]:
    previous = begin
    for found in _VALUE.finditer(text, begin, end):
        value = found.group().strip()
        start = found.start() + len(found.group()) - len(found.group().lstrip())
        kind = next(each for each in _KINDS if found.group(each) is not None)
        words = _words(text, begin, start)
        owned = _owned(words)
        near = [word for word in words if kind != "name" or word.start >= previous]
        before, joined = (owned, True) if owned else _before(near)
        if kind == "name" and near and near[-1].low == "of":
            before = ()  # whose it is, not what it is
        after = _after(_words(text, start + len(value), end, most=_MOST_AFTER + 1))
        yield Slot(kind, value, start, start + len(value), before, joined, after)
        previous = found.end()


def _words(text: str, begin: int, end: int, most: int = 0) -> list[Word]:
    words: list[Word] = []
    for found in _WORD.finditer(text, begin, end):
        words.append(Word(found.group(), *found.span()))
        if most and len(words) == most:
            break
    return words


def _before(words: Sequence[Word]) -> tuple[tuple[Word, ...], bool]:
    """Return the words that may call a value, and whether a word joins them to it."""
    end = len(words)
    while end and words[end - 1].low in _CONNECTORS:
        end -= 1
    joints = {word.low for word in words[end:]}
    if joints - _CALLING - DETERMINERS - {"about", "around", "over", "some", "total"}:
        return (), False
    if end and words[end - 1].low == "there":
        return (), False
    start = end
    while start and end - start < _MOST_WORDS and not _bounds(words[start - 1]):
        start -= 1
    return tuple(words[start:end]), bool(joints & _EQUATING)


def _owned(words: Sequence[Word]) -> tuple[Word, ...]:
    """Return what calls a value behind its owner: `The sponsor of the trial was`; else nothing."""
    copulas = [at for at, word in enumerate(words) if word.low in _COPULAS]
    if not copulas or any(word.low not in _CONNECTORS for word in words[copulas[-1] + 1 :]):
        return ()
    end = copulas[-1]
    start = end
    while start and words[start - 1].text not in _MARKS and words[start - 1].low not in _JOINING:
        start -= 1
    of = next((at for at in range(start, end) if words[at].low == "of"), None)
    if of is None or of + 1 >= end:
        return ()
    owner = words[of + 1]
    if not (owner.text[0].isupper() or owner.low in DETERMINERS | PRONOUNS):
        return ()
    first = of
    while first > start and of - first < _MOST_WORDS and not _bounds(words[first - 1]):
        first -= 1
    return tuple(words[first:of])


def _bounds(word: Word) -> bool:
    """Tell whether a word ends the search for what calls a value."""
    first = word.text[0]
    return word.low in _BOUNDS or not (first.isalpha() or first == "(")


def _after(words: Sequence[Word]) -> tuple[Word, ...]:
    """Return the content words that follow a value directly."""
    found: list[Word] = []
    for word in words[:_MOST_AFTER]:
        function = word.low in FUNCTION_WORDS and not word.text.isupper()
        if function or not word.text[0].isalpha():
            break
        found.append(word)
    return tuple(found)
