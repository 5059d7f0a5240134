"""The fields that a folder's documents state, told apart by what questions can ask of them."""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from pathlib import Path
from typing import Final

import numpy as np

from agent.corpus_view import Field, FieldValue
from agent.english import stems
from agent.errors import SettingsError
from evals.names import FUNCTION_WORDS
from evals.question_sets.source_documents import read_documents
from tools.corpus.documents import Document, distinct
from tools.corpus.fields.field_table import WITHOUT_NONE, catalogue, read_together
from tools.placeholders import is_placeholder

_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W_a-zA-Z]+")
"""A word of a field's name: also of `releaseDate`."""
_WORD: Final = re.compile(r"[^\W_]+")
_VALUE: Final = re.compile(r"[\w.+-]+(?: [\w.+-]+){,2}")
"""A value of up to three words."""
_ADJECTIVE: Final = re.compile(r"[^\W\d_]{3,}(?: [^\W\d_]{3,})?")
_VOWEL: Final = re.compile(
    r"[AEFHILMNORSX](?:[A-Z]|$)|(?![A-Z]{2}|eu|uni|use|usa)(?:[aeiou]|hour|hono|heir)"
)
"""What a noun begins with behind `an`: a letter whose name begins with a vowel, or a vowel."""
_FEWEST: Final = 3
"""Documents that a value is asked for of, at least."""
_SHARED: Final = 8
"""Documents a value, on average, from which on values sort documents rather than name them."""
_COMMON: Final = 0.1
"""Share of the documents that have a field, at least."""
_HIGH: Final = (0.5, 0.6, 0.7, 0.8)
"""Shares of the documents below a high amount; the stricter limit lies so much above."""
_STRICTER: Final = 0.15
_MANY: Final = 0.5
"""Share of the documents that have many items, at most."""
_RECENT: Final = (0.02, 0.3)
"""Share of the documents that are recent, from and to."""
_LIMITS: Final = 4
"""So many limits to draw from."""
_OPTIONAL: Final = (0.05, 0.95)
"""Share of the documents that have a field, from and to, where only some have it."""
_LONG: Final = 6
"""Letters of a word that is asked for, at least."""
_MENTIONED: Final = (0.02, 0.2)
"""Share of the documents that mention such a word, from and to."""
_TRIED: Final = 400
_KEPT: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A document; its fields go by the names that questions use."""

    name: str
    labels: Mapping[str, frozenset[str]]
    """The items of each field, in lower case."""
    amounts: Mapping[str, float]
    year: int | None
    """Of its date; None where it has none."""
    words: Mapping[str, int]
    """How often its text mentions each word that questions ask for."""


Test = Callable[[Entry], bool]
"""Returns whether a document is meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """A field with few values, each of several documents."""

    name: str
    values: tuple[str, ...]
    adjectives: tuple[str, ...] = ()
    """Those of them that may stand before the noun: `approved surveys`."""

    def predicate(self, value: str) -> str:
        """Return what is said of documents with a value: `have the state approved`."""
        return f"have the {self.name} {value}" if self.name else "are there"

    def test(self, *values: str) -> Test:
        """Return whether a document has one of some values."""
        wanted = {value.casefold() for value in values}
        return lambda each: not self.name or not wanted.isdisjoint(each.labels.get(self.name, ()))


ANY: Final = Category(name="", values=("",))
"""Stands where a collection has no category: its one value is every document's."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A field with a list of names: `authors`."""

    name: str
    limits: Sequence[tuple[int, int]]
    """What `many` may mean, as two numbers of items."""

    @property
    def plural(self) -> str:
        """The plural of a regular noun; what ends as one is one.

        >>> [Listing(each, ()).plural for each in ("author", "authors", "category")]
        ['authors', 'authors', 'categories']
        """
        noun = self.name
        if noun.endswith("s"):
            return noun
        if noun.endswith("y") and noun[-2:-1] not in "aeiou":
            return f"{noun[:-1]}ies"
        return f"{noun}es" if noun.endswith(("x", "z", "ch", "sh")) else f"{noun}s"


@dataclass(frozen=True, slots=True)
class Amount:
    """A field with a number."""

    name: str
    limits: Sequence[tuple[float, float]]
    """What `high` may mean, as two least numbers."""


