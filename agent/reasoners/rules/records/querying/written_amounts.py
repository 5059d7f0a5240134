"""Amounts as questions write them, put as figures: `US$2.3M`, `forty-four`, `72 per cent`."""

import re
from typing import Final

__all__ = ("in_figures",)

_QUOTED: Final = re.compile(r"(\"[^\"]*\"|“[^”]*”|‘[^’]*’)")
_TENS: Final = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
                "eighty": 80, "ninety": 90}  # fmt: skip
_TEENS: Final = {"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
                 "eighteen": 18, "nineteen": 19}  # fmt: skip
_ONES: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
                "eight": 8, "nine": 9}  # fmt: skip
_SCALES: Final = {
    "k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "bn": 1e9, "b": 1e9,
    "billion": 1e9,
}  # fmt: skip
_SIGNS: Final = {"usd": "$", "dollar": "$", "eur": "€", "euro": "€", "gbp": "£", "$": "$",
                 "€": "€", "£": "£"}  # fmt: skip
_NUMBER: Final = r"(?P<number>\d(?:[\d,]*\d)?(?:\.\d+)?)"
_NAMED: Final = r"(?:US\s?)?dollars?|USD|euros?|EUR|GBP"
_AMOUNT: Final = re.compile(
    rf"(?<![\w.$€£])(?:(?P<before>(?:US\s?)?\$|[€£]|USD\b|EUR\b|GBP\b)\s*)?{_NUMBER}"
    rf"(?:(?P<glued>k|M|m|mn|bn|B)\b|\s(?P<scale>thousand|million|billion|bn|mn)\b)?"
    rf"(?:\s?(?P<behind>{_NAMED}|[€$£])(?!\w))?"
)
_CENT: Final = re.compile(r"(?<=\d)\s*(?:per\s?cent)\b", re.IGNORECASE)
_COMPOUND: Final = re.compile(rf"\b({'|'.join(_TENS)})-({'|'.join(_ONES)})\b", re.IGNORECASE)
_PLAIN: Final = re.compile(rf"\b({'|'.join([*_TENS, *_TEENS])})\b(?!-)", re.IGNORECASE)


def in_figures(question: str) -> str:
    """Return the question with amounts outside of quotation marks in plain figures.

    >>> in_figures("that cost less than US$2.3M, with forty-four seats and above 72 per cent")
    'that cost less than $2300000, with 44 seats and above 72%'
    """
    parts = _QUOTED.split(question)
    return "".join(part if at % 2 else _figures(part) for at, part in enumerate(parts))


def _figures(text: str) -> str:
    spelt = _COMPOUND.sub(lambda said: str(_tens(said[1]) + _ONES[said[2].casefold()]), text)
    spelt = _PLAIN.sub(lambda said: str(_tens(said[1])), spelt)
    return _CENT.sub("%", _AMOUNT.sub(_amount, spelt))


def _tens(word: str) -> int:
    low = word.casefold()
    return _TENS.get(low) or _TEENS[low]


def _amount(said: re.Match[str]) -> str:
    """Return an amount with its currency's sign before it; without scale or currency as it is.

    A bare `m` behind a figure is a metre.
    """
    scale, currency = said["glued"] or said["scale"], said["before"] or said["behind"]
    if not (scale or currency) or (scale == "m" and not currency):
        return said[0]
    number = float(said["number"].replace(",", "")) * _SCALES.get((scale or "").casefold(), 1)
    return f"{_sign(currency or '')}{number:.12g}" if number < 1e12 else said[0]


def _sign(currency: str) -> str:
    word = currency.casefold().removeprefix("us").strip() if currency[:2] == "US" else currency
    low = "usd" if currency == "USD" else word.casefold().removesuffix("s")
    return _SIGNS.get(low, "")
