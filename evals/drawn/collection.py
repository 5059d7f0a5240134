"""What questions are drawn over: documents, their nouns, and their fields by what they hold."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeVar

import numpy as np

from agent.taxonomy import AmbiguityCode

__all__ = (
    "ANY",
    "Amount",
    "Category",
    "Collection",
    "DateForm",
    "Dates",
    "Entry",
    "Listing",
    "Maker",
    "Meant",
    "Test",
    "Those",
    "Wondered",
    "article",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A document; its fields go by the names that questions use."""

    name: str
    labels: Mapping[str, frozenset[str]]
    """What each field of labels says, in lower case."""
    items: Mapping[str, int]
    """How many items each field with a list has."""
    amounts: Mapping[str, float]
    year: int | None
    """Of its date; None where it has none."""
    stated: frozenset[str]
    """The fields that it has, as far as questions ask whether it has them."""
    words: Mapping[str, int]
    """How often its text mentions each word that questions ask for."""

    def mentions(self, word: str) -> int:
        """Return how often its text mentions a word."""
        return self.words.get(word, 0)


Test = Callable[[Entry], bool]
"""Tells whether a document is meant."""


DateForm = Literal["participle", "noun", "bare"]
_SPELT: Final = frozenset("AEFHILMNORSX")
"""Letters whose names begin with a vowel."""
_YOU: Final = ("eu", "uni", "use", "usa")


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """A field with few values, each of several documents."""

    name: str
    values: tuple[str, ...]
    adjectives: tuple[str, ...]
    """Those of them that may stand before the noun: `approved surveys`."""
    predicate: str = "have the {name} {value}"
    """What is said of documents with a value."""

    def told(self, value: str) -> str:
        """Say of documents that they have a value: `are approved`."""
        return self.predicate.format(name=self.name, value=value)

    def test(self, *values: str) -> Test:
        """Return whether a document has one of some values."""
        wanted = {value.casefold() for value in values}
        return lambda each: self is ANY or not wanted.isdisjoint(each.labels.get(self.name, ()))


ANY: Final = Category(name="", values=("",), adjectives=(), predicate="are there")
"""Stands where a collection has no category: its one value is every document's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A field with a list: `authors`."""

    name: str
    many: str
    least: Sequence[tuple[int, int]]
    """What `many` may mean, as two numbers of items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """A field with a number."""

    name: str
    least: Sequence[tuple[float, float]]
    """What `high` may mean, as two limits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """The field by which documents are dated."""

    name: str
    form: DateForm
    """What its name is: a participle, `filed`; a noun, `start date`; a bare `date` or `year`."""
    recent: Sequence[tuple[int, int]]
    """What `recently` may mean, as two first years."""
    early: Sequence[tuple[int, int]]
    """What `early` may mean, as two years before which."""
    since: Sequence[int]
    """What `recently` may mean where it is one of two ambiguities."""
    within: Sequence[int]
    """Years that a question may be about."""
    past: Sequence[int]
    """Years that a clear question may be about."""

    def told(self, when: str) -> str:
        """Say of documents when they are dated: `were filed in 2010`, `are from 2010`."""
        if self.form == "noun":
            return f"have {article(self.name)} {when}"
        return f"{'were' if self.form == 'participle' else 'are'} {self.behind(when)}"

    def behind(self, when: str) -> str:
        """Say the same behind their noun: `filed in 2010`, `from 2010`."""
        if self.form == "participle":
            return f"{self.name} {when}"
        return f"from {when.removeprefix('in ')}"

    def recently(self, which: object) -> str:
        """Say how many of some are recent."""
        if self.form == "bare":
            return f"recent {which} are there"
        recent = {"participle": f"were {self.name} recently", "noun": f"have a recent {self.name}"}
        return f"{which} {recent[self.form]}"

    @property
    def new(self) -> str:
        """Call documents recent, before their noun."""
        return f"recently {self.name}" if self.form == "participle" else "recent"

    @property
    def noun(self) -> str:
        """Name the date."""
        return "date" if self.form == "participle" else self.name


def article(noun: str) -> str:
    """Put the article before a noun.

    >>> article("cost"), article("MPAA rating"), article("hourly fee"), article("issue")
    ('a cost', 'an MPAA rating', 'an hourly fee', 'an issue')
    """
    first = noun.split(maxsplit=1)[0]
    if len(first) > 1 and first.isupper():
        vowel = first[0] in _SPELT
    else:
        low = first.casefold()
        vowel = low.startswith(("a", "e", "i", "o", "u", "hour", "hono", "heir"))
        vowel = vowel and not low.startswith(_YOU)
    return f"an {noun}" if vowel else f"a {noun}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Documents of one kind, invented or found; a field that there is none of has no questions."""

    many: str
    """What the documents are called."""
    entries: Sequence[Entry]
    pairs: Sequence[tuple[Category, Category]]
    """Two categories each, the second to stand nearer to the noun; ANY where there are fewer."""
    crossed: Sequence[tuple[Category, Category]]
    """Those with an adjective of the first and two of the second."""
    listings: Sequence[Listing]
    amounts: Sequence[Amount]
    dates: Dates | None
    extras: Sequence[tuple[str, str]]
    """Two fields each that only some documents have."""
    things: tuple[str, ...]
    """Words that some texts mention."""
    thing: str = "the word {}"
    """How one of them is named."""


