"""The words of a label that tell what it calls, by their roots."""

import re
from functools import lru_cache
from typing import Final

from agent.reasoners.rules.language.roots import roots
from agent.reasoners.rules.language.words import FUNCTION_WORDS, word_set

__all__ = ("telling_roots",)

_WORD: Final = re.compile(r"[^\W_]+")
_COUNTING: Final = word_set("number count num")


@lru_cache(maxsize=65536)
def telling_roots(words: str) -> frozenset[str]:
    """Return the roots of content words, without those that but say that something is counted.

    >>> telling_roots("Number of rooms") == telling_roots("the room")
    True
    """
    found = (word for word in _WORD.findall(words.casefold()) if word not in FUNCTION_WORDS)
    return frozenset(roots(word)[1] for word in found if word not in _COUNTING)
