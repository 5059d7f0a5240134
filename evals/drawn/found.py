"""The user's documents as a collection: read as they are indexed, fields told apart by kind."""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np

from agent.corpus_view import Field, FieldValue
from agent.english import stems
from agent.errors import SettingsError
from evals.aggbench.sources import read_documents
from evals.drawn.collection import (
    ANY,
    Amount,
    Category,
    Collection,
    DateForm,
    Dates,
    Entry,
    Listing,
    Wondered,
)
from evals.drawn.wondering import check_new, lines_of, wonder, write_lines
from evals.names import FUNCTION_WORDS
from tools.corpus.documents import Document, distinct
from tools.corpus.fields.catalogue import WITHOUT_NONE, catalogue, read_together
from tools.corpus.fields.field_values import fold
from tools.placeholders import is_placeholder

__all__ = (
    "COMMON",
    "FEWEST",
    "Column",
    "Wanted",
    "amounts",
    "categories",
    "columns_of",
    "crossed",
    "dates",
    "found_collection",
    "listings",
    "mentions_of",
    "pairs",
    "spoken",
    "things_of",
    "write_questions",
)

_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W_a-zA-Z]+")
"""A word of a field's name: also of `releaseDate`."""


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
        return {
            document: frozenset(item.casefold() for item in value.items)
            for document, value in self.values.items()
        }

    @cached_property
    def numbers(self) -> Mapping[int, float]:
        """The numbers."""
        return {
            document: value.number
            for document, value in self.values.items()
            if value.number is not None
        }

    @cached_property
    def years(self) -> Mapping[int, int]:
        """The years of the dates."""
        return {document: int(each.date[:4]) for document, each in self.values.items() if each.date}

    @property
    def noun(self) -> bool:
        """Whether its name ends as a noun does, unlike `superseded by`."""
        return self.name.split()[-1] not in FUNCTION_WORDS

    @property
    def share(self) -> float:
        """How many of the documents have it."""
        return len(self.values) / self.documents


def spoken(name: str) -> str:
    """Return a field's name as words; only what is written in capitals keeps them.

    >>> spoken("Python-Version"), spoken("MPAA_Rating"), spoken("releaseDate")
    ('python version', 'MPAA rating', 'release date')
    """
    parts = _PART.findall(name) or [name]
    return " ".join(each if len(each) > 1 and each.isupper() else each.lower() for each in parts)


def columns_of(documents: Sequence[Document], only: Sequence[str]) -> list[Column]:
    """Return the fields that the documents state, in the order in which they first stand.

    What only their files say, such as a size, is not among them. With names in `only`, these fields
    in that order.

    Raises:
        SettingsError: the documents do not state one of these.
    """
    read = read_together([_stated(each) for each in documents])
    fields, names = catalogue(read)
    order: dict[str, None] = {}
    values: dict[str, dict[int, FieldValue]] = {each.name: {} for each in fields}
    for number, own in enumerate(read):
        for key, value in own.items():
            order.setdefault(names[key])
            values[names[key]].setdefault(number, value)
    known = {each.name: each for each in fields}
    found = [_column(known[name], values[name], len(documents)) for name in order]
    if not only:
        return found
    folded = {fold(each.field.name): each for each in found}
    unknown = next((name for name in only if fold(name) not in folded), None)
    if unknown is not None:
        there = ", ".join(each.field.name for each in found) or "none"
        raise SettingsError(f"the documents state no field {unknown!r}; they state {there}")
    return [folded[fold(name)] for name in only]


def _stated(document: Document) -> dict[str, FieldValue]:
    return {key: each for key, each in document.fields.items() if each.start is not None}


def _column(field: Field, values: Mapping[int, FieldValue], documents: int) -> Column:
    if field.type in WITHOUT_NONE:
        values = {
            document: each
            for document, each in values.items()
            if not is_placeholder(each.raw, amounts=True)
        }
    return Column(field, values, documents)


FEWEST: Final = 3
"""Documents that a value is asked for of, at least."""
_SHARED: Final = 8
"""Documents a value, on the average, from which on values sort rather than name."""
COMMON: Final = 0.1
"""Share of the documents that have the field, at least."""
_VALUE = re.compile(r"[\w.+-]+(?: [\w.+-]+){,2}")
"""A value of up to three words."""
_ADJECTIVE = re.compile(r"[^\W\d_]{3,}(?: [^\W\d_]{3,})?")


def categories(columns: Sequence[Column]) -> Iterator[Category]:
    """Yield the fields whose few values each sort several documents, with those values."""
    for column in columns:
        field = column.field
        if field.type not in {"text", "list"} or column.share < COMMON:
            continue
        values = tuple(
            value
            for value, documents in field.values
            if FEWEST <= documents < column.documents and _VALUE.fullmatch(value)
        )
        if len(values) > 1 and field.documents >= _SHARED * field.distinct:
            adjectives = tuple(filter(_is_adjective, values))
            yield Category(name=column.name, values=values, adjectives=adjectives)


def pairs(found: Sequence[Category]) -> tuple[tuple[Category, Category], ...]:
    """Return two categories each in their order; ANY where there are no two."""
    if len(found) > 1:
        return tuple(combinations(found, 2))
    return ((found[0] if found else ANY, ANY),)


