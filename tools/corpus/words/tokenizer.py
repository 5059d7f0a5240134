"""How text becomes words: the one tokenizer of the lexical index, the lexicon and the LSA embedder.

A word is a maximal run of Unicode letters, digits and underscores, lower-cased. Hyphens, dots and
apostrophes part words, so `non-compete` is `non` and `compete` for a search as for the index.
"""

import re
from collections.abc import Callable, Sequence
from itertools import compress

__all__ = ("stems", "words")

_find: Callable[[str], list[str]] = re.compile(r"\w+").findall
_ASCII = "".join(
    mark.lower() if mark.isalnum() or mark == "_" else " " for mark in map(chr, range(128))
)
"""What stands for each character of ASCII: itself in a word, lower-cased, else a blank."""


def words(text: str) -> list[str]:
    """Split text into lower-cased words, in order, repeats kept.

    >>> words("A Non-Compete clause (§ 3.1)")
    ['a', 'non', 'compete', 'clause', '3', '1']
    """
    if text.isascii():  # most texts: the same words in half of the time
        return text.translate(_ASCII).split()
    return _find(text.lower())


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
