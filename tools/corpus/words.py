"""How text becomes words: the one tokenizer of the lexical index, the lexicon and the LSA embedder.

A word is a maximal run of Unicode letters, digits and underscores, lower-cased. Hyphens, dots and
apostrophes part words, so `non-compete` is `non` and `compete` for a search as for the index.
"""

import re
from collections.abc import Callable

__all__ = ("words",)

_find: Callable[[str], list[str]] = re.compile(r"\w+").findall


def words(text: str) -> list[str]:
    """Split text into lower-cased words, in order, repeats kept.

    >>> words("A Non-Compete clause (§ 3.1)")
    ['a', 'non', 'compete', 'clause', '3', '1']
    """
    return _find(text.lower())
