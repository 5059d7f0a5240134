"""Numbers from the unit they are written in to the unit a column wants."""

import re
from decimal import Decimal
from typing import Final

from tools.records.units import Unit, parse_unit, split_scale

__all__ = ("converted", "is_money", "is_share")

_OUT_OF: Final = re.compile(r"(?:/|out of)\s*(\d+)")
_PERCENT: Final = Decimal("0.01")


def converted(number: Decimal, written: str, wanted: str) -> Decimal | str:
    """Return a number in the wanted unit, else the reason why it cannot be.

    Shares become fractions of one: 41 % is 0.41. Without a wanted unit all else stays as it is. A
    wanted `per` that is not written is taken as said by the column: 20 USD is 20 in `USD per hour`.
    What is merely counted (`rooms`, `per night`) never stands in the way. No currency converts to
    another; no month to days; nothing to or from a unit of several sizes, such as a ton.

    >>> converted(Decimal(90), "minutes", "hours"), converted(Decimal(41), "%", "%")
    (Decimal('1.5'), Decimal('0.41'))
    >>> converted(Decimal("1.2"), "million USD", "USD"), converted(Decimal(5), "EUR", "USD")
    (Decimal('1200000.0'), "in 'EUR', which cannot be converted to 'USD'")
    """
    given_scale, given = split_scale(written)
    scale, into = split_scale(wanted)
    number = number * given_scale / scale
    if not given:
        return number
    if rating := _OUT_OF.fullmatch(given):
        return _rated(number, int(rating[1]), into)
    source = parse_unit(given, _currency(into))
    if not into:
        return number * source.factor if source is not None and not source.bases else number
    if given.casefold() == into.casefold() and not is_share(into):
        return number
    target = parse_unit(into)
    refusal = f"in {given!r}, which cannot be converted to {into!r}"
    if source is None or target is None:
        return refusal
    return (
        number if source.counted and target.counted else _between(number, source, target, refusal)
    )


def _between(number: Decimal, source: Unit, target: Unit, refusal: str) -> Decimal | str:
    if source.counted or target.counted:
        return refusal
    if source.measures == target.measures:
        divisor = Decimal(1) if not target.bases and target.factor == _PERCENT else target.factor
        above = number * source.factor + (source.zero or 0)
        return (above - (target.zero or 0)) / divisor
    above_line = tuple(base for base in target.measures if not base[0].startswith("/"))
    return number if source.measures == above_line and source.factor == 1 else refusal


def _rated(number: Decimal, best: int, into: str) -> Decimal | str:
    """Return points out of the best: on the wanted scale, as a share, or as they are."""
    if rating := _OUT_OF.fullmatch(into):
        return number * int(rating[1]) / best
    if into and is_share(into):
        return number / best
    return number


def _currency(unit: str) -> str:
    """Return the code of the currency in a unit, empty without one."""
    parsed = parse_unit(unit) if unit else None
    codes = [base for base, _ in parsed.bases if re.fullmatch("[A-Z]{3}", base)] if parsed else []
    return codes[0] if codes else ""


def is_money(unit: str) -> bool:
    """Tell whether a unit is a currency, perhaps scaled or per something."""
    return _currency(split_scale(unit)[1]) != ""


def is_share(unit: str) -> bool:
    """Tell whether a unit is percent.

    >>> is_share("%"), is_share("percentage points"), is_share("x")
    (True, True, False)
    """
    parsed = parse_unit(split_scale(unit)[1])
    return parsed is not None and not parsed.bases and parsed.factor == _PERCENT
