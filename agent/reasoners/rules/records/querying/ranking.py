"""Superlatives of a question: which way it ranks, and how many it asks for."""

from dataclasses import dataclass
from typing import Final, Literal

from agent.reasoners.rules.language.words import NUMBER_WORDS, singular, word_set
from agent.reasoners.rules.records.querying.adjectives import Degree, superlative_at
from agent.reasoners.rules.records.querying.reading import Reading

__all__ = ("Ranking", "find_ranking", "spread_of")

_BARE: Final = word_set("top bottom first last")
_SORTING: Final = word_set("sorted ordered ranked order")
_WAYS: Final = word_set("ascending descending increasing decreasing")
_HEADING: Final = word_set("which what the list show find name identify report give")
_TWO: Final = 2
_HIGHEST: Final = 1000


@dataclass(frozen=True, slots=True)
class Ranking:
    """How rows are put in order."""

    up: bool
    """Whether the most come first."""
    limit: int | None
    """How many are asked for; None where no number is given."""
    measures: tuple[str, ...]
    """Words for what the superlative measures by itself, as `age` for `oldest`."""
    start: int
    """Index of the superlative that says what is ranked by."""
    end: int
    """Index of the first token after it."""
    every: bool = False
    """Whether all rows are asked for, in order."""

    of_time: bool = False
    """Whether the superlative orders by time."""

    @property
    def order(self) -> Literal["ascending", "descending"]:
        """Return which way rows are put in order."""
        return "descending" if self.up else "ascending"


def find_ranking(reading: Reading) -> Ranking | None:
    """Read superlatives, and use their tokens: `the top three … with the highest …`.

    The last one says what is ranked by and which way; the number may stand beside any.
    """
    found = [(at, degree) for at, degree in _superlatives(reading)]
    if not found:
        return _sorted(reading)
    numbers = [_beside(reading, at, degree.end) for at, degree in found]
    limit = next((each for each in numbers if each is not None), None)
    limit = limit if limit is not None else _heading_number(reading)
    for at, degree in found:
        reading.use(at, degree.end)
    at, degree = found[-1]
    bare = reading.low(at) in _BARE
    measures = () if bare else degree.measures
    return Ranking(degree.up, limit, measures, at, degree.end, of_time=degree.of_time)


def _sorted(reading: Reading) -> Ranking | None:
    """Read `sorted by price` and `in descending order of price`: all rows, in order."""
    for at in range(len(reading.tokens)):
        if reading.low(at) in _SORTING and reading.low(at + 1) in {"by", "of"}:
            lows = {token.low for token in reading.tokens}
            start = at - 2 if reading.low(at) == "order" else at
            reading.use(max(0, start), at + 2)
            reading.used |= {n for n, each in enumerate(reading.tokens) if each.low in _WAYS}
            up = bool(lows & {"descending", "decreasing"}) or reading.low(at) == "ranked"
            return Ranking(up, None, (), at, at + 2, every=True)
    return None


def _superlatives(reading: Reading) -> list[tuple[int, Degree]]:
    found = []
    for at in range(len(reading.tokens)):
        named = any(each.start <= at < each.end for each in reading.mentions)
        if at in reading.used or named or reading.low(at - 1) == "at":
            continue
        degree = superlative_at(reading.tokens, at)
        if degree is None and reading.low(at) == "least":
            degree = Degree("", up=False, end=at + 1)
        if degree is not None:
            found.append((at, degree))
    return found


def _beside(reading: Reading, start: int, end: int) -> int | None:
    """Return the number beside a superlative: `top three`, `three highest`; it is used."""
    for at in (end, start - 1):
        number = _number(reading, at)
        if number is not None:
            reading.use(at, at + 1)
            return number
    return None


def _heading_number(reading: Reading) -> int | None:
    """Return the number of `the three companies with the highest …`; it is used."""
    for at in range(1, len(reading.tokens) - 1):
        number = _number(reading, at) if reading.low(at - 1) in _HEADING else None
        plural = singular(reading.low(at + 1)) != reading.low(at + 1)
        if number is not None and plural and at not in reading.used:
            reading.use(at, at + 1)
            return number
    return None


def _number(reading: Reading, at: int) -> int | None:
    token = reading.tokens[at] if 0 <= at < len(reading.tokens) else None
    if token is None:
        return None
    if token.kind == "number":
        written = token.text
        return int(written) if written.isdecimal() and int(written) < _HIGHEST else None
    return NUMBER_WORDS.get(token.low)


def spread_of(reading: Reading) -> bool:
    """Tell whether the greatest and the least are subtracted; the words for it are used."""
    found = _superlatives(reading)
    places = [at for at in range(len(reading.tokens)) if reading.low(at) == "difference"]
    if not places or len(found) != _TWO or found[0][1].up == found[1][1].up:
        return False
    for at, degree in found:
        reading.use(at, degree.end)
    reading.use(places[0], places[0] + 1)
    return True
