"""How strongly a sentence asserts a condition of meaning."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agent.reasoners.rules.judging.concept import Alternative, Concept, Slot
from agent.reasoners.rules.language.compounds import worded
from agent.reasoners.rules.language.denial import denies
from agent.reasoners.rules.language.modality import expresses, is_conditional, negates
from agent.reasoners.rules.language.roots import roots

__all__ = ("Sentence", "could_assert", "read_sentence", "strength")

_DERIVED: Final = 0.9
_ABOVE: Final = 0.8
_WHOLE: Final = 0.6
_REACH: Final = 120.0
_WRONG_FORCE: Final = 0.4
_UNSAID_DUTY: Final = 0.7
"""A plain statement often is a duty: `the tenant pays a deposit`."""
_QUALIFIED: Final = 0.4


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its words brought to roots."""

    text: str
    words: tuple[str, ...]
    """Lower-cased."""
    stems: frozenset[str]
    places: Mapping[str, Sequence[int]]
    """Where each root stands, counted in words."""
    heading: frozenset[str] = frozenset()
    """Roots of the words of the heading above it."""


def read_sentence(text: str, heading: str = "") -> Sentence:
    """Bring the words of a sentence and of the heading above it to stems and roots."""
    places: dict[str, list[int]] = {}
    stems: set[str] = set()
    words = tuple(word for word, *_ in worded(text.lower()))
    for place, word in enumerate(words):
        base, root = roots(word)
        stems.add(base)
        places.setdefault(root, []).append(place)
    above = frozenset(roots(word)[1] for word, *_ in worded(heading.lower()))
    return Sentence(text, words, frozenset(stems), places, above)


def could_assert(found: Collection[str], concept: Concept) -> bool:
    """Tell from the roots of a whole passage whether any sentence in it can be strong enough."""
    return any(
        _covered(alternative, dict.fromkeys(_among(alternative, found), 1.0), concept.prior)
        >= concept.enough
        for alternative in concept.alternatives
    )


def strength(sentence: Sentence, concept: Concept) -> float:
    """Return how strongly a sentence asserts the condition, in [0, 1].

    For the best alternative: the weight of its words that the sentence has, or the heading above
    it once the sentence has one, over the weight of all plus the prior, so that few or common
    words alone prove little; less where they stand far apart or are denied, where the asked force
    (may, shall, not) is missing, and where an unqualified statement is asked for and the sentence
    is conditional. Names must all be there.
    """
    return max(_strengths(sentence, concept), default=0.0)


def _strengths(sentence: Sentence, concept: Concept) -> Iterator[float]:
    lacks = bool(concept.force) and not expresses(sentence.text, concept.force or "permission")
    hangs = concept.unqualified and is_conditional(sentence.text)
    for alternative in concept.alternatives:
        matched = _matched(sentence, alternative)
        value = _covered(alternative, matched, concept.prior) * _nearness(sentence, matched)
        denied = concept.denied and _denied(sentence, matched)
        if denied or (alternative.negated and not negates(sentence.text)):
            value *= _WRONG_FORCE
        elif lacks:
            value *= _UNSAID_DUTY if concept.force == "obligation" else _WRONG_FORCE
        yield value * _QUALIFIED if hangs else value


def _denied(sentence: Sentence, matched: Mapping[Slot, float]) -> bool:
    about = [place for slot in matched for place in sentence.places.get(slot.root, ())]
    return denies(sentence.words, about)


def _matched(sentence: Sentence, alternative: Alternative) -> dict[Slot, float]:
    found: dict[Slot, float] = {}
    for slot in alternative.slots:
        if slot.stem in sentence.stems:
            found[slot] = 1.0
        elif slot.root in sentence.places and not slot.name:
            found[slot] = _DERIVED
    if found:
        above = (slot for slot in alternative.slots if slot.root in sentence.heading)
        found |= {slot: _ABOVE for slot in above if slot not in found and not slot.name}
    return found


def _among(alternative: Alternative, found: Collection[str]) -> list[Slot]:
    return [slot for slot in alternative.slots if slot.root in found]


def _covered(alternative: Alternative, matched: Mapping[Slot, float], prior: float) -> float:
    """Return the matched share of the weight, at least 0.6 if all words are there.

    Names are demanded instead of weighed.
    """
    if any(slot.name and slot not in matched for slot in alternative.slots):
        return 0.0
    weighed = [slot for slot in alternative.slots if not slot.name] or list(alternative.slots)
    whole = sum(slot.weight for slot in weighed) + prior
    got = sum(slot.weight * matched.get(slot, 0.0) for slot in weighed)
    complete = alternative.factor == 1 and len(matched) == len(alternative.slots)
    least = _WHOLE if complete else 0.0
    return alternative.factor * max(least, got / whole)


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
