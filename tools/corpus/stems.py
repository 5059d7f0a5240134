"""The stems of word forms."""

from collections.abc import Sequence

__all__ = ("stems",)

_LONGEST = 40


def stems(forms: Sequence[str]) -> list[str]:
    """Stem lower-cased word forms (Snowball, English); what is not a plain word stems to itself.

    >>> stems(["licenses", "licensed", "3a"])
    ['licens', 'licens', '3a']
    """
    from Stemmer import Stemmer

    plain = [form for form in forms if _is_plain(form)]
    stemmed = iter(Stemmer("english", 0).stemWords(plain))  # 0: no cache, forms come once
    return [next(stemmed) if _is_plain(form) else form for form in forms]


def _is_plain(form: str) -> bool:
    return form.isalpha() and len(form) <= _LONGEST
