"""Names of entities: capitalised phrases that stand where a sentence's predicate points."""

import re
from collections.abc import Iterator
from typing import Final

from agent.reasoners.rules.language.words import FUNCTION_WORDS

__all__ = ("name_after", "name_before", "names_in")

_PART: Final = r"[A-Z][\w&.'’\-]*"
_NAME: Final = re.compile(rf"{_PART}(?:\s+(?:(?:of|the|de|der|von|van|du|la|&)\s+){{0,2}}{_PART})*")
_POINTS: Final = re.compile(
    r"\b(?:of|by|in|to|with|from|for|at|against|as)\s+(?:(?:the|an?|its|their)\s+)?"
    r"(?:[a-z]+\s+(?:[a-z]+\s+)?of\s+(?:the\s+)?)?",
)
_UNIT_OF_LAND: Final = re.compile(
    r"(?:State|Commonwealth|Province|Republic|Kingdom|City|County|Territory|Canton|District)"
    r"\s+of\s+(?:the\s+)?",
    re.IGNORECASE,
)
_SHOUTED: Final = re.compile(r"\b(?:OF|BY|IN|TO|WITH|FROM|FOR)\s+(?:THE\s+)?")
_WORD: Final = re.compile(r"[A-Z][\w.'’\-]*")
_REACH: Final = 90


def names_in(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of capitalised phrases, without function words that begin a sentence.

    >>> text = "The laws of New York apply to Ms. Roe."
    >>> [text[a:b] for a, b in names_in(text, 0, len(text))]
    ['New York', 'Ms. Roe']
    """
    for found in _NAME.finditer(text, start, end):
        begin, stop = found.span()
        first = _WORD.match(text, begin)
        while first and first.group().rstrip(".").lower() in FUNCTION_WORDS and first.end() <= stop:
            begin = first.end() + (
                len(text[first.end() : stop]) - len(text[first.end() : stop].lstrip())
            )
            first = _WORD.match(text, begin, stop)
        stop = begin + len(text[begin:stop].rstrip(".,'’-"))
        if stop > begin:
            yield begin, stop


def name_after(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the span of the name that a preposition close behind `start` points at.

    The head noun of a country's or city's full name is left out: `the State of Texas` is Texas.

    >>> text = "governed by the laws of the State of Texas, without regard to conflicts"
    >>> a, b = name_after(text, text.index("laws"), len(text))
    >>> text[a:b]
    'Texas'
    """
    stop = min(end, start + _REACH)
    if text[start:stop].isupper():
        return _shouted(text, start, stop)
    for pointer in _POINTS.finditer(text, start, stop):
        begin = pointer.end()
        land = _UNIT_OF_LAND.match(text, begin)
        begin = land.end() if land else begin
        name = next(names_in(text, begin, end), None)
        if name is not None and name[0] == begin:
            return name
    return None


def name_before(text: str, start: int, stop: int) -> tuple[int, int] | None:
    """Return the span of the name that is the subject of what begins at `stop`.

    But for an article it begins the sentence, or the clause behind a comma; nothing else that is
    capitalised lies between.
    """
    names = list(names_in(text, start, stop))
    if len(names) != 1:
        return None
    lead = text[start : names[0][0]].rsplit(",", 1)[-1].strip().lower()
    return names[0] if lead in {"", "the", "a", "an"} else None


def _shouted(text: str, start: int, stop: int) -> tuple[int, int] | None:
    """Find the name in a text all in capitals: what follows a preposition up to a function word."""
    for pointer in _SHOUTED.finditer(text, start, stop):
        land = _UNIT_OF_LAND.match(text, pointer.end())
        begin = land.end() if land else pointer.end()
        words: list[re.Match[str]] = []
        while word := _WORD.match(text, words[-1].end() + 1 if words else begin):
            if word.group().strip(".").lower() in FUNCTION_WORDS:
                break
            words.append(word)
            if not text[word.end() : word.end() + 1].isspace():
                break
        if words and len(words) <= 4:
            return begin, begin + len(text[begin : words[-1].end()].rstrip("."))
    return None