def _all(_: Entry) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Those:
    """Documents in words, `approved flood surveys filed in 2010 with a sponsor`, and as a test."""

    many: str
    test: Test = _all
    before: tuple[str, ...] = ()
    dated: tuple[str, ...] = ()
    having: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the words."""
        having = f"with {' and '.join(self.having)}" if self.having else ""
        return " ".join((*self.before, self.many, *self.dated, having)).strip()

    def of(self, category: Category, value: str) -> "Those":
        """Return those of them with a value, said before the noun where it may stand there."""
        if category is ANY:
            return self
        narrowed = self._passing(category.test(value))
        if value in category.adjectives:
            return replace(narrowed, before=(*self.before, value))
        return narrowed.with_(f"the {category.name} {value}")

    def since(self, dates: Dates, year: int) -> "Those":
        """Return those of them that are dated in a year or later."""
        later = self._passing(lambda each: each.year is not None and each.year >= year)
        return later.phrased(dates, f"in {year} or later")

    def within(self, dates: Dates, year: int) -> "Those":
        """Return those of them that are dated in a year."""
        return self._passing(lambda each: each.year == year).phrased(dates, f"in {year}")

    def phrased(self, dates: Dates, when: str) -> "Those":
        """Say when they are dated."""
        if dates.form == "noun":
            return self.with_(f"{article(dates.name)} {when}")
        return replace(self, dated=(dates.behind(when),))

    def with_(self, feature: str) -> "Those":
        """Say that they have something, which their test does not know."""
        return replace(self, having=(*self.having, feature))

    def _passing(self, test: Test) -> "Those":
        own = self.test
        return replace(self, test=lambda each: own(each) and test(each))


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Meant:
    """A reading in words that leave nothing open, and its answer."""

    question: str
    names: tuple[str, ...] = ()
    """The documents it counts."""
    number: int | None = None
    """What it comes to, where that is not how many documents it counts."""

    @property
    def value(self) -> int:
        """What it comes to."""
        return len(self.names) if self.number is None else self.number


@dataclass(frozen=True, slots=True)
class Wondered:
    """A question and its readings; a control has one and no code."""

    question: str
    codes: tuple[AmbiguityCode, ...]
    readings: tuple[Meant, ...]

    @property
    def matters(self) -> bool:
        """Whether the answer depends on the reading: the number, or the documents counted."""
        counted = {each.names for each in self.readings if each.number is None}
        return len(counted) > 1 or len({each.value for each in self.readings}) > 1

    @property
    def something(self) -> bool:
        """Whether a reading comes to more than nothing."""
        return any(each.value for each in self.readings)

    @property
    def idle(self) -> bool:
        """Whether all readings have the same answer, which is not nothing."""
        return not self.matters and self.something


@dataclass(frozen=True, slots=True)
class Maker:
    """Draws the values of questions over one collection."""

    collection: Collection
    rng: np.random.Generator

    @property
    def every(self) -> Those:
        """All documents."""
        return Those(self.collection.many)

    @property
    def dates(self) -> Dates:
        """The field by which documents are dated; only for kinds of questions that need one."""
        dates = self.collection.dates
        if dates is None:
            raise ValueError("the collection has no dates")
        return dates

    def meant(self, question: str, test: Test) -> Meant:
        """Return a reading that counts the documents that pass."""
        return Meant(question, tuple(each.name for each in self.collection.entries if test(each)))

    def two(self, choices: Sequence[str]) -> tuple[str, str]:
        """Draw two different ones."""
        first, second = self.rng.permutation(len(choices))[:2]
        return choices[int(first)], choices[int(second)]

    def one(self, choices: Sequence[str]) -> str:
        """Draw one."""
        return choices[int(self.rng.permutation(len(choices))[0])]

    def of(self, choices: Sequence[T]) -> T:
        """Draw one of any; of one, nothing is drawn."""
        return choices[int(self.rng.integers(len(choices)))]

    def which(self, *besides: str) -> Those:
        """Draw which documents are asked about: all, or those of one value, of another, of both.

        They are not told by the fields that are asked about besides.
        """
        pairs = [
            pair
            for pair in self.collection.pairs
            if {each.name for each in pair}.isdisjoint(besides)
        ]
        far, near = self.of(pairs or [(ANY, ANY)])
        first, second = self.one(far.values), self.one(near.values)
        every = self.every
        drawn = (
            every,
            every.of(near, second),
            every.of(far, first),
            every.of(far, first).of(near, second),
        )
        return self.of(drawn)

    def when(self) -> int | None:
        """Draw when the documents asked about are dated: None at any time, or in a year."""
        dates = self.collection.dates
        if dates is None:
            return None
        year = self.of(dates.within)
        return None if self.of((False, True)) else year

    def within(self, those: Those, year: int | None) -> Those:
        """Return those of a year, or all of them."""
        dates = self.collection.dates
        return those if dates is None or year is None else those.within(dates, year)
