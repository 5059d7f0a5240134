"""Words brought to a common form: inflection, derivation, British and American spelling."""

import re
from functools import lru_cache

from agent.reasoners.rules.words import stem

__all__ = ("american", "roots")

_SPELLINGS = (
    ("isation", "ization"),
    ("ising", "izing"),
    ("ised", "ized"),
    ("ise", "ize"),
    ("yse", "yze"),
    ("our", "or"),
    ("ence", "ense"),
    ("lling", "ling"),
    ("lled", "led"),
)
_DERIVED = re.compile(r"(?:itor|ition|itiv|ation|ativ|ator|ment|ee|er|or|al|iti|at|it|e|i|y)\Z")


def american(word: str) -> str:
    """Return the word with its ending spelt as in American English, whether or not a word.

    >>> american("licence"), american("organised"), american("party")
    ('license', 'organized', 'party')
    """
    for british, other in _SPELLINGS:
        if word.endswith(british) and len(word) > len(british) + 2:
            return word[: -len(british)] + other
    return word


@lru_cache(maxsize=262144)
def roots(word: str) -> tuple[str, str]:
    """Return a lower-cased word's stem and its root, which derived words share too.

    The root is the stem without a derivational ending, if four letters are left of it; the prefix
    `non` is dropped, since it is a negation and read as one.

    >>> roots("competition")[1] == roots("competing")[1], roots("liability") == roots("liable")
    (True, True)
    """
    bare = word[3:] if word.startswith("non") and len(word) > 7 else word
    base = stem(american(bare))
    if base.endswith("bil"):
        base = f"{base[:-3]}bl"
    cut = _DERIVED.sub("", base)
    return base, cut if len(cut) >= 4 else base
