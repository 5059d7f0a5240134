"""Numbers and dates as a question writes them: `$5 million`, `half an hour`, `3 March 2015`."""

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from agent.english import is_code
from agent.reasoners.rules.language.units import is_unit
from agent.reasoners.rules.language.words import NUMBER_WORDS, Token, low_at

__all__ = ("Amount", "AmountKind", "read_amount")

AmountKind = Literal["number", "date", "year", "month", "past"]


@dataclass(frozen=True, slots=True)
class Amount:
    """A number or a date."""

    value: str
    kind: AmountKind
    end: int
    """Index of the first token after it."""
    unit: str = ""


_MONTHS: Final = {
    name.casefold(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
} | {"sept": 9}
_SCALES: Final = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "k": 1000}
_SIGNS: Final = frozenset("$€£¥")


def read_amount(tokens: Sequence[Token], at: int) -> Amount | None:
    """Read a number or a date that begins at the token `at`, with its unit, or None."""
    currency = _currency(tokens, at)
    at += bool(currency)
    if at >= len(tokens):
        return None
    number = _date(tokens, at) or _month(tokens, at) or _number(tokens, at) or _one(tokens, at)
    return replace(number, unit=currency) if number is not None and currency else number


def _currency(tokens: Sequence[Token], at: int) -> str:
    """Return the sign or code of a currency at a token, in lower case; empty for none."""
    low = low_at(tokens, at)
    return low if low in _SIGNS or (low and is_code(tokens[at].text)) else ""


def _month(tokens: Sequence[Token], at: int) -> Amount | None:
    """Read a month without a year: `in December`."""
    month = _MONTHS.get(low_at(tokens, at))
    before = low_at(tokens, at - 1) if at else ""
    if month is None or not tokens[at].capital or before not in {"in", "during", "or"}:
        return None
    return Amount(f"--{month:02}", "month", at + 1)


def _one(tokens: Sequence[Token], at: int) -> Amount | None:
    """Read `an hour` and `half an hour`."""
    half = low_at(tokens, at) == "half"
    start = at + half
    if low_at(tokens, start) not in {"a", "an"} or not is_unit(low_at(tokens, start + 1)):
        return None
    if not half and len(low_at(tokens, start + 1)) < 3:
        return None
    return Amount("0.5" if half else "1", "number", start + 2, low_at(tokens, start + 1))


def _number(tokens: Sequence[Token], at: int) -> Amount | None:
    token = tokens[at]
    if token.kind == "word" and token.low in NUMBER_WORDS:
        value = str(NUMBER_WORDS[token.low])
    elif token.kind == "number" and re.fullmatch(r"[\d,]+(\.\d+)*(st|nd|rd|th|%)?", token.text):
        value = re.sub(r"[^\d.]", "", token.text)
    else:
        return None
    end = at + 1
    scale = _SCALES.get(low_at(tokens, end))
    if scale is not None and value.count(".") <= 1:
        value, end = f"{float(value) * scale:.12g}", end + 1
    year = re.fullmatch(r"1[5-9]\d\d|2[01]\d\d", token.text) is not None and end == at + 1
    step = end + 1 if low_at(tokens, end) == "-" else end
    unit = low_at(tokens, step)
    if is_unit(unit) or _currency(tokens, step):
        return Amount(value, "number", step + 1, unit)
    if token.text.endswith("%"):
        return Amount(value, "number", end, "%")
    return Amount(value, "year" if year else "number", end)


def _date(tokens: Sequence[Token], at: int) -> Amount | None:
    """Read an ISO date or month, or a month's name with a year and perhaps a day."""
    if re.fullmatch(r"\d{4}-\d{2}(?:-\d{2})?", tokens[at].text):
        return Amount(tokens[at].text, "date", at + 1)
    step = at + 1 if low_at(tokens, at) == "the" else at
    day, step = _day_at(tokens, step)
    month = _MONTHS.get(low_at(tokens, step))
    if month is None:
        return None
    step += 1
    if not day:
        day, step = _day_at(tokens, step)
    while low_at(tokens, step) in {",", "of", "-"}:
        step += 1
    year = low_at(tokens, step)
    if not re.fullmatch(r"\d{4}", year):
        return None
    iso = f"{year}-{month:02}" + (f"-{day:02}" if day else "")
    return Amount(iso, "date", step + 1)


def _day_at(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """Return the day of the month at `at` and where the month may follow; 0 for none."""
    match = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", low_at(tokens, at))
    day = int(match.group(1)) if match else 0
    if not 1 <= day <= 31:
        return 0, at
    return day, at + 2 if low_at(tokens, at + 1) == "of" else at + 1
