"""Comparisons in a question: with numbers, dates, averages, and other columns."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.question import Comparison
from agent.reasoners.rules.language.bounds import read_bound
from agent.reasoners.rules.language.comparisons import comparison_before
from agent.reasoners.rules.language.units import converted
from agent.reasoners.rules.language.words import Token
from agent.reasoners.rules.records.querying.adjectives import comparative_at
from agent.reasoners.rules.records.querying.reading import Reading
from agent.records.query_plan import AllTests, AnyTest, Column, Comparator, Compare, Test
from agent.records.record_schema import Attribute

__all__ = ("Limit", "compared_word", "limit_at", "test_of")

_SIGNS: Final[dict[Comparison, Comparator]] = {
    "at_least": ">=",
    "at_most": "<=",
    "more_than": ">",
    "less_than": "<",
    "is": "=",
}
_OPPOSITE: Final[dict[str, Comparator]] = {
    "=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<",
}  # fmt: skip
_STAMP: Final = re.compile(r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2})?")
_WORDS: Final[tuple[tuple[tuple[str, ...], Comparator], ...]] = (
    (("at", "least"), ">="),
    (("at", "most"), "<="),
    (("more", "than"), ">"),
    (("less", "than"), "<"),
    (("fewer", "than"), "<"),
    (("above",), ">"),
    (("over",), ">"),
    (("exceeding",), ">"),
    (("exceeds",), ">"),
    (("exceed",), ">"),
    (("below",), "<"),
    (("under",), "<"),
    (("after",), ">"),
    (("before",), "<"),
    (("equal", "to"), "="),
)


@dataclass(frozen=True, slots=True)
class Limit:
    """A comparison with amounts: `at least 3`, `between 2010 and 2015`, `9 or 10`."""

    comparator: Comparator
    values: tuple[str, ...]
    """Two for a range, several for alternatives."""
    dated: bool
    """Whether the amounts are points in time for sure."""
    may_be_year: bool
    end: int
    """Index of the first token after it."""
    explicit: bool
    between: bool = False
    unit: str = ""
    """As the question writes it; empty where it writes none."""


def limit_at(reading: Reading, at: int) -> Limit | None:
    """Read a comparison with an amount that begins at a token; `not` before it turns it round."""
    denied = reading.low(at) == "not"
    start = at + 1 if denied else at
    tokens = reading.tokens
    if start >= len(tokens):
        return None
    bound = read_bound(tokens, start)
    if bound is None or bound.kind == "month":
        return None
    explicit = bound.explicit or comparative_at(tokens, start) is not None
    if denied and not explicit:
        return None
    stamp, end = _stamp(reading, bound.values, bound.end)
    between = bound.comparison == "between"
    sign: Comparator = ">=" if between else _SIGNS[bound.comparison]
    return Limit(
        comparator=_OPPOSITE[sign] if denied and not between else sign,
        values=(stamp,) if stamp else bound.values,
        dated=bound.kind == "date",
        may_be_year=bound.kind == "year",
        end=end,
        explicit=explicit,
        between=between,
        unit=_unit(reading, bound.unit, end),
    )


def _unit(reading: Reading, unit: str, end: int) -> str:
    """Return the unit of an amount; a percent sign may stand apart."""
    return unit or ("%" if reading.tokens[end - 1].text.endswith("%") else "")


def _in_unit(value: str, unit: str, attribute: Attribute | None) -> float:
    """Return an amount in the unit of a column; percentages are kept as fractions."""
    wanted = attribute.unit if attribute is not None else None
    if wanted == "%":
        return float(value) / 100 if unit == "%" or float(value) > 1 else float(value)
    changed = converted(value, unit, wanted.casefold()) if unit and wanted else None
    return float(changed) if changed is not None else float(value)


def _stamp(reading: Reading, values: Sequence[str], end: int) -> tuple[str, int]:
    """Return a date with its time of day, where one stands there, and where it ends."""
    for match in _STAMP.finditer(reading.question):
        if match.group().startswith(values[0]) and len(values) == 1:
            after = [n for n, token in enumerate(reading.tokens) if token.start < match.end()]
            if end <= after[-1] + 1:
                return match.group().replace("T", " "), after[-1] + 1
    return "", end


def test_of(column: Column, limit: Limit, attribute: Attribute | None) -> Test:
    """Return the test of a column that a limit sets, in the column's unit; dates stay words."""
    text = attribute is not None and attribute.type == "date"
    values: list[str] | list[float] = list(limit.values)
    if not text:
        values = [_in_unit(each, limit.unit, attribute) for each in limit.values]
    if limit.between:
        ends = sorted(values, key=str if text else float)
        signs: tuple[Comparator, Comparator] = (">=", "<=")
        return AllTests(
            parts=tuple(
                Compare(left=column, comparator=sign, value=value)
                for sign, value in zip(signs, ends, strict=True)
            )
        )
    tests = [Compare(left=column, comparator=limit.comparator, value=value) for value in values]
    return tests[0] if len(tests) == 1 else AnyTest(parts=tuple(tests))


def compared_word(tokens: Sequence[Token], at: int) -> tuple[Comparator, int] | None:
    """Read words of comparison alone: `higher than`, `above`, `not below`.

    >>> from agent.reasoners.rules.language.words import tokenize
    >>> compared_word(tokenize("smaller than the rest"), 0)
    ('<', 2)
    """
    denied = at < len(tokens) and tokens[at].low == "not"
    start = at + 1 if denied else at
    found = _plain_word(tokens, start)
    if found is None:
        return None
    comparator, end = found
    return (_OPPOSITE[comparator] if denied else comparator), end


def _plain_word(tokens: Sequence[Token], at: int) -> tuple[Comparator, int] | None:
    lows = [token.low for token in tokens[at : at + 3]]
    for words, comparator in _WORDS:
        if tuple(lows[: len(words)]) == words:
            return comparator, at + len(words)
    degree = comparative_at(tokens, at) if at < len(tokens) else None
    if degree is not None and degree.end < len(tokens) and tokens[degree.end].low == "than":
        return (">" if degree.up else "<"), degree.end + 1
    said = comparison_before(tokens, at + 1) if at < len(tokens) else None
    return (_SIGNS[said], at + 1) if said in {"more_than", "less_than"} else None
