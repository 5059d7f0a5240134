"""Letters without what writers leave out or put in: case, accents, marks, width."""

import re
import unicodedata
from typing import Final

__all__ = ("folded", "single_spaced", "spelt_out")

_BARE: Final = str.maketrans({
    "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ŋ": "n",
    "ħ": "h", "ŧ": "t", "’": "'", "‘": "'", "`": "'", "´": "'", "ʼ": "'",
})  # fmt: skip
_MARKS: Final = re.compile("[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u064b-\u065f\u0670]")
_SPELT_OUT: Final = str.maketrans({
    "ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe",
    "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa", "Ø": "Oe",
})  # fmt: skip


def folded(text: str) -> str:
    """Return text without case, width and the accents that names are also written without.

    Marks that make another letter (Japanese voicing, Indic vowels) stay.

    >>> folded("Łódź"), folded("ＡＣＭＥ"), folded("Straße")
    ('lodz', 'acme', 'strasse')
    """
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_BARE)
    bare = _MARKS.sub("", unicodedata.normalize("NFD", plain))
    return unicodedata.normalize("NFC", bare)


def spelt_out(text: str) -> str:
    """Return text with umlauts as two letters, as where a keyboard has none.

    >>> spelt_out("Müller"), spelt_out("Ångström")
    ('Mueller', 'Aangstroem')
    """
    return unicodedata.normalize("NFC", text).translate(_SPELT_OUT)


def single_spaced(name: str) -> str:
    """Return the name with single spaces and none at its ends."""
    return " ".join(name.split())
