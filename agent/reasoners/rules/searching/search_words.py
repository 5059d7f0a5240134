"""Which words to filter by so that no chunk which may state a condition is lost."""

import re
from collections.abc import Sequence
from typing import Final

from agent.corpus_view import CorpusView
from agent.question import Condition
from agent.reasoners.rules.judging.concept import Slot, commonness, read_concept
from agent.reasoners.rules.language.roots import roots
from agent.reasoners.rules.language.spelling import american

__all__ = ("is_pinned", "mention_pattern", "search_words")

_COMPANY: Final = 5
"""Words that co-occur: so many win 1.3 points of gold-chunk recall on contracts, more hardly."""
_ENDINGS = (
    *("e", "er", "ers", "or", "ors", "ion", "ions", "ation", "ations", "ition", "itions"),
    *("itor", "itors", "itive", "ative", "ator", "ators", "ment", "ments", "al", "ee", "ees"),
    *("able", "ible", "ability", "ance", "ence", "ive"),
)


def mention_pattern(terms: Sequence[str]) -> str:
    r"""Return a pattern that every mention of the terms matches, in linear-time regex syntax.

    >>> mention_pattern(["type checker", "wasm"])
    '(?:\\b|_)(?:type[\\s_\\-\u2010-\u2013]*checker|wasm)'
    """
    bodies = [
        r"[\s_\-‐-–]*".join(
            re.escape(part) for part in re.split(r"[\s\-‐-–_]+", term.strip()) if part
        )
        for term in dict.fromkeys(terms)
    ]
    return rf"(?:\b|_)(?:{'|'.join(body for body in bodies if body)})"


def search_words(
    conditions: Sequence[Condition], entity_type: str, corpus: CorpusView, share: float
) -> tuple[str, ...]:
    """Return the words, most telling first, of which a chunk must have one.

    Words are added while the chunks that have any of them stay below a share of the corpus, but
    for each alternative of each condition at least its most telling word, or its names; words
    that keep company with those come last. A condition that no word expresses makes the whole
    useless, so nothing is returned.
    """
    wanted: dict[str, float] = {}
    spare: dict[str, Slot] = {}
    for condition in conditions:
        if condition.terms:
            wanted |= {term: commonness(term, corpus) for term in condition.terms}
            continue
        alternatives = read_concept(condition, entity_type, corpus).alternatives
        if not alternatives:
            return ()
        for alternative in alternatives:
            slots = sorted(alternative.slots, key=lambda slot: (not slot.name, -slot.weight))
            wanted |= {slots[0].word: commonness(slots[0].word, corpus)}
            spare |= {} if slots[0].name else {slot.root: slot for slot in slots[1:]}
    absent = 1.0
    for likelihood in wanted.values():
        absent *= 1 - likelihood
    ranked = [slot.word for slot in sorted(spare.values(), key=lambda each: -each.weight)]
    for word in (*ranked, *_company(tuple(wanted), corpus)):
        likelihood = commonness(word, corpus)
        if word not in wanted and 1 - absent * (1 - likelihood) <= share:
            wanted[word] = likelihood
            absent *= 1 - likelihood
    return tuple(dict.fromkeys(form for word in wanted for form in _forms(word, corpus)))


def _company(words: Sequence[str], corpus: CorpusView) -> list[str]:
    """Return words that keep company with the most telling ones in this corpus."""
    common = [word for word in words if word.islower()]
    return [word for word, _ in corpus.lexicon.related(common, _COMPANY)] if common else []


def is_pinned(condition: Condition, entity_type: str, corpus: CorpusView) -> bool:
    """Tell whether a condition is about names or terms without which no chunk can state it."""
    if condition.terms:
        return True
    alternatives = read_concept(condition, entity_type, corpus).alternatives
    return bool(alternatives) and all(
        any(slot.name for slot in alternative.slots) for alternative in alternatives
    )


def _forms(word: str, corpus: CorpusView) -> list[str]:
    """Return the word as the corpus spells it, with the words of the corpus derived from it.

    Inflections are left to the filter; only derivations are added, as far as the corpus has them.
    """
    low = word.lower()
    if not word.islower():
        return [word]
    spelt = [each for each in (low, american(low)) if corpus.lexicon.inflections(each)] or [low]
    base, root = roots(low)
    derived = [
        each
        for ending in _ENDINGS
        if corpus.lexicon.frequency(each := root + ending)
        and roots(each)[1] == root
        and roots(each)[0] != base
    ]
    return [*dict.fromkeys([*spelt, *derived])]