def crossed(found: Sequence[Category]) -> tuple[tuple[Category, Category], ...]:
    """Return the pairs of which the first has an adjective, and the second two."""
    return tuple(
        (far, near)
        for far, near in combinations(found, 2)
        if far.adjectives and len(near.adjectives) > 1
    )


def _is_adjective(value: str) -> bool:
    """Tell whether a value may stand before a noun, as far as its form tells."""
    known = FUNCTION_WORDS.isdisjoint(value.casefold().split())
    return known and _ADJECTIVE.fullmatch(value) is not None


_HIGH: Final = (0.5, 0.6, 0.7, 0.8)
"""Shares of the documents below a high amount; the stricter reading lies so much above."""
_STRICTER: Final = 0.15
_MANY: Final = 0.5
"""Share of the documents that have many items, at most."""
_EDGE: Final = (0.02, 0.3)
"""Share of the documents that are early, from and to; so many are recent."""
_LIMITS: Final = 4
"""So many limits to draw from."""


def listings(columns: Sequence[Column]) -> Iterator[Listing]:
    """Yield the fields with lists of names, and what many of them are."""
    for column in columns:
        if column.field.type != "list" or not column.noun or _measures(column):
            continue
        sizes = sorted(len(each) for each in column.labels.values())
        least = [
            (few, few + 2)
            for few in range(2, sizes[-1])
            if _from(sizes, few) <= _MANY * column.documents and _from(sizes, few + 2) >= FEWEST
        ]
        if least:
            yield Listing(name=column.name, many=_plural(column.name), least=least[:_LIMITS])


def amounts(columns: Sequence[Column]) -> Iterator[Amount]:
    """Yield the fields of numbers, and what is high; a number of each document's own is a name."""
    for column in columns:
        numbers = sorted(column.numbers.values())
        if not _sizes(column) or _names(numbers):
            continue
        limits = [
            (_round(_at(numbers, share)), _round(_at(numbers, share + _STRICTER)))
            for share in _HIGH
        ]
        rising = [(low, high) for low, high in dict.fromkeys(limits) if low < high]
        if rising:
            yield Amount(name=column.name, least=rising)


def dates(columns: Sequence[Column]) -> tuple[Column, Dates] | None:
    """Return the most widespread field of dates, and what is recent and early; None for none."""
    dated = [each for each in columns if each.field.type == "date"]
    for column in sorted(dated, key=lambda each: -len(each.years)):
        found = _dates(column)
        if found is not None:
            return column, found
    return None


def _dates(column: Column) -> Dates | None:
    years = sorted(column.years.values())
    first, last = (share * len(years) for share in _EDGE)
    span = range(years[0], years[-1] + 1) if years else range(0)
    near = [year for year in span if first <= _from(years, year) <= last][::-1]
    far = [year for year in span if first <= bisect_left(years, year) <= last]
    often = [year for year, documents in sorted(Counter(years).items()) if documents >= FEWEST]
    if not (near and far and often):
        return None
    return Dates(
        name=column.name,
        form=_form(column.name),
        recent=tuple((year, year - 2) for year in near[:_LIMITS]),
        early=tuple((year, year + 3) for year in far[:_LIMITS]),
        since=near[:_LIMITS],
        within=often,
        past=often,
    )


def _form(name: str) -> DateForm:
    if name in {"date", "year"}:
        return "bare"
    return "participle" if " " not in name and name.endswith("ed") else "noun"


def _sizes(column: Column) -> bool:
    """Tell whether a field is of numbers, and said of more than a few documents."""
    return column.field.type == "number" and column.noun and column.share >= COMMON


def _measures(column: Column) -> bool:
    """Tell whether items are numbers or dates rather than names."""
    items = [item for item, _ in column.field.values]
    return sum(item[0].isdigit() for item in items) > len(items) / 2


def _names(numbers: Sequence[float]) -> bool:
    """Tell whether whole numbers tell documents apart."""
    return len(set(numbers)) == len(numbers) and all(each.is_integer() for each in numbers)


def _from(values: Sequence[int], least: int) -> int:
    """Return how many values, which rise, are so large."""
    return len(values) - bisect_left(values, least)


def _at(numbers: Sequence[float], share: float) -> float:
    return numbers[min(int(share * len(numbers)), len(numbers) - 1)]


def _round(number: float) -> float:
    """Return a number as people say it, to two digits."""
    return float(f"{number:.2g}")


def _plural(noun: str) -> str:
    """Return the plural of a regular noun; what ends as one is one.

    >>> _plural("author"), _plural("authors"), _plural("category")
    ('authors', 'authors', 'categories')
    """
    if noun.endswith("s"):
        return noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("x", "z", "ch", "sh")) else f"{noun}s"


_WORD = re.compile(r"[^\W_]+")
_LONG: Final = 6
"""Letters of a word that is asked for, at least."""
_SOME: Final = (0.02, 0.2)
"""Share of the documents that mention it, from and to."""
_TRIED: Final = 400
_KEPT: Final = 40


