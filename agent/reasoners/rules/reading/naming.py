"""How words name a field: in full, by its head, in part, or by the usual word for its part."""

from collections.abc import Sequence
from typing import Final

from agent.reasoners.rules.language.units import without_unit
from agent.reasoners.rules.language.words import FUNCTION_WORDS, akin, singular
from agent.reasoners.rules.reading.facts import Facts

__all__ = ("naming_strength", "synonymous")

_QUANTITIES: Final = frozenset({"number", "no", "nr", "num", "count", "total", "amount", "n"})
"""Words by which a field's name says no more than that it is a number."""
_SYNONYMS: Final = (
    frozenset({"from", "sender", "author", "writer", "by"}),
    frozenset({"to", "recipient", "addressee", "receiver"}),
    frozenset({"cc", "copied", "copy"}),
)


def naming_strength(facts: Facts, words: Sequence[str]) -> int:
    """Return how strongly words name a field; a number needs neither unit nor `number of`."""
    whole = _strength(facts.words, words, fact=facts.fact)
    if facts.field.type != "number" or facts.fact:
        return whole
    core = without_unit(facts.words)
    while len(core) > 1 and core[0] in _QUANTITIES:
        core = core[1:]
    while len(core) > 1 and core[-1] in _QUANTITIES:
        core = core[:-1]
    return max(whole, min(2, _strength(core, words, fact=False)))


def synonymous(name: Sequence[str], word: str) -> bool:
    """Tell whether a noun is the usual word for the part that a field plays: `recipients`, To."""
    noun = singular(word)
    return len(name) == 1 and any({noun, name[0]} <= group for group in _SYNONYMS)


def _strength(name: Sequence[str], words: Sequence[str], *, fact: bool) -> int:
    content = [word for word in words if word not in FUNCTION_WORDS]
    if not content or len(content) > len(name):
        return 0
    if content == list(name) or (len(content) == 1 and [singular(content[0])] == list(name)):
        return 3
    if fact:
        return 0
    if _alike(name, content):
        return 2
    if _alike(name[-len(content) :], content):
        return 2
    return 1 if _alike(name[: len(content)], content) else 0


def _alike(name: Sequence[str], words: Sequence[str]) -> bool:
    return len(name) == len(words) and all(
        one == other or akin(one, other) for one, other in zip(name, words, strict=True)
    )
