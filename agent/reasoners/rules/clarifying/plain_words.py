"""Clarified wordings in plainer words: what a careful writer adds so that nothing is left open."""

import re
from collections.abc import Callable
from typing import Final

__all__ = ("plainly",)

_Turning = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def _below(match: re.Match[str]) -> str:
    return f"between {match['low']} and {int(match['high']) - 1}"


def _either(match: re.Match[str]) -> str:
    """Write `a X/Y` out as `a X or a Y`; under `neither` as `a X nor a Y`."""
    joint = "nor" if match["nor"] else "or"
    article = match["article"] or ""
    return f"{match['nor'] or ''}{article}{match['one']} {joint} {article}{match['other']}"


_ITS_OWN: Final = _pattern(r" (?:does|do|did|has|have) (?:it|they) [a-z]+(?=[?.]?$)")
"""`For each hive, which plants does it visit?` asks which plants there are."""
_TURNINGS: Final[tuple[_Turning, ...]] = (
    (
        _pattern(
            r"\b(?:in|over|within|during|for) the [\w\s-]{1,30}? (?:up to|until|before|to) [\d-]+ "
            r"\((?P<exact>(?:on or after|since|from|after) [^()]+)\)"
        ),
        r"\g<exact>",
    ),
    (_pattern(r"\s*\((?:in |of |from |created in |at )?any [^()]*\)"), ""),
    (
        _pattern(
            r"\s*\b(?:of|in|from|with|at) (?:any|whatever) \w+(?: (?:and|or) \w+)*(?=[\s?.,;]|$)"
        ),
        "",
    ),
    (_pattern(r",? regardless of (?:the |its |their )?\w+(?: (?:and|or) \w+)*"), ""),
    (_pattern(r"\bof (?P<a>\d[\d.]*) (?:to|through) (?P<b>\d[\d.]*)(?=[\s?.,;]|$)"),
     r"between \g<a> and \g<b>"),
    (
        _pattern(r"\b(?:of )?(?P<low>\d+) or more but (?:below|under|less than) (?P<high>\d+)"),
        _below,
    ),
    (
        _pattern(
            r"(?P<nor>\bnor )?(?P<article>\ban? |\bthe )?(?<![\w/])(?P<one>[A-Za-z][\w-]{2,})/"
            r"(?P<other>[A-Za-z][\w-]{2,})(?![\w/])"
        ),
        _either,
    ),
    (
        _pattern(
            r"\b(?:a |an |the )?(?:document|text|body|file) (?:of|with) "
            r"(?P<how>more than|less than|fewer than|at least|at most|over|under|up to) "
            r"(?P<size>\d[\d,]*) (?:characters|bytes)\b"
        ),
        r"a file size of \g<how> \g<size>",
    ),
    (_pattern(r"\b(?:exactly )?as it is (?:written|spelt|spelled)\b"), ""),
)  # fmt: skip


def plainly(text: str) -> str:
    """Turn wordings that only rule other readings out into what they say.

    >>> plainly("How many are of 3 to 5 pages (any year) in the 2 years up to 2020 (after 2018)?")
    'How many are between 3 and 5 pages after 2018?'
    >>> plainly("How many have neither a cook nor a host/guide?")
    'How many have neither a cook nor a host nor a guide?'
    """
    if text.startswith("For each"):
        text = _ITS_OWN.sub(" are there", text)
    for pattern, words in _TURNINGS:
        text = pattern.sub(words, text)
    return re.sub(r"\s+([?.,;])", r"\1", re.sub(r"\s{2,}", " ", text)).strip()
