"""What a condition of meaning is about: weighted words, its alternatives, the force it asks for."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agent.corpus_view import CorpusView
from agent.question import Condition
from agent.reasoners.rules.language.compounds import parted, worded
from agent.reasoners.rules.language.coordination import alternatives
from agent.reasoners.rules.language.dated import read_dated
from agent.reasoners.rules.language.denial import is_restrictive
from agent.reasoners.rules.language.modality import Force, asked_force, is_force_verb
from agent.reasoners.rules.language.roots import roots
from agent.reasoners.rules.language.spelling import american
from agent.reasoners.rules.language.word_set import word_set
from agent.reasoners.rules.language.wording import without_piece
from agent.reasoners.rules.language.words import FUNCTION_WORDS, stem

__all__ = ("Alternative", "Concept", "Slot", "commonness", "read_concept")

_WORDS: Final = re.compile(r"[^\W_]+(?:['’]s?(?![^\W_]))?|[,;]")
_POSSESSIVE: Final = re.compile(r"['’]s?\Z")
_OPPOSITE: Final = re.compile(r"\b(?:no|non|anti)[-\u2010\u2011]\w", re.IGNORECASE)
_PARENTHESIS: Final = re.compile(r"\(([^()]*)\)")
_ITEMS: Final = re.compile(r"[,;]| and | or ")
_UNQUALIFIED: Final = re.compile(r"\b(?:without|merely|solely|only|just|simply)\b", re.IGNORECASE)
_PRIOR: Final = 0.31
_NAME: Final = 0.9
_BASE: Final = 0.22
_GROWTH: Final = 0.025
_LIGHT: Final = word_set(
    "say says said state states stated name names named naming call calls called list lists "
    "listed identify identifies identified report reports reported text texts document documents "
    "contain contains containing "
    "include includes including mention mentions give gives given giving set sets make makes made "
    "take takes put get gets let lets party parties counterparty counterparties person persons "
    "someone somebody anyone anybody something anything thing things side sides two one many few "
    "several certain like kind kinds sort sorts non how why whether if unless then here thus etc "
    "themselves himself herself itself self so yes"
)


@dataclass(frozen=True, slots=True)
class Slot:
    """A word that the condition is about."""

    word: str
    stem: str
    root: str
    weight: float
    """How telling it is in this corpus: ln(1 + 1 / share of chunks that have it)."""
    name: bool
    """A proper name or a number: without it nothing is said about the condition."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """Words that together express the condition."""

    slots: tuple[Slot, ...]
    factor: float = 1.0
    """What a full match is worth."""
    negated: bool = False
    """The phrase has the prefix `non`, so a sentence has to negate it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """A condition as the matcher sees it."""

    id: str
    alternatives: tuple[Alternative, ...]
    force: Force | None
    prior: float
    """Weight added to what is to be covered: few or common words alone prove little."""
    enough: float
    """From which strength on a sentence counts as stating the condition, in [0.34, 0.6]."""
    denied: bool
    """A sentence that denies what the words are about proves nothing."""
    unqualified: bool
    """Asks for something `without` or `merely by`: a sentence with conditions is worth less."""
    says_nothing: bool
    """Has no telling word at all. One whose words no chunk has says something: that is nowhere."""


