"""What code knows of English words: folding, stems, numbers, months, function words."""

import re
import threading
from functools import cached_property, lru_cache
from typing import Any, Final

from agent.accents import unaccented

__all__ = (
    "FILLERS",
    "FUNCTION_WORDS",
    "MONTHS",
    "NUMBER_WORDS",
    "fold",
    "root",
    "stem",
    "word_set",
)


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


FUNCTION_WORDS: Final = word_set(
    """
    a about above across after again against all along also although am among an and any are
    aren't as at be because been before being below beneath beside besides between beyond both
    but by can can't cannot could couldn't did didn't do does doesn't doing don't down during
    each either else ever every except few for from further had hadn't has hasn't have haven't
    having he her here hers him his how i if in into is isn't it its itself just least less like
    many may me might more most much must my near neither never no nor not of off often on once
    one ones only onto or other others our out over own per quite rather same shall she should so
    some such than that the their them themselves then there these they this those through
    throughout to together too toward towards under until up upon us very via was wasn't we were
    weren't what when where whether which while who whom whose why will with within without won't
    would yet you your
    """
)
"""Words of the closed classes, without case."""
FILLERS: Final = word_set(
    """
    a all am an are as at be been being by did do does for from had has have here i in is it its
    me my of on one ones our that the their them there these they this those to us was we were
    where which who whose with you your
    """
)
"""Function words that a question can lose without a change of meaning, once the rest is placed."""
NUMBER_WORDS: Final = {
    word: number
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "thousand": 1000}
MONTHS: Final = {
    name: number
    for number, names in enumerate(
        [
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ],
        start=1,
    )
    for name in names.split()
}
_POSSESSIVE: Final = re.compile(r"['’]s$|(?<=s)['’]$")
_SHARED: Final = 5
_SUFFIX: Final = re.compile(
    r"(?:e|er|ers|or|ors|ee|ees|eed|eeing|ion|ions|ment|ments|ant|ance|ing|ings|ed|s|es|d|al|able)?"
)


def fold(word: str) -> str:
    """Return a word without case, accents and a possessive ending.

    >>> fold("Café's"), fold("Zürich")
    ('cafe', 'zurich')
    """
    return _POSSESSIVE.sub("", unaccented(word.casefold()).replace("’", "'"))


class _Stemmers(threading.local):
    """A stemmer a thread: one is not for two at a time."""

    @cached_property
    def english(self) -> Any:
        import snowballstemmer

        return snowballstemmer.stemmer("english")


_stemmers: Final = _Stemmers()


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the English (Snowball) stem of a word.

    >>> stem("rejected"), stem("Licenses")
    ('reject', 'licens')
    """
    return str(_stemmers.english.stemWord(word.casefold()))


def root(one: str, other: str) -> bool:
    """Tell whether two words are inflected or derived from one root: `sponsored`, `sponsor`.

    >>> root("purchased", "Purchase"), root("from", "form"), root("create", "credit")
    (True, False, False)
    """
    a, b = fold(one), fold(other)
    if stem(a) == stem(b):
        return True
    shared = 0
    while shared < min(len(a), len(b)) and a[shared] == b[shared]:
        shared += 1
    return (
        shared >= _SHARED
        and _SUFFIX.fullmatch(a[shared:]) is not None
        and _SUFFIX.fullmatch(b[shared:]) is not None
    )
