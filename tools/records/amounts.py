"""One amount as text writes it: a number with its sign, scale and unit."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from agent.currencies import currency_of, names_money
from tools.records.compound import read_compound
from tools.records.digits import DIGITS, read_digits
from tools.records.number_words import SCALES, leading_number
from tools.records.scales import read_scale
from tools.records.spelling import plain_amount

__all__ = ("Amount", "read_amount")

_LONGEST: Final = 120
"""Characters of an amount at most: what is longer is a sentence."""
_SHOWN: Final = 40
_LONGEST_UNIT: Final = 6
_ABOUT: Final = re.compile(
    r"(?:about|around|approximately|approx\.?|circa|ca?\.|roughly|nearly|almost|some|~|≈|≃)\s*",
    re.IGNORECASE,
)
_BOUND: Final = re.compile(
    r"(?:(?:over|more than|greater than|above|at least|not less than|no less than|no fewer than|"
    r"exceed(?:s|ing)?|up to|under|below|at most|no more than|not more than|less than|"
    r"fewer than|from|starting (?:at|from)|min(?:imum)?(?: of)?|max(?:imum)?(?: of)?)\b\.?|[<>≤≥])",
    re.IGNORECASE,
)
_OPEN_END: Final = re.compile(
    r"(?<=[^\W_])\+(?=\s|$)|\b(?:or|and)\s+(?:more|less|fewer|above|over|under|below|up|older|younger|later|earlier)\b",
    re.IGNORECASE,
)
_SIGN: Final = re.compile(r"[-−–]|(?:minus|negative)\b", re.IGNORECASE)
_ACCOUNTING: Final = re.compile(r"([^\d()]{0,6})\(([^()]*\d[^()]*)\)([^\d()]*)")
_RANGE: Final = re.compile(r"\s*(?:[-–—−]|to|and|or|through)\s*[^\d\s]{0,4}\s*\d", re.IGNORECASE)
_OUT_OF: Final = re.compile(r"\s*(?:/|out of)\s*(\d+)(?![\d/.,])\s*([^\d]*)", re.IGNORECASE)
_SLASH: Final = re.compile(r"\s*/\s*(\d+)")
_BESTS: Final = frozenset({5, 10, 20, 100})
_MONEY_BEFORE: Final = re.compile(r"([^\W\d_]{0,3}[$€£¥]|[A-Z]{3}\b)")
_FIRST: Final = re.compile(DIGITS)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with the unit behind or before it."""

    number: Decimal
    unit: str = ""
    """As written, without a scale; empty where none is."""
    about: bool = False
    """Whether the text calls it approximate."""
    scaled: bool = False
    """Whether a scale stands with it: `5 million`."""


def read_amount(
    text: str, *, wanted: str = "", whole: bool = False, money: bool = False
) -> Amount | str:
    """Return the one amount that the whole text states, else the reason why it states none.

    `about 300` is 300, said to be approximate; `over 300`, `300+` and `10 to 12` are bounds, not
    values. Accountants' brackets and a trailing minus are negative. A text with several numbers
    states none, unless they are parts of one measure (`5 ft 10 in`) or points out of a best: with
    a slash, only out of 5, 10, 20, 100 or what is wanted, since `1/2` may be a half.

    Args:
        text: trimmed, with single spaces.
        wanted: the unit that the column wants: it tells metres from millions.
        whole: whether only a whole number can be meant: it tells `1.234` from `1234`.
        money: whether a number without a unit is an amount of money, which has no thousandths.

    >>> amount = read_amount("($1.2M)")
    >>> amount.number, amount.unit, read_amount("over 300")
    (Decimal('-1200000.0'), '$', "'over 300' is a bound, not a value")
    """
    if len(text) > _LONGEST:
        return f"{text[:_SHOWN]!r}… says more than an amount"
    plain = plain_amount(text)
    if accounting := _ACCOUNTING.fullmatch(plain):
        inner = f"{accounting[1]}{accounting[2]}{accounting[3]}".strip()
        if not re.match(r"[-−–+]", inner):
            return _negative(read_amount(inner, wanted=wanted, whole=whole, money=money))
    about = _ABOUT.match(plain)
    rest = plain[about.end() :] if about else plain
    if _BOUND.match(rest) or _OPEN_END.search(rest):
        return f"{text!r} is a bound, not a value"
    found = (
        _in_digits(rest, wanted, whole=whole, money=money)
        if _FIRST.search(rest)
        else _in_words(rest)
    )
    if isinstance(found, str) or not about:
        return found
    return replace(found, about=True)


def _negative(amount: Amount | str) -> Amount | str:
    if isinstance(amount, str):
        return amount
    return replace(amount, number=-amount.number)


