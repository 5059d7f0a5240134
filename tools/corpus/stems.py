"""The stems of word forms."""

from collections.abc import Sequence

__all__ = ("stems",)

_LONGEST = 40


def stems(forms: Sequence[str]) -> list[str]:
    """Stem lower-cased word forms (Snowball, English); what is not a plain word stems to itself.

    >>> stems(["licenses", "licensed", "3a"])
    ['licens', 'licens', '3a']
    """
    import snowballstemmer

    stem = snowballstemmer.stemmer("english").stemWord
    return [stem(form) if form.isalpha() and len(form) <= _LONGEST else form for form in forms]