@dataclass(frozen=True, slots=True)
class Dates:
    """The field by which documents are dated."""

    name: str
    recent: Sequence[tuple[int, int]]
    """What `recent` may mean, as two first years."""
    years: Sequence[int]
    """Years of several documents."""

    @property
    def participle(self) -> bool:
        """Whether its name is a participle, `filed`, not a noun, `start date`."""
        return " " not in self.name and self.name.endswith("ed")

    def predicate(self, when: str) -> str:
        """Return when documents are dated: `were filed in 2010`, `have a date in 2010`."""
        return (
            f"were {self.name} {when}" if self.participle else f"have {article(self.name)} {when}"
        )

    @property
    def recently(self) -> str:
        """What is said of recent documents."""
        return f"were {self.name} recently" if self.participle else f"have a recent {self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Documents and what can be asked of them; without a kind of field there are no questions."""

    many: str
    """What the documents are called."""
    entries: Sequence[Entry]
    categories: Sequence[Category]
    listings: Sequence[Listing]
    amounts: Sequence[Amount]
    dates: Dates | None
    optional: Sequence[tuple[str, str]]
    """Two fields each that only some documents have."""
    things: Sequence[str]
    """Words that some texts mention."""

    @property
    def pairs(self) -> Sequence[tuple[Category, Category]]:
        """Two categories each, the second to stand nearer to the noun; ANY where one lacks."""
        padded = [*self.categories, ANY, ANY][: max(2, len(self.categories))]
        return list(combinations(padded, 2))

    @property
    def crossed(self) -> Sequence[tuple[Category, Category]]:
        """Those pairs with an adjective of the first and two of the second."""
        return [
            (far, near) for far, near in self.pairs if far.adjectives and len(near.adjectives) > 1
        ]


def article(noun: str) -> str:
    """Put the article before a noun.

    >>> article("cost"), article("MPAA rating"), article("hourly fee"), article("issue")
    ('a cost', 'an MPAA rating', 'an hourly fee', 'an issue')
    """
    return f"an {noun}" if _VOWEL.match(noun) else f"a {noun}"


def spoken(name: str) -> str:
    """Return a field's name as words; only what is written in capitals keeps them.

    >>> spoken("Python-Version"), spoken("MPAA_Rating"), spoken("releaseDate")
    ('python version', 'MPAA rating', 'release date')
    """
    parts = _PART.findall(name) or [name]
    return " ".join(each if len(each) > 1 and each.isupper() else each.lower() for each in parts)


def found_collection(
    folder: Path, many: str, rng: np.random.Generator, say: Callable[[str], None]
) -> Collection:
    """Read the documents below a folder and tell their fields apart.

    Raises:
        SettingsError: the documents cannot be read, or have no field to ask of.
    """
    documents = read_documents(folder, say)
    columns = _columns(documents)
    categories, listings = list(_categories(columns)), list(_listings(columns))
    amounts, dated = list(_amounts(columns)), _dated(columns)
    if not (categories or listings or amounts or dated):
        raise SettingsError(
            f"the documents of {str(folder)!r} state no field that sorts, dates, lists or counts: "
            "give documents with front matter or `Key: value` lines"
        )
    optional = [each.name for each in columns if _is_optional(each)]
    counts = [count_words(each.text) for each in documents]
    things = _things([each.text for each in documents], counts, rng)
    years = dated[0].years if dated else {}
    return Collection(
        many=many,
        entries=tuple(
            Entry(
                name=name,
                labels={each.name: each.labels[at] for each in columns if at in each.labels},
                amounts={each.name: each.numbers[at] for each in columns if at in each.numbers},
                year=years.get(at),
                words={thing: counts[at][thing] for thing in things if thing in counts[at]},
            )
            for at, name in enumerate(distinct([each.name for each in documents]))
        ),
        categories=categories,
        listings=listings,
        amounts=amounts,
        dates=dated[1] if dated else None,
        optional=tuple(combinations(optional, 2)),
        things=things,
    )


@dataclass(frozen=True)
class Column:
    """A field and its values by the number of the document."""

    field: Field
    values: Mapping[int, FieldValue]
    documents: int
    """How many the collection has."""

    @cached_property
    def name(self) -> str:
        """The field's name in a sentence: `release date`, `MPAA rating`."""
        return spoken(self.field.name)

    @cached_property
    def labels(self) -> Mapping[int, frozenset[str]]:
        """The items of each document in lower case."""
        return {at: frozenset(map(str.casefold, each.items)) for at, each in self.values.items()}

    @cached_property
    def numbers(self) -> Mapping[int, float]:
        """The numbers."""
        return {at: each.number for at, each in self.values.items() if each.number is not None}

    @cached_property
    def years(self) -> Mapping[int, int]:
        """The years of the dates."""
        return {at: int(each.date[:4]) for at, each in self.values.items() if each.date}

    @property
    def noun(self) -> bool:
        """Whether its name ends as a noun does, unlike `superseded by`."""
        return self.name.split()[-1] not in FUNCTION_WORDS

    @property
    def share(self) -> float:
        """How many of the documents have it."""
        return len(self.values) / self.documents


def _columns(documents: Sequence[Document]) -> list[Column]:
    """Return the fields in the order in which they first stand, without facts of files."""
    stated = (
        {key: value for key, value in each.fields.items() if value.start is not None}
        for each in documents
    )
    read = read_together(stated)
    fields, names = catalogue(read)
    known = {each.name: each for each in fields}
    values: dict[str, dict[int, FieldValue]] = {}
    for at, own in enumerate(read):
        for key, value in own.items():
            held = values.setdefault(names[key], {})
            none = known[names[key]].type in WITHOUT_NONE and is_placeholder(
                value.raw, amounts=True
            )
            if not none:
                held.setdefault(at, value)
    return [Column(known[name], held, len(documents)) for name, held in values.items()]