def read_concept(condition: Condition, entity_type: str, corpus: CorpusView) -> Concept:
    """Read a condition's text and what counts for it into weighted alternatives.

    Words that no chunk has are left out, since nothing could match them; a name is never left
    out. A parenthesis, like everything listed under `counts`, is an alternative name; one with
    several items lists examples that add to the phrase. The more chunks, the more of them have
    some of the words by chance: prior and threshold grow with the logarithm of their number
    (the factors were found on one set of questions over 600 and over 15,000 chunks). A date at
    the end is left out: it is compared, not looked for.
    """
    size = math.log(max(2, corpus.chunk_count))
    dated = read_dated(condition.text)
    body = _PARENTHESIS.sub(" ", dated.body if dated else condition.text)
    words = without_piece([_POSSESSIVE.sub("", each) for each in _WORDS.findall(_joined(body))])
    opposite = _OPPOSITE.search(body) is not None
    phrases = alternatives(_without_exclusions(words))
    found = [
        Alternative(slots, negated=opposite)
        for phrase in phrases
        if (slots := _slots(phrase, entity_type, corpus))
    ]
    glosses = _PARENTHESIS.findall(condition.text)
    further = [each for each in condition.counts if not any(each in gloss for gloss in glosses)]
    names = [
        name
        for gloss in dict.fromkeys([*glosses, *further])
        for name in _names(gloss, found, entity_type, corpus)
    ]
    return Concept(
        id=condition.id,
        alternatives=(*found, *names),
        force=asked_force(words),
        prior=_PRIOR * size,
        enough=min(0.6, max(0.34, _BASE + _GROWTH * size)),
        denied=not opposite and not is_restrictive(words),
        unqualified=_UNQUALIFIED.search(body) is not None,
        says_nothing=not names
        and not any(_tells(word, entity_type) for phrase in phrases for word in phrase),
    )


def _joined(text: str) -> str:
    """Write prefixes together with their words, as `worded` reads them in sentences."""
    pieces = list(text)
    for word, start, end in worded(text):
        pieces[start:end] = [word, *[""] * (end - start - 1)]
    return "".join(pieces)


def commonness(word: str, corpus: CorpusView) -> float:
    """Return the share of chunks that have the word in any inflection or spelling, in [0, 1].

    The inflections' shares are combined as if they were independent.
    """
    if not corpus.chunk_count:
        return 0.0
    low = word.lower()
    forms = {low, *corpus.lexicon.inflections(low), *corpus.lexicon.inflections(american(low))}
    absent = 1.0
    for form in forms:
        absent *= 1 - min(1.0, corpus.lexicon.frequency(form) / corpus.chunk_count)
    return 1 - absent


def _names(
    gloss: str, found: Sequence[Alternative], entity_type: str, corpus: CorpusView
) -> Iterator[Alternative]:
    """Yield what a gloss stands for: a name of the whole, or examples that add to it."""
    items = [words for item in _ITEMS.split(gloss) if (words := _WORDS.findall(item))]
    for words in items:
        slots = _slots(words, entity_type, corpus)
        if not slots:
            continue
        if len(items) == 1:
            negated = any(word.lower() == "non" for word in words)
            yield Alternative(slots, _NAME, negated)
        else:
            known = {slot.root for slot in slots}
            for each in found[:1]:
                rest = tuple(slot for slot in each.slots if slot.root not in known)
                yield Alternative((*rest, *slots))


def _slots(words: Iterable[str], entity_type: str, corpus: CorpusView) -> tuple[Slot, ...]:
    slots: dict[str, Slot] = {}
    for word in _as_written(words, corpus):
        if not _tells(word, entity_type):
            continue
        base, root = roots(word.lower())
        share = commonness(word, corpus)
        name = word[:1].isupper() or word.isdigit()
        if share or name:
            weight = math.log(1 + 1 / (share + 1 / max(1, corpus.chunk_count)))
            slots.setdefault(root, Slot(word, base, root, weight, name))
    return tuple(slots.values())


def _as_written(words: Iterable[str], corpus: CorpusView) -> Iterator[str]:
    """Yield the words, one that the corpus only has in two parts as these: `chick peas`."""
    for word in words:
        apart = None if commonness(word, corpus) else parted(word, corpus.lexicon)
        yield from apart.split() if apart and word.islower() else [word]


def _tells(word: str, entity_type: str) -> bool:
    low = word.lower()
    if word in {",", ";"} or low in FUNCTION_WORDS or low in _LIGHT:
        return False
    if is_force_verb(low) or (len(low) < 2 and not low.isdigit()):
        return False
    return stem(low) not in {stem(part) for part in entity_type.lower().split()[-1:]}


def _without_exclusions(words: Sequence[str]) -> list[str]:
    """Drop `without` with the word it excludes: a text need not name what it does not ask for."""
    kept: list[str] = []
    excluding = False
    for word in words:
        if word.lower() == "without":
            excluding = True
        elif not excluding:
            kept.append(word)
        elif word.lower() not in FUNCTION_WORDS:
            excluding = False
    return kept
