"""British and American spelling: two ways to write one word brought to one."""

import re
from functools import lru_cache
from typing import Final

__all__ = ("american",)

_INFLECTED: Final = r"(?=(?:s|ed|ing|er|ers|ful|al|ist)?\Z)"
_SPELLINGS: Final = tuple(
    (re.compile(pattern), other)
    for pattern, other in (
        (r"isation(?=s?\Z)", "ization"),
        (r"is(?=(?:e|es|ed|ing|er|ers)\Z)", "iz"),
        (r"ys(?=(?:e|es|ed|ing)\Z)", "yz"),
        (rf"our{_INFLECTED}", "or"),
        (r"ence(?=s?\Z)", "ense"),
        (r"([aeiou][^aeiou]{1,3}[aeiou])ll(?=(?:s|ed|ing|er|ers|ment)?\Z)", r"\1l"),
        (r"(?<=[bt])re(?=s?\Z)", "er"),
        (r"(?<=[ao])gue(?=s?\Z)", "g"),
        (r"(?<=m)me(?=s?\Z)", ""),
        (r"(?<=\w)ae(?=\w)", "e"),
    )
)
_ANY: Final = re.compile("|".join(pattern.pattern for pattern, _ in _SPELLINGS))
"""Most words have one spelling: they are told by a single search."""
_SHORTEST: Final = 6


@lru_cache(maxsize=65536)
def american(word: str) -> str:
    """Return a lower-cased word spelt as in American English, whether or not a word.

    It serves as a key: both spellings of a word have the same, few different words share one.

    >>> american("licence"), american("organised"), american("colours"), american("party")
    ('license', 'organized', 'colors', 'party')
    """
    if len(word) < _SHORTEST or not _ANY.search(word):
        return word
    for pattern, other in _SPELLINGS:
        changed = pattern.sub(other, word)
        if changed != word and len(changed) >= _SHORTEST - 1:
            return changed
    return word