def _categories(columns: Iterable[Column]) -> Iterator[Category]:
    """Yield the fields whose few values each sort several documents, with those values."""
    for column in columns:
        field = column.field
        if field.type not in {"text", "list"} or column.share < _COMMON:
            continue
        values = tuple(
            value
            for value, documents in field.values
            if _FEWEST <= documents < column.documents and _VALUE.fullmatch(value)
        )
        if len(values) > 1 and field.documents >= _SHARED * field.distinct:
            adjectives = tuple(filter(_is_adjective, values))
            yield Category(name=column.name, values=values, adjectives=adjectives)


def _is_adjective(value: str) -> bool:
    """Return whether a value may stand before a noun, as far as its form tells."""
    names = FUNCTION_WORDS.isdisjoint(value.casefold().split())
    return names and _ADJECTIVE.fullmatch(value) is not None


def _listings(columns: Iterable[Column]) -> Iterator[Listing]:
    """Yield the fields with lists of names, and what many of them are."""
    for column in columns:
        items = [item for item, _ in column.field.values]
        measures = sum(item[0].isdigit() for item in items) > len(items) / 2
        if column.field.type != "list" or not column.noun or measures:
            continue
        sizes = sorted(len(each) for each in column.labels.values())
        limits = [
            (few, few + 2)
            for few in range(2, sizes[-1])
            if _from(sizes, few) <= _MANY * column.documents and _from(sizes, few + 2) >= _FEWEST
        ]
        if limits:
            yield Listing(column.name, limits[:_LIMITS])


def _amounts(columns: Iterable[Column]) -> Iterator[Amount]:
    """Yield the fields of numbers, and what is high; whole numbers that never repeat are names."""
    for column in columns:
        numbers = sorted(column.numbers.values())
        naming = len(set(numbers)) == len(numbers) and all(map(float.is_integer, numbers))
        sized = column.field.type == "number" and column.noun and column.share >= _COMMON
        if not sized or naming:
            continue
        limits = [(_at(numbers, share), _at(numbers, share + _STRICTER)) for share in _HIGH]
        rising = [(low, high) for low, high in dict.fromkeys(limits) if low < high]
        if rising:
            yield Amount(column.name, rising)


def _dated(columns: Iterable[Column]) -> tuple[Column, Dates] | None:
    """Return the most widespread field of dates, and which are recent; None where there is none."""
    dated = [each for each in columns if each.field.type == "date"]
    for column in sorted(dated, key=lambda each: -len(each.years)):
        years = sorted(column.years.values())
        first, last = (share * len(years) for share in _RECENT)
        span = range(years[0], years[-1] + 1) if years else range(0)
        near = [year for year in span if first <= _from(years, year) <= last][::-1][:_LIMITS]
        often = [year for year, times in sorted(Counter(years).items()) if times >= _FEWEST]
        if near and often:
            return column, Dates(column.name, [(year, year - 2) for year in near], often)
    return None


def _is_optional(column: Column) -> bool:
    """Return whether some documents have a field, and it can be said that they have one."""
    least, most = _OPTIONAL
    return least <= column.share <= most and column.noun and not column.name.endswith("s")


def _from(values: Sequence[int], least: int) -> int:
    """Return how many values, which rise, are so large."""
    return len(values) - bisect_left(values, least)


def _at(numbers: Sequence[float], share: float) -> float:
    """Return the quantile of numbers, which rise, rounded as people say it, to two digits."""
    return float(f"{numbers[min(int(share * len(numbers)), len(numbers) - 1)]:.2g}")


def count_words(text: str) -> Counter[str]:
    """Return how often each word stands in a text, without case.

    >>> count_words("Hash me, hash_me.")["hash"]
    2
    """
    return Counter(_WORD.findall(text.lower()))


def _things(
    texts: Sequence[str], counts: Sequence[Mapping[str, int]], rng: np.random.Generator
) -> tuple[str, ...]:
    """Return words to ask for, drawn.

    Left out is what documents might mention in another form or within a longer word: whether
    `hashes` mentions `hash` is not for these questions to decide.
    """
    least, most = (share * len(texts) for share in _MENTIONED)
    documents = Counter(word for each in counts for word in each)
    times: Counter[str] = Counter()
    for each in counts:
        times.update(each)
    forms: defaultdict[str, list[str]] = defaultdict(list)
    every = sorted(documents)
    for word, stem in zip(every, stems(every), strict=True):
        forms[stem].append(word)
    possible = [
        word
        for word, *others in forms.values()
        if not others
        and len(word) >= _LONG
        and word.isalpha()
        and max(_FEWEST, least) <= documents[word] <= most
        and documents[word] < times[word]
    ]
    drawn = [possible[int(at)] for at in rng.permutation(len(possible))[:_TRIED]]
    joined = "\n".join(texts).lower()
    return tuple(islice((word for word in drawn if joined.count(word) == times[word]), _KEPT))
