"""Which number of a sentence is the measured one: by its unit, or by what the sentence says of it.

A number counts where it has the unit asked for, where the sentence gives it to the measured noun
(`the rent is 900`, `a fee of 30`, `Dose: 5`, `60 days' notice`), or where it is an amount of money
or a share in a sentence about the measure. Numbers of headings, lists, sections and versions, dates
and years are no amounts.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from agent.question import Measure
from agent.reasoners.rules.judging.numbering import is_numbering
from agent.reasoners.rules.judging.quantity import Quantity, normal_unit, quantities
from agent.reasoners.rules.language.roots import roots
from agent.reasoners.rules.language.units import is_unit
from agent.reasoners.rules.language.words import FUNCTION_WORDS

__all__ = ("Amount", "measured")

_WORD: Final = re.compile(r"[^\W\d_]+|%")
_HOLLOW: Final = frozenset({"number", "amount", "value", "total", "sum", "figure"})
_HEDGES: Final = (
    r"(?:\s+(?:\w+ly|\w+ed\s+at|set\s+at|at|to|about|around|over|under|up|least|most|not?|more|less|"
    r"than|only|just|now|then|still|also|an?|the|of|some))*"
)
_BE: Final = (
    r"\b(?:is|are|was|were|be|been|becomes?|became|remains?|equals?|amounts?|amounted|totals?|"
    r"totall?ed|comes?|came|stands?|stood)"
)
_GIVEN: Final = (
    re.compile(r"\s*[(\[]?\s*\Z"),
    re.compile(rf"\s+of{_HEDGES}\s*\Z"),
    re.compile(r"(?:\s+[^\s:=,;]+){0,3}\s*[:=]\s*\Z"),
    re.compile(r"\s+[a-z]+(?:s|ed)\s*\Z"),
)
"""What may stand between the measured noun and its amount: nothing, `of`, a colon, a verb."""
_STATED: Final = re.compile(rf"(?P<before>[^.;:?!]*?){_BE}{_HEDGES}\s*:?\s*\Z", re.DOTALL)
_OTHER: Final = re.compile(r"\b(?:and|or|but|while|whereas)\b", re.IGNORECASE)
_LED: Final = re.compile(r"['’]?s?[\s-]+(?:[^\W\d_]+\s+){0,2}\Z")
_NO_UNIT: Final = re.compile(r"(?:able|ible|ed|ing|ly)\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """A number that a sentence states of the measure."""

    quantity: Quantity
    rank: int
    """0: in its unit and of the measured noun; 1: of the noun; 2: in its unit; 3: money, share."""
    distance: int


def measured(
    text: str, span: tuple[int, int], anchor: int, measure: Measure, *, about: bool = False
) -> Amount | None:
    """Return the amount in a sentence that is the measured one, the nearest of equals, or None.

    Args:
        text: the passage.
        span: of the sentence.
        anchor: where the words stand that the sentence was found by.
        measure: what is asked for; in its unit only, where it names one.
        about: whether the sentence is known to be about the measure, as by its heading.
    """
    asked = _Asked(measure, text, span)
    found = asked.amounts(anchor, about=about)
    return min(found, key=lambda each: (each.rank, each.distance), default=None)


class _Asked:
    """A measure looked for in one sentence."""

    def __init__(self, measure: Measure, text: str, span: tuple[int, int]) -> None:
        named = [word.lower() for word in _WORD.findall(measure.text)]
        self._named = {normal_unit(word) for word in named}
        self._unit = normal_unit(measure.unit.split()[-1]) if measure.unit else None
        about = {roots(word)[1] for word in named if word not in FUNCTION_WORDS | _HOLLOW}
        self._text, self._span = text, span
        self._nouns = [
            (found.start(), found.end())
            for found in _WORD.finditer(text, *span)
            if roots(found.group().lower())[1] in about
        ]

    def amounts(self, anchor: int, *, about: bool) -> Iterator[Amount]:
        """Yield the numbers that may be the measured one."""
        for each in quantities(self._text, *self._span):
            if is_numbering(self._text, self._span[0], each):
                continue
            unit = normal_unit(each.unit)
            fits = unit is not None and unit == self._unit
            if self._unit is not None and not fits:
                continue
            near = self._given(each)
            distance = abs(each.start - anchor) if near is None else near
            rank = self._rank(unit, fits=fits, given=near is not None, about=about)
            if rank is not None:
                yield Amount(quantity=self._plain(each), rank=rank, distance=distance)

    def _rank(self, unit: str | None, *, fits: bool, given: bool, about: bool) -> int | None:
        asked = fits or (unit is not None and unit in self._named)
        if given:
            return 0 if asked else 1
        if asked and (fits or about or self._nouns):
            return 2
        return 3 if unit is not None and _is_worth(unit) and (about or self._nouns) else None

    def _given(self, each: Quantity) -> int | None:
        """Return how far the noun is that the sentence gives the number to; None without one."""
        before = [
            each.start - end
            for _, end in self._nouns
            if end <= each.start and _gives(self._text[end : each.start], each)
        ]
        after = [
            start - each.end
            for start, end in self._nouns
            if start >= each.end and each.unit and self._leads(each.end, start)
        ]
        return min([*before, *after], default=None)

    def _leads(self, end: int, start: int) -> bool:
        """Tell whether a number with a unit stands before its noun: `60 days' notice`."""
        between = self._text[end:start]
        words = {word.lower() for word in _WORD.findall(between)}
        return _LED.match(between) is not None and words.isdisjoint(FUNCTION_WORDS)

    def _plain(self, each: Quantity) -> Quantity:
        """Leave out as a unit what is none: `900 payable monthly`."""
        unit = each.unit or ""
        known = is_unit(unit.lower()) or _is_worth(unit) or normal_unit(unit) in self._named
        return each if known or not _NO_UNIT.search(unit) else replace(each, unit=None)


def _gives(between: str, each: Quantity) -> bool:
    """Tell whether words between a noun and a number give the number to the noun."""
    bare_year = each.unit is None and each.value in range(1900, 2100)
    if any(pattern.match(between) for pattern in _GIVEN):
        return not (bare_year and re.search(r"(?:s|ed)\s*\Z", between))
    stated = _STATED.match(between)
    if stated is None:
        return False
    before = stated["before"]
    return before.count(",") % 2 == 0 and not _OTHER.search(before)


def _is_worth(unit: str) -> bool:
    """Tell whether a unit is a currency's code or a share."""
    return unit == "%" or (len(unit) == 3 and unit.isupper())
