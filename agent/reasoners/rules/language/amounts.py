"""Numbers and dates with their comparison: `at least three`, `in 2015 or later`."""

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from agent.currencies import is_code
from agent.question import Comparison
from agent.reasoners.rules.language.periods import read_period
from agent.reasoners.rules.language.units import is_unit
from agent.reasoners.rules.language.words import NUMBER_WORDS, Token

__all__ = ("Bound", "comparison_after", "comparison_before", "read_bound")

BoundKind = Literal["number", "date", "year", "month"]


@dataclass(frozen=True, slots=True)
class Bound:
    """A comparison with numbers or dates."""

    comparison: Comparison
    values: tuple[str, ...]
    kind: BoundKind
    """`year` where a bare number may be either; `month` for one of any year, as `--12`."""
    end: int
    """Index of the first token after it."""
    explicit: bool = False
    """Whether a word of comparison stood before or behind the amount."""
    unit: str = ""
    """The unit behind the amount, or before it for a currency; empty where none is written."""


@dataclass(frozen=True, slots=True)
class _Amount:
    value: str
    kind: BoundKind
    end: int
    unit: str = ""


_MONTHS: Final = {
    name.casefold(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
} | {"sept": 9}
_PHRASES: Final[dict[Comparison, str]] = {
    "at_least": "at least|no fewer than|no less than|not less than|a minimum of|since|in or after|"
    "on or after|from or after|starting in|not before|no earlier than",
    "at_most": "at most|no more than|not more than|a maximum of|up to|until|till|through|"
    "in or before|no later than|on or before|not after|not later than",
    "more_than": "more than|over|above|exceeding|after|upwards of",
    "less_than": "less than|fewer than|under|below|before|prior to|before the year|"
    "before the year of",
    "is": "exactly|precisely|in the year|in year|in|during|of|on|from|dated|only|just|is|year",
}
_BEFORE: Final[list[tuple[tuple[str, ...], Comparison]]] = [
    (tuple(phrase.split()), comparison)
    for comparison, phrases in _PHRASES.items()
    for phrase in phrases.split("|")
]
_PREFIXES: Final = tuple(sorted(_BEFORE, key=lambda pair: -len(pair[0])))
_UPWARDS: Final = frozenset(
    {
        "later",
        "after",
        "more",
        "greater",
        "above",
        "newer",
        "higher",
        "longer",
        "larger",
        "onwards",
        "over",
        "up",
        "upwards",
    }
)
_DOWNWARDS: Final = frozenset(
    {"earlier", "before", "fewer", "less", "lower", "below", "older", "shorter", "smaller", "under"}
)
_SMALLER: Final = frozenset(
    {
        "smaller",
        "lower",
        "shorter",
        "younger",
        "cheaper",
        "earlier",
        "less",
        "lighter",
        "slower",
        "fewer",
    }
)
_SCALES: Final = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "k": 1000}
_SIGNS: Final = frozenset("$€£¥")


def read_bound(tokens: Sequence[Token], at: int) -> Bound | None:
    """Read a comparison with an amount that begins at the token `at`, or None.

    >>> from agent.reasoners.rules.language.words import tokenize
    >>> bound = read_bound(tokenize("in 2015 or later"), 0)
    >>> bound.comparison, bound.values, bound.kind, bound.end
    ('at_least', ('2015',), 'year', 4)
    """
    if (span := _period(tokens, at) or _between(tokens, at)) is not None:
        return span
    comparison, start = _prefix(tokens, at)
    amount = _amount(tokens, start)
    if amount is None:
        return None
    after, end = _suffix(tokens, amount.end, dated=amount.kind in {"date", "year"})
    if after is not None and _amount(tokens, end) is not None:
        after, end = None, amount.end  # `below 3 or above 9`: another comparison begins there
    values = [amount.value]
    if after is None and comparison in {None, "is"}:
        values, end = _alternatives(tokens, values, amount)
    explicit = after is not None or comparison is not None
    said = after or comparison or "is"
    return Bound(said, tuple(values), amount.kind, end, explicit, amount.unit)


def _period(tokens: Sequence[Token], at: int) -> Bound | None:
    """Read a named stretch of time, with what lies before or after it: `since the 1990s`."""
    comparison, start = _prefix(tokens, at)
    found = read_period(tokens, start)
    if found is None:
        return None
    first, last, end = found
    match comparison:
        case "at_least" | "less_than":
            return Bound(comparison, (first,), "date", end, explicit=True)
        case "at_most" | "more_than":
            return Bound(comparison, (last,), "date", end, explicit=True)
        case _:
            return Bound("between", (first, last), "date", end, explicit=True)


def comparison_after(tokens: Sequence[Token], at: int) -> tuple[Comparison | None, int]:
    """Return the comparison that begins at the token `at`, and where it ends: `or more`."""
    return _suffix(tokens, at, dated=False)


def comparison_before(tokens: Sequence[Token], end: int) -> Comparison | None:
    """Return the comparison whose words end right before the token `end`: `over the age of`."""
    end -= _low(tokens, end - 1) == "the"
    for words, comparison in _PREFIXES:
        start = end - len(words)
        if start >= 0 and tuple(token.low for token in tokens[start:end]) == words:
            return comparison if comparison != "is" else None
    return None


def _low(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].low if 0 <= at < len(tokens) else ""


def _prefix(tokens: Sequence[Token], at: int) -> tuple[Comparison | None, int]:
    for words, comparison in _PREFIXES:
        if tuple(_low(tokens, at + step) for step in range(len(words))) == words:
            return comparison, at + len(words)
    if _low(tokens, at).endswith("er") and _low(tokens, at + 1) == "than":
        return ("less_than" if _low(tokens, at) in _SMALLER else "more_than"), at + 2
    return None, at


