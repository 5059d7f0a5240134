"""The stems of word forms."""

from collections.abc import Sequence
from itertools import compress

__all__ = ("stems",)

_LONGEST = 40


def stems(forms: Sequence[str]) -> list[str]:
    """Stem lower-cased word forms (Snowball, English); what is not a plain word stems to itself.

    >>> stems(["licenses", "licensed", "3a"])
    ['licens', 'licens', '3a']
    """
    from Stemmer import Stemmer

    plain = list(map(_is_plain, forms))
    stemmed = iter(Stemmer("english", 0).stemWords(list(compress(forms, plain))))  # 0: no cache
    return [next(stemmed) if each else form for form, each in zip(forms, plain, strict=True)]


def _is_plain(form: str) -> bool:
    return form.isalpha() and len(form) <= _LONGEST
