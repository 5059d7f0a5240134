"""Words written together, apart or with a hyphen: `sub-letting`, `chickpeas`, `non-compete`."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from agent.corpus_view import Lexicon
from agent.reasoners.rules.language.spelling import american
from agent.reasoners.rules.language.words import FUNCTION_WORDS, word_set

__all__ = ("HARD_HYPHEN", "parted", "with_partings", "worded")

HARD_HYPHEN: Final = "\u2011"
"""In a term: a hyphen that has to be written, where an ordinary one may be a space or nothing."""
_PREFIXES: Final = word_set(
    "pre re sub co over under inter multi post counter mis self e fore out semi super trans"
)
_WORD: Final = re.compile(r"[^\W_]+")
_HYPHEN: Final = re.compile(r"[-\u2010\u2011]")
_HALF: Final = 4


def worded(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words of a text with their offsets; a prefix with a hyphen is one with its word.

    >>> [word for word, *_ in worded("No sub-letting, but a non-exclusive right")]
    ['No', 'subletting', 'but', 'a', 'non', 'exclusive', 'right']
    """
    found = list(_WORD.finditer(text))
    at = 0
    while at < len(found):
        word = found[at]
        following = found[at + 1] if at + 1 < len(found) else None
        joined = (
            following is not None
            and word.group().lower() in _PREFIXES
            and _HYPHEN.fullmatch(text, word.end(), following.start()) is not None
        )
        if joined and following is not None:
            yield word.group() + following.group(), word.start(), following.end()
            at += 2
        else:
            yield word.group(), word.start(), word.end()
            at += 1


def parted(word: str, lexicon: Lexicon) -> str | None:
    """Return a word as two that the corpus has, each of four letters or more; None without such.

    The parts are the most even ones: `chick peas` for `chickpeas`. Where the corpus has the word
    itself they are joined by `HARD_HYPHEN`, since two words may then mean something else.
    """
    if not word.isalpha() or len(word) < 2 * _HALF:
        return None
    cuts = sorted(range(_HALF, len(word) - _HALF + 1), key=lambda at: abs(2 * at - len(word)))
    for at in cuts:
        halves = (word[:at].lower(), word[at:].lower())
        if not FUNCTION_WORDS & set(halves) and all(map(lexicon.frequency, halves)):
            joint = HARD_HYPHEN if lexicon.frequency(word.lower()) else " "
            return f"{word[:at]}{joint}{word[at:]}"
    return None


def with_partings(terms: Sequence[str], lexicon: Lexicon) -> tuple[str, ...]:
    """Add how the corpus may write the terms: apart (`Heat-well`), in the other English spelling.

    Proper names have one spelling, so only words in small letters are spelt otherwise.
    """
    apart = (parted(term, lexicon) for term in terms)
    other = (spelt for term in terms for spelt in _otherwise(term, lexicon))
    found = [term for term in apart if term is not None]
    return tuple(dict.fromkeys([*terms, *found, *other]))


def _otherwise(term: str, lexicon: Lexicon) -> Iterator[str]:
    for found in _WORD.finditer(term):
        word = found.group()
        if not word.islower():
            continue
        for form in lexicon.spellings(word):
            if form != word and american(form) == american(word):
                yield f"{term[: found.start()]}{form}{term[found.end() :]}"
