"""The words of a condition that say what it is about, and those that only frame it."""

from collections.abc import Sequence
from typing import Final

from agent.reasoners.rules.language.words import PREPOSITIONS, RELATIVES, singular, word_set

__all__ = ("without_piece",)

_HOLDING: Final = word_set(
    "contain contains containing contained include includes including included have has having "
    "had carry carries carried feature features give gives provide provides bear bears hold holds "
    "with lack lacks set sets make makes add adds"
)
_USING: Final = word_set("use uses used using call calls come comes feature features involve")
_PIECES: Final = word_set(
    "clause provision section statement notice sentence paragraph language wording passage article "
    "stipulation term remark note text"
)


def without_piece(words: Sequence[str]) -> list[str]:
    """Drop the noun for a piece of text from `contain a non-compete clause`, and a light verb.

    >>> without_piece("contain a non - compete clause".split())
    ['contain', 'a', 'non', '-', 'compete']
    """
    low = [word.lower() for word in words]
    if len(low) > 1 and low[0] in _USING:
        return list(words[1:])
    if not low or low[0] not in _HOLDING:
        return list(words)
    closing = (PREPOSITIONS | RELATIVES) - {"with"}
    end = next((at for at, word in enumerate(low) if at and word in closing), len(low))
    if end > 1 and singular(low[end - 1]) in _PIECES:
        return [*words[: end - 1], *words[end:]]
    return list(words)
