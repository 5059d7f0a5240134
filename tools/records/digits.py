"""Numbers in digits: which marks part thousands and which one begins the decimals."""

import re
from decimal import Decimal
from typing import Final

__all__ = ("DIGITS", "read_digits")

_GAP: Final = "'\u2019\u00a0\u202f\u2009 "
DIGITS: Final = rf"(?:\d+(?:[.,]\d+|[{_GAP}]\d{{3}}(?!\d))*|\.\d+)(?:[eE][-+]?\d{{1,3}})?"
"""A pattern of what `read_digits` may be able to read."""
_POWER = re.compile(r"[eE]")
_THREES = re.compile(r"[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*")
_INDIAN = re.compile(r"[1-9]\d?(?:,\d{2})+,\d{3}")


def read_digits(written: str, *, whole: bool = False, money: bool = False) -> Decimal | str:
    """Return the number that digits with marks state, else the reason why none is certain.

    Where both marks occur, the last one begins the decimals. A lone comma before exactly three
    digits parts thousands, any other lone comma begins decimals. A lone point begins decimals,
    except before exactly three digits: there it parts thousands where only whole numbers are
    wanted, and nothing is certain for an amount of money, which has no thousandths.

    Args:
        written: as `DIGITS` matches it.
        whole: whether only a whole number can be meant.
        money: whether a currency is written with it.

    >>> read_digits("1,234.5"), read_digits("1.234.567,8"), read_digits("1 234"), read_digits("2,5")
    (Decimal('1234.5'), Decimal('1234567.8'), Decimal('1234'), Decimal('2.5'))
    >>> read_digits("1.234"), read_digits("1.234", whole=True)
    (Decimal('1.234'), Decimal('1234'))
    """
    number, *powers = _POWER.split(written, maxsplit=1)
    power = "".join(powers)
    number = re.sub(f"[{_GAP}]", "", number)
    if re.match(r"0\d", number):
        return f"{written!r} is a code with leading zeros, not an amount"
    if money and re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", number) and not power:
        return f"{written!r} may have decimals or thousands: write {number.replace('.', '')!r}"
    plain = _plain(number, whole=whole and not power)
    if plain is None:
        return f"{written!r} is no number: its marks part neither thousands nor decimals"
    return Decimal(plain + (f"e{power}" if power else ""))


def _plain(number: str, *, whole: bool) -> str | None:
    """Return the digits with a decimal point and no other mark, None if they are no number."""
    last = max(number.rfind("."), number.rfind(","))
    if last < 0:
        return number
    head, mark, tail = number[:last], number[last], number[last + 1 :]
    grouped = _THREES.fullmatch(number) or _INDIAN.fullmatch(number)
    if grouped and (mark == "," or whole or head.count(mark)):
        return number.replace(mark, "")
    if not head or head.isdecimal():
        return f"{head or '0'}.{tail}"
    other = "," if mark == "." else "."
    if mark not in head and (_grouped(head, other)):
        return f"{head.replace(other, '')}.{tail}"
    return None


def _grouped(head: str, mark: str) -> bool:
    found = _THREES.fullmatch(head)
    return (found is not None and mark in head) or _INDIAN.fullmatch(head) is not None