def _suffix(tokens: Sequence[Token], at: int, *, dated: bool) -> tuple[Comparison | None, int]:
    """Read `or later` behind an amount: what is older has a lower date, but a higher age."""
    word = _low(tokens, at + 1) if _low(tokens, at) in {"or", "and"} else ""
    if word in {"older", "younger"}:
        return ("at_least" if (word == "younger") == dated else "at_most"), at + 2
    if word in _UPWARDS:
        return "at_least", at + 2
    if word in _DOWNWARDS:
        return "at_most", at + 2
    if _low(tokens, at) in {"onwards", "onward", "+"}:
        return "at_least", at + 1
    return None, at


def _between(tokens: Sequence[Token], at: int) -> Bound | None:
    opening = _low(tokens, at)
    start = at + 1 if opening in {"between", "from", "in", "within"} else at
    first = _amount(tokens, start)
    if first is None:
        return None
    joints = {"and"} if opening == "between" else {"to", "through", "until", "till", "-", "–", "—"}
    if _low(tokens, first.end) not in joints:
        return None
    second = _amount(tokens, first.end + 1)
    if second is None:
        return None
    kind: BoundKind = "date" if "date" in {first.kind, second.kind} else second.kind
    values = (first.value, second.value)
    unit = second.unit or first.unit
    return Bound("between", values, kind, second.end, explicit=True, unit=unit)


def _alternatives(
    tokens: Sequence[Token], values: list[str], first: _Amount
) -> tuple[list[str], int]:
    """Read `, 2002 or 2003` behind an amount."""
    end = first.end
    while _low(tokens, end) in {"or", ","}:
        step = end + 2 if _low(tokens, end) == "," and _low(tokens, end + 1) == "or" else end + 1
        other = _amount(tokens, step)
        if other is None or other.kind != first.kind:
            break
        values.append(other.value)
        end = other.end
    return values, end


def _amount(tokens: Sequence[Token], at: int) -> _Amount | None:
    currency = _currency(tokens, at)
    at += bool(currency)
    if at >= len(tokens):
        return None
    number = _date(tokens, at) or _month(tokens, at) or _number(tokens, at) or _one(tokens, at)
    return replace(number, unit=currency) if number is not None and currency else number


def _currency(tokens: Sequence[Token], at: int) -> str:
    """Return the sign or code of a currency at a token, in lower case; empty for none."""
    low = _low(tokens, at)
    return low if low in _SIGNS or (low and is_code(tokens[at].text)) else ""


def _month(tokens: Sequence[Token], at: int) -> _Amount | None:
    """Read a month without a year: `in December`."""
    month = _MONTHS.get(_low(tokens, at))
    before = _low(tokens, at - 1) if at else ""
    if month is None or not tokens[at].capital or before not in {"in", "during", "or"}:
        return None
    return _Amount(f"--{month:02}", "month", at + 1)


def _one(tokens: Sequence[Token], at: int) -> _Amount | None:
    """Read `an hour` and `half an hour`."""
    half = _low(tokens, at) == "half"
    start = at + half
    if _low(tokens, start) not in {"a", "an"} or not is_unit(_low(tokens, start + 1)):
        return None
    if not half and len(_low(tokens, start + 1)) < 3:
        return None
    return _Amount("0.5" if half else "1", "number", start + 2, _low(tokens, start + 1))


def _number(tokens: Sequence[Token], at: int) -> _Amount | None:
    token = tokens[at]
    if token.kind == "word" and token.low in NUMBER_WORDS:
        value = str(NUMBER_WORDS[token.low])
    elif token.kind == "number" and re.fullmatch(r"[\d,]+(\.\d+)*(st|nd|rd|th|%)?", token.text):
        value = re.sub(r"[^\d.]", "", token.text)
    else:
        return None
    end = at + 1
    scale = _SCALES.get(_low(tokens, end))
    if scale is not None and value.count(".") <= 1:
        value, end = f"{float(value) * scale:.12g}", end + 1
    year = re.fullmatch(r"1[5-9]\d\d|2[01]\d\d", token.text) is not None and end == at + 1
    step = end + 1 if _low(tokens, end) == "-" else end
    unit = _low(tokens, step)
    if is_unit(unit) or _currency(tokens, step):
        return _Amount(value, "number", step + 1, unit)
    if token.text.endswith("%"):
        return _Amount(value, "number", end, "%")
    return _Amount(value, "year" if year else "number", end)


def _date(tokens: Sequence[Token], at: int) -> _Amount | None:
    """Read an ISO date or month, or a month's name with a year and perhaps a day."""
    if re.fullmatch(r"\d{4}-\d{2}(?:-\d{2})?", tokens[at].text):
        return _Amount(tokens[at].text, "date", at + 1)
    step = at + 1 if _low(tokens, at) == "the" else at
    day, step = _day_at(tokens, step)
    month = _MONTHS.get(_low(tokens, step))
    if month is None:
        return None
    step += 1
    if not day:
        day, step = _day_at(tokens, step)
    while _low(tokens, step) in {",", "of", "-"}:
        step += 1
    year = _low(tokens, step)
    if not re.fullmatch(r"\d{4}", year):
        return None
    iso = f"{year}-{month:02}" + (f"-{day:02}" if day else "")
    return _Amount(iso, "date", step + 1)


def _day_at(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """Return the day of the month at `at` and where the month may follow; 0 for none."""
    match = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", _low(tokens, at))
    day = int(match.group(1)) if match else 0
    if not 1 <= day <= 31:
        return 0, at
    return day, at + 2 if _low(tokens, at + 1) == "of" else at + 1
