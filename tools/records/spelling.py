"""Ways to spell a number that are brought to plain digits first: `2½`, `thirty (30)`."""

import re
from decimal import Decimal
from typing import Final

from tools.records.digits import DIGITS, read_digits
from tools.records.number_words import leading_number, words_of

__all__ = ("plain_amount",)

_VULGAR: Final = {"½": (1, 2), "¼": (1, 4), "¾": (3, 4), "⅓": (1, 3), "⅔": (2, 3), "⅛": (1, 8)}
_MIXED: Final = re.compile(rf"(?:(\d+)\s?)?([{''.join(_VULGAR)}])|(\d+)[ -]([1-9])/(2|3|4|8|16)\b")
_WORDS_FIRST: Final = re.compile(rf"([^\W\d_]+(?:[ -][^\W\d_]+)*)\s*\(({DIGITS})\)\s*(.*)")
_DIGITS_FIRST: Final = re.compile(rf"({DIGITS})\s*\(([^\W\d_]+(?:[ -][^\W\d_]+)*)\)\s*(.*)")
_TOTAL: Final = re.compile(r"(?:a total of|in total|total(?:l?ing)?)\s+", re.IGNORECASE)


def plain_amount(text: str) -> str:
    """Return a text with fractions as decimals, and a number said twice said once, in digits.

    >>> plain_amount("2½ hours"), plain_amount("thirty (30) days"), plain_amount("1 1/2 cups")
    ('2.5 hours', '30 days', '1.5 cups')
    """
    text = _MIXED.sub(_decimal, _TOTAL.sub("", text, count=1))
    if (twice := _WORDS_FIRST.fullmatch(text)) and _same(twice[1], twice[2]):
        return f"{twice[2]} {twice[3]}".strip()
    if (twice := _DIGITS_FIRST.fullmatch(text)) and _same(twice[2], twice[1]):
        return f"{twice[1]} {twice[3]}".strip()
    return text


def _decimal(found: re.Match[str]) -> str:
    above, below = _VULGAR[found[2]] if found[2] else (int(found[4]), int(found[5]))
    total = Decimal(found[1] or found[3] or 0) + Decimal(above) / Decimal(below)
    return f"{float(total):.15g}"


def _same(words: str, digits: str) -> bool:
    listed = words_of(words)
    spelt, number = leading_number(listed), read_digits(digits)
    return spelt is not None and spelt[1] == len(listed) and spelt[0] == number
