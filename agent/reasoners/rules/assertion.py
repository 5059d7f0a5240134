"""How strongly a sentence asserts a condition of meaning."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agent.reasoners.rules.concept import Alternative, Concept, Slot
from agent.reasoners.rules.modality import expresses, is_conditional, negates
from agent.reasoners.rules.roots import roots

__all__ = ("ENOUGH", "Sentence", "could_assert", "read_sentence", "strength")

ENOUGH: Final = 0.38
"""From which strength on a sentence counts as saying it."""

_WORD: Final = re.compile(r"[^\W_]+")
_DERIVED: Final = 0.9
_PRIOR: Final = 2.0
_REACH: Final = 120.0
_WRONG_FORCE: Final = 0.4
_QUALIFIED: Final = 0.4


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its words brought to roots."""

    text: str
    stems: frozenset[str]
    places: Mapping[str, Sequence[int]]
    """Where each root stands, counted in words."""


def read_sentence(text: str) -> Sentence:
    """Bring the words of a sentence to stems and roots."""
    places: dict[str, list[int]] = {}
    stems: set[str] = set()
    for place, word in enumerate(_WORD.findall(text.lower())):
        base, root = roots(word)
        stems.add(base)
        places.setdefault(root, []).append(place)
    return Sentence(text, frozenset(stems), places)


def could_assert(found: frozenset[str] | set[str], concept: Concept) -> bool:
    """Tell from the roots of a whole passage whether any sentence in it can be strong enough."""
    return any(
        _covered(alternative, {slot: 1.0 for slot in alternative.slots if slot.root in found})
        >= ENOUGH
        for alternative in concept.alternatives
    )


def strength(sentence: Sentence, concept: Concept) -> float:
    """Return how strongly a sentence asserts the condition, in [0, 1].

    For the best alternative: the weight of its words that the sentence has, over the weight of
    all plus a prior of 2, so that few or common words alone prove little; less where they stand
    far apart, where the asked force (may, shall, not) is missing, and where an unqualified
    statement is asked for and the sentence is conditional. Names must all be there.
    """
    return max(_strengths(sentence, concept), default=0.0)


def _strengths(sentence: Sentence, concept: Concept) -> Iterator[float]:
    lacks = bool(concept.force) and not expresses(sentence.text, concept.force or "permission")
    hangs = concept.unqualified and is_conditional(sentence.text)
    for alternative in concept.alternatives:
        matched = _matched(sentence, alternative)
        value = _covered(alternative, matched) * _nearness(sentence, matched)
        if lacks or (alternative.negated and not negates(sentence.text)):
            value *= _WRONG_FORCE
        yield value * _QUALIFIED if hangs else value


def _matched(sentence: Sentence, alternative: Alternative) -> dict[Slot, float]:
    found: dict[Slot, float] = {}
    for slot in alternative.slots:
        if slot.stem in sentence.stems:
            found[slot] = 1.0
        elif slot.root in sentence.places and not slot.name:
            found[slot] = _DERIVED
    return found


def _covered(alternative: Alternative, matched: Mapping[Slot, float]) -> float:
    """Return the matched share of the weight; names are demanded instead of weighed."""
    if any(slot.name and slot not in matched for slot in alternative.slots):
        return 0.0
    weighed = [slot for slot in alternative.slots if not slot.name] or list(alternative.slots)
    whole = sum(slot.weight for slot in weighed) + _PRIOR
    got = sum(slot.weight * matched.get(slot, 0.0) for slot in weighed)
    return alternative.factor * got / whole


def _nearness(sentence: Sentence, matched: Mapping[Slot, float]) -> float:
    """Return 1 for words side by side, falling with the shortest stretch that has them all."""
    places = [sentence.places[slot.root] for slot in matched if slot.root in sentence.places]
    if len(places) < 2:
        return 1.0
    slack = _shortest(places) - 3 * len(places)
    return _REACH / (_REACH + max(0, slack))


def _shortest(places: Sequence[Sequence[int]]) -> int:
    """Return the length in words of the shortest stretch with one place of each list."""
    events = sorted((place, which) for which, where in enumerate(places) for place in where)
    latest: dict[int, int] = {}
    best = events[-1][0] - events[0][0] + 1
    for place, which in events:
        latest[which] = place
        if len(latest) == len(places):
            best = min(best, place - min(latest.values()) + 1)
    return best
