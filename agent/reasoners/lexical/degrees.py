"""Words of degree: what field they can be about, which end they mean, where they set a limit."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from agent.corpus_view import Field
from agent.predicates import field_number
from agent.question import Comparison, Predicate
from agent.reasoners.lexical.question_words import TABLES
from agent.reasoners.lexical.vocabulary import Vocabulary, compares, norms
from agent.taxonomy import AmbiguityCode
from agent.value import in_digits

_IRREGULAR: Final[dict[str, str]] = TABLES["irregular"]
ANY_NUMBER: Final = frozenset({"high", "low", "big", "large", "small", "huge", "great", "tiny"})
"""What can be said of whatever number there is."""
_JUDGING: Final = frozenset({"good", "bad"})
"""What says of a number only whether it is liked."""
_LONGEST_UNIT: Final = 2
"""Letters of the units among what an adjective is about."""
_SHARES: Final = (0.75, 0.5, 0.9)
"""Where the limit of a word of degree is guessed to lie: the upper quarter, half, or tenth."""


@dataclass(frozen=True, slots=True)
class Degree:
    """An adjective of degree."""

    word: str
    """In its base form."""
    about: Mapping[str, int]
    """By the noun or measure: 1 where more of it is more of the degree, else -1."""

    def fields(self, fields: Sequence[Field], vocabulary: Vocabulary) -> list[Field]:
        """Return the fields that it can be about: those named so, else those measured so."""
        scales = [each for each in fields if vocabulary.measures[each.name]]
        nouns = {each for each in self.about if len(each) > _LONGEST_UNIT and each != "date"}
        named = [each for each in scales if nouns & set(norms(each.name))]
        return named or [each for each in scales if vocabulary.measures[each.name] in self.about]

    def sign(self, of: Field, vocabulary: Vocabulary) -> int:
        """Return 1 where more of a field is more of the degree, -1 where less is.

        0 where nothing tells: the best time is the shortest, the best mark may be either.
        """
        told = [*norms(of.name), vocabulary.measures[of.name]]
        found = next((self.about[each] for each in told if each in self.about), None)
        if found is None and self.word in _JUDGING:
            return 0
        return found if found is not None else next(iter(self.about.values()), 1)


@lru_cache(maxsize=1)
def _degrees() -> dict[str, Degree]:
    """Return the adjectives by word, from lines of words and what they can be about.

    That are nouns in names of fields, and what their units measure: `+` where more of it is more
    of the degree, else `-`.
    """
    found: dict[str, Degree] = {}
    for line in files(__package__).joinpath("degrees.txt").read_text("utf-8").splitlines():
        words, _, told = line.partition(":")
        about = {each[1:]: 1 if each[0] == "+" else -1 for each in told.split() if each[1:]}
        found |= {word: Degree(word, about) for word in words.split()}
    return found


def degree(word: str) -> Degree | None:
    """Return the degree that an adjective tells in its base form.

    >>> degree("heavy").about["kg"], degree("green") is None
    (1, True)
    """
    return _degrees().get(word)


def compared_degree(word: str, ending: str) -> Degree | None:
    """Return the degree of a comparative (`er`) or superlative (`est`).

    >>> [compared_degree(*each).word for each in (("heaviest", "est"), ("bigger", "er"))]
    ['heavy', 'big']
    >>> compared_degree("latest", "est").word, compared_degree("forest", "est") is None
    ('late', True)
    """
    if word in _IRREGULAR:
        return degree(_IRREGULAR[word]) if word.endswith("st") == (ending == "est") else None
    if not word.endswith(ending):
        return None
    bare = word.removesuffix(ending)
    bases = (bare, f"{bare}e", f"{bare[:-1]}y" if bare.endswith("i") else "", bare[:-1])
    return next((found for each in bases if (found := degree(each)) is not None), None)


@dataclass(frozen=True, slots=True)
class LimitReading:
    """One limit that a word may mean."""

    words: str
    """As a condition that a question can have: `with attendance of at least 1200`."""
    test: Predicate


@dataclass(frozen=True, slots=True)
class Limit:
    """What a word of degree or time may mean, the likeliest first."""

    code: AmbiguityCode
    readings: tuple[LimitReading, ...]


def limit_of(
    told: Degree, fields: Sequence[Field], vocabulary: Vocabulary, documents: Collection[int]
) -> Limit | None:
    """Return the limits that a word may set on the one field that it can be about; else None."""
    meant = told.fields(fields, vocabulary)
    if not meant and (told.word in ANY_NUMBER or not told.about):
        meant = [each for each in fields if each.type == "number"]
    if len(meant) != 1:
        return None
    of, less = meant[0], told.sign(meant[0], vocabulary) < 0
    held = vocabulary.corpus.field_values(of.name)
    values = [held[at] for at in documents if at in held]
    comparison: Comparison = "at_most" if less else "at_least"
    if of.type == "date":
        alone = [each.name for each in fields if each.type == "date"] == [of.name]
        limits = _years([each.date for each in values if each.date], less=less) if alone else []
        code: AmbiguityCode = "A2"
        said = "until" if less else "since"
    else:
        numbers = (field_number(each, of.name) for each in values)
        limits = _quantiles([each for each in numbers if each is not None], less=less)
        code, said = "A1", f"of {comparison.replace('_', ' ')}"
    readings = (
        LimitReading(f"with {of.name} {said} {each}", compares(of.name, comparison, (each,)))
        for each in limits
    )
    return Limit(code, tuple(readings)) if limits else None


def _years(dates: Sequence[str], *, less: bool) -> list[str]:
    """Return years counted from an end of the dates: nothing else here tells what time it is."""
    if not dates:
        return []
    oldest, newest = int(min(dates)[:4]), int(max(dates)[:4])
    return list(map(str, (oldest + 1, oldest) if less else (newest - 1, newest)))


def _quantiles(numbers: Sequence[float], *, less: bool) -> list[str]:
    found = sorted(numbers)
    shares = (1 - each if less else each for each in _SHARES)
    places = (min(len(found) - 1, int(each * len(found))) for each in shares)
    return list(dict.fromkeys(in_digits(found[each]) for each in places if found))