def mentions_of(text: str) -> Counter[str]:
    """Return how often each word stands in a text, without case.

    >>> mentions_of("Hash me, hash_me.")["hash"]
    2
    """
    return Counter(_WORD.findall(text.lower()))


def things_of(
    texts: Sequence[str], counts: Sequence[Mapping[str, int]], rng: np.random.Generator
) -> tuple[str, ...]:
    """Return words to ask for, drawn.

    Left out is what documents might mention in another form or within a longer word: whether
    `hashes` mentions `hash` is not for these questions to decide.
    """
    least, most = (share * len(texts) for share in _SOME)
    documents: Counter[str] = Counter(word for each in counts for word in each)
    forms: defaultdict[str, int] = defaultdict(int)
    every = sorted(documents)
    for stem in stems(every):
        forms[stem] += 1
    possible = [
        word
        for word, stem in zip(every, stems(every), strict=True)
        if forms[stem] == 1
        and len(word) >= _LONG
        and word.isalpha()
        and max(FEWEST, least) <= documents[word] <= most
        and documents[word] < _total(word, counts)
    ]
    drawn = [possible[int(at)] for at in rng.permutation(len(possible))[:_TRIED]]
    joined = "\n".join(texts).lower()
    whole = (word for word in drawn if joined.count(word) == _total(word, counts))
    return tuple(word for word, _ in zip(whole, range(_KEPT), strict=False))


def _total(word: str, counts: Iterable[Mapping[str, int]]) -> int:
    return sum(each.get(word, 0) for each in counts)


_SOME_collection: Final = (0.05, 0.95)
"""Share of the documents that have a field, from and to, where some have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be asked over which documents."""

    documents: Path
    many: str
    """What the documents are called."""
    only: Sequence[str] = ()
    """The fields to ask of, in the order in which values stand before the noun; all where empty."""
    seed: int = 0
    draws: int = 1
    """How often a question of each kind is asked."""
    natural: bool = False
    """Whether values are taken as they fall."""


def write_questions(wanted: Wanted, into: Path, say: Callable[[str], None]) -> int:
    """Write `questions.jsonl` into a folder; return how many questions.

    The same arguments write the same. A question that was drawn before is left out.

    Raises:
        SettingsError: the documents cannot be read, have no such field, or none to ask of; the
            folder is not empty, or cannot be written.
    """
    check_new(into)
    rng = np.random.default_rng(wanted.seed)
    collection = found_collection(wanted, rng, say)
    asked: dict[str, Wondered] = {}
    for draw in range(wanted.draws):
        turn = wanted.seed + draw
        for each in wonder(collection, rng, turn=turn, natural=wanted.natural):
            asked.setdefault(each.question, each)
    name = wanted.documents.resolve().name
    try:
        write_lines(into, lines_of(name, name, asked.values()))
    except OSError as error:
        raise SettingsError(f"{str(into)!r} cannot be written: {error}") from error
    return len(asked)


def found_collection(
    wanted: Wanted, rng: np.random.Generator, say: Callable[[str], None]
) -> Collection:
    """Read documents and tell their fields apart.

    Raises:
        SettingsError: the documents cannot be read, have no such field, or none to ask of.
    """
    documents = read_documents(wanted.documents, say)
    columns = columns_of(documents, wanted.only)
    sorting, listed = tuple(categories(columns)), tuple(listings(columns))
    numbered, dated = tuple(amounts(columns)), dates(columns)
    if not (sorting or listed or numbered or dated):
        raise SettingsError(
            f"{str(wanted.documents)!r} states no field that sorts, dates, lists or counts: "
            "leave the folder out to have a collection invented"
        )
    texts = [each.text for each in documents]
    counts = [mentions_of(text) for text in texts]
    things = things_of(texts, counts, rng)
    extras = [each for each in columns if _said_of_some(each)]
    return Collection(
        many=wanted.many,
        entries=_entries(documents, columns, counts, things),
        pairs=pairs(sorting),
        crossed=crossed(sorting),
        listings=listed,
        amounts=numbered,
        dates=None if dated is None else dated[1],
        extras=tuple(combinations([each.name for each in extras], 2)),
        things=things,
    )


def _said_of_some(column: Column) -> bool:
    """Tell whether some documents have a field, and it can be said that they have one."""
    least, most = _SOME_collection
    return least <= column.share <= most and column.noun and not column.name.endswith("s")


def _entries(
    documents: Sequence[Document],
    columns: Sequence[Column],
    counts: Sequence[Mapping[str, int]],
    things: Sequence[str],
) -> tuple[Entry, ...]:
    dated = dates(columns)
    years = {} if dated is None else dated[0].years
    return tuple(
        Entry(
            name=name,
            labels={each.name: each.labels[number] for each in columns if number in each.labels},
            items={each.name: len(each.labels.get(number, ())) for each in columns},
            amounts={each.name: each.numbers[number] for each in columns if number in each.numbers},
            year=years.get(number),
            stated=frozenset(each.name for each in columns if number in each.values),
            words={thing: counts[number][thing] for thing in things if thing in counts[number]},
        )
        for number, name in enumerate(distinct([each.name for each in documents]))
    )