def _in_words(text: str) -> Amount | str:
    """Read `one million dollars`."""
    sign = _SIGN.match(text)
    rest = text[sign.end() :].strip() if sign else text
    before = _MONEY_BEFORE.match(rest)
    currency = before[1] if before and names_money(before[1]) else ""
    words = rest[len(currency) :].replace("-", " ").split()
    found = leading_number([word.casefold().strip(",.") for word in words])
    if found is None:
        return f"{text!r} states no number"
    number, counted = found
    unit = _unit_behind(" ".join(words[counted:]), currency)
    if unit is None:
        return f"{text!r} holds several numbers, or says more than an amount"
    scaled = bool(SCALES.keys() & {word.casefold() for word in words[1:counted]})
    return Amount(-number if sign else number, unit, scaled=scaled)


def _in_digits(text: str, wanted: str, *, whole: bool, money: bool) -> Amount | str:
    """Read an amount whose number is in digits."""
    if compound := read_compound(text):
        return Amount(*compound)
    before, digits, after = _parted(text)
    sign, currency = _before(before)
    if _RANGE.match(after) or before.strip().casefold() == "between":
        return f"{text!r} is a range, not a value"
    if currency is None:
        return f"{before.strip()!r} stands before the number in {text!r}"
    bare = money and not after.strip()
    read = _scaled(digits, after, currency, wanted, whole=whole, money=bare or bool(currency))
    return read if isinstance(read, str) else _signed(read, text, wanted, currency, negative=sign)


def _parted(text: str) -> tuple[str, str, str]:
    """Return what stands before the first number, the number, and what stands behind it."""
    start, end = next(found.span() for found in _FIRST.finditer(text))
    return text[:start], text[start:end], text[end:]


def _scaled(
    digits: str, after: str, currency: str, wanted: str, *, whole: bool, money: bool
) -> tuple[Decimal, bool, str] | str:
    """Return the number, whether it has a scale, and the text behind it."""
    scaled = read_scale(after, wanted, money=bool(currency))
    if isinstance(scaled, str):
        return scaled
    scale, rest = scaled
    plain = scale == 1
    money = plain and (money or names_money(rest))
    number = read_digits(digits, whole=whole and plain, money=money)
    return number if isinstance(number, str) else (number * scale, not plain, rest)


def _signed(
    read: tuple[Decimal, bool, str], text: str, wanted: str, currency: str, *, negative: bool
) -> Amount | str:
    """Return the amount with its sign and unit."""
    number, scaled, rest = read
    if (fraction := _SLASH.match(rest)) and int(fraction[1]) not in _BESTS | _best(wanted):
        return f"{text!r} may be a fraction or points out of {fraction[1]}"
    closing = re.fullmatch(r"\s*[-−]", rest)
    unit = _unit_behind("" if closing else rest, currency)
    if unit is None:
        return f"{text!r} holds several numbers, or says more than an amount"
    return Amount(-number if negative or closing else number, unit, scaled=scaled)


def _best(wanted: str) -> set[int]:
    """Return the best of a wanted unit such as `/7`."""
    return {int(found) for found in re.findall(r"(?:/|out of)\s*(\d+)", wanted)}


def _before(text: str) -> tuple[bool, str | None]:
    """Return whether it is negative, and the currency before the number; None for other words."""
    rest = text.strip()
    negative = False
    if sign := _SIGN.search(rest):
        negative = True
        rest = (rest[: sign.start()] + rest[sign.end() :]).strip()
    rest = rest.removeprefix("+").strip()
    return negative, (rest if not rest or names_money(rest) else None)


def _unit_behind(rest: str, currency: str) -> str | None:
    """Return the unit of a number: the currency before it with the words behind it."""
    if not rest.strip():
        return currency
    if rating := _OUT_OF.fullmatch(rest):
        return f"/{rating[1]}"
    unit = _unit(re.sub(r"^(?:st|nd|rd|th)\b", "", rest))
    if unit is None or not currency:
        return unit
    if currency_of(unit) or not unit:
        return unit or currency
    return f"{currency} {unit}"


def _unit(rest: str) -> str | None:
    """Return the words behind a number as its unit; None where they say more than one."""
    text = re.sub(r"^[\s-]*(?:of\s+)?", "", rest).strip().rstrip(".,;:").strip()
    text = re.sub(r"^\(([^()]*)\)$", r"\1", text)
    bare = re.sub(r"(?<=[^\W\d])\^?[23](?!\d)", "", text)
    words = text.split()
    several = any(word != "second" and leading_number([word.casefold()]) for word in words)
    if several or re.search(r"\d|[;:!?]|,\s", bare) or len(words) > _LONGEST_UNIT:
        return None
    return text
