"""Ambiguous questions over a folder, each interpretation with its computed answer; and clear ones.

The fields that documents state are told apart by what questions can ask of them. The wordings are
those of the taxonomy's kinds: gradable words (A1), relative times (A2), the scope of a negation
(B1) or of an adjective (B2), documents against occurrences (C1).
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from agent.corpus_view import Field, FieldValue
from agent.english import stems
from agent.errors import SettingsError
from agent.taxonomy import AmbiguityCode
from evals.names import FUNCTION_WORDS
from evals.question_sets.source_documents import OutputFolder, read_documents
from tools.corpus.documents import Document, distinct
from tools.corpus.fields.catalogue import WITHOUT_NONE, catalogue, read_together
from tools.placeholders import is_placeholder

if TYPE_CHECKING:
    from pydantic import JsonValue

_ONE_IN: Final = 3
"""Of so many kinds of questions one is to make no difference."""
_DRAWS: Final = 600
"""How often a question is drawn anew at most, until it makes a difference or none as it is to."""
T = TypeVar("T")
Test = Callable[[int], bool]
"""Returns whether the document of a number is meant."""


def build_ambiguous(
    documents: Path,
    into: Path,
    say: Callable[[str], None],
    *,
    many: str,
    seed: int = 0,
    draws: int = 1,
    natural: bool = False,
) -> int:
    """Write `questions.jsonl` into a folder; return how many questions.

    A question that was drawn before is left out.

    Args:
        documents: their folder.
        into: a folder that is empty or not there yet.
        say: told of each file that cannot be read.
        many: what the documents are called.
        seed: another one, other questions.
        draws: how often a question of each kind is asked.
        natural: whether values are taken as they fall.

    Raises:
        SettingsError: the documents cannot be read or state no fields, or the folder is not empty.
    """
    folder = OutputFolder(into)
    folder.check_new()
    maker = _maker(read_documents(documents, say), many, np.random.default_rng(seed))
    if not (maker.categories or maker.listings or maker.amounts or maker.dates):
        raise SettingsError(
            f"the documents of {str(documents)!r} state no field that sorts, dates, lists or "
            "counts: give documents with front matter or `Key: value` lines"
        )
    asked: dict[str, AmbiguousQuestion] = {}
    for draw in range(draws):
        for each in _draw_all(maker, seed + draw, natural=natural):
            asked.setdefault(each.question, each)
    name = documents.resolve().name
    questions = [
        {"id": f"{name}-{number:02}", "corpus": name, **each.record()}
        for number, each in enumerate(asked.values(), start=1)
    ]
    return len(folder.write_questions("questions.jsonl", questions))


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A question in words that leave nothing open, and its answer."""

    question: str
    names: tuple[str, ...] = ()
    """The documents it counts."""
    number: int | None = None
    """Its answer, where that is not how many documents it counts."""

    @property
    def value(self) -> int:
        """Its answer."""
        return len(self.names) if self.number is None else self.number

    def record(self) -> dict[str, "JsonValue"]:
        """Return it as questions' files have it."""
        if self.number is not None:
            return {"rewritten": self.question, "answer_value": self.number}
        return {
            "rewritten": self.question,
            "answer_count": len(self.names),
            "answer": [*self.names],
        }


@dataclass(frozen=True, slots=True)
class AmbiguousQuestion:
    """A question and its interpretations; a clear one has one and no code."""

    question: str
    codes: tuple[AmbiguityCode, ...]
    interpretations: tuple[Interpretation, ...]

    @property
    def matters(self) -> bool:
        """Whether the answer depends on the interpretation: the number, or the documents."""
        counted = {each.names for each in self.interpretations if each.number is None}
        return len(counted) > 1 or len({each.value for each in self.interpretations}) > 1

    @property
    def something(self) -> bool:
        """Whether an interpretation has an answer other than 0."""
        return any(each.value for each in self.interpretations)

    def record(self) -> dict[str, "JsonValue"]:
        """Return it as questions' files have it."""
        return {
            "question": self.question,
            "ambiguity": [*self.codes],
            "is_ambiguous": bool(self.codes),
            "readings": [each.record() for each in self.interpretations],
        }


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
_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W_a-zA-Z]+")
"""A word of a field's name: also of `releaseDate`."""
_VALUE: Final = re.compile(r"[\w.+-]+(?: [\w.+-]+){,2}")
"""A value of up to three words."""
_ADJECTIVE: Final = re.compile(r"[^\W\d_]{3,}(?: [^\W\d_]{3,})?")


def spoken(name: str) -> str:
    """Return a field's name as words; only what is written in capitals keeps them.

    >>> spoken("Python-Version"), spoken("MPAA_Rating"), spoken("releaseDate")
    ('python version', 'MPAA rating', 'release date')
    """
    parts = _PART.findall(name) or [name]
    return " ".join(each if len(each) > 1 and each.isupper() else each.lower() for each in parts)


def plural(noun: str) -> str:
    """Return the plural of a regular noun; what ends as one is one.

    >>> [plural(each) for each in ("author", "authors", "category")]
    ['authors', 'authors', 'categories']
    """
    if noun.endswith("s"):
        return noun
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("x", "z", "ch", "sh")) else f"{noun}s"


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

    def having(self, *values: str) -> Test:
        """Return whether a document has one of some values."""
        wanted = {value.casefold() for value in values}
        return lambda at: not wanted.isdisjoint(self.labels.get(at, ()))


@dataclass(frozen=True, slots=True)
class Category:
    """A field with few values, each of several documents."""

    column: Column
    values: tuple[str, ...]

    @property
    def adjectives(self) -> tuple[str, ...]:
        """Those values that may stand before a noun, `approved surveys`, as far as form tells."""
        return tuple(
            value
            for value in self.values
            if _ADJECTIVE.fullmatch(value) and FUNCTION_WORDS.isdisjoint(value.casefold().split())
        )

    def said(self, value: str) -> str:
        """Return a value with the field's name: `the state approved`."""
        return f"the {self.column.name} {value}"


@dataclass(frozen=True, slots=True)
class Scale:
    """A field by which documents have more or less of something."""

    column: Column
    limits: Sequence[tuple[float, float]]
    """What a word of degree may mean: two numbers of items, two amounts, or two first years."""


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
            with_none = known[names[key]].type not in WITHOUT_NONE
            if with_none or not is_placeholder(value.raw, amounts=True):
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
            yield Category(column, values)


def _listings(columns: Iterable[Column]) -> Iterator[Scale]:
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
            yield Scale(column, limits[:_LIMITS])


def _amounts(columns: Iterable[Column]) -> Iterator[Scale]:
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
            yield Scale(column, rising)


def _dates(columns: Iterable[Column]) -> Scale | None:
    """Return the most widespread field of dates, and which are recent; None where there is none."""
    dated = [each for each in columns if each.field.type == "date" and each.years]
    for column in sorted(dated, key=lambda each: -len(each.years)):
        years = sorted(column.years.values())
        least, most = (share * len(years) for share in _RECENT)
        span = range(years[-1], years[0] - 1, -1)
        near = [year for year in span if least <= _from(years, year) <= most][:_LIMITS]
        if near:
            return Scale(column, [(year, year - 2) for year in near])
    return None


def _from(values: Sequence[int], least: int) -> int:
    """Return how many values, which rise, are so large."""
    return len(values) - bisect_left(values, least)


def _at(numbers: Sequence[float], share: float) -> float:
    """Return the quantile of numbers, which rise, rounded as people say it, to two digits."""
    return float(f"{numbers[min(int(share * len(numbers)), len(numbers) - 1)]:.2g}")


_WORD: Final = re.compile(r"[^\W_]+")
_LONG: Final = 6
"""Letters of a word that is asked for, at least."""
_MENTIONED: Final = (0.02, 0.2)
"""Share of the documents that mention such a word, from and to."""
_KEPT: Final = 40


def _things(texts: Sequence[str], rng: np.random.Generator) -> Mapping[str, Mapping[int, int]]:
    """Return words to ask for, drawn, each with how often it stands in which documents.

    Left out is what documents might mention in another form or within a longer word: whether
    `hashes` mentions `hash` is not for these questions to decide.
    """
    times: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for at, text in enumerate(texts):
        for word, count in Counter(_WORD.findall(text.lower())).items():
            times[word][at] = count
    least, most = (share * len(texts) for share in _MENTIONED)
    by_word = dict(zip(times, stems([*times]), strict=True))
    forms = Counter(by_word.values())
    possible = [
        word
        for word, stem in by_word.items()
        if forms[stem] == 1
        and len(word) >= _LONG
        and word.isalpha()
        and max(_FEWEST, least) <= len(times[word]) <= most
        and len(times[word]) < sum(times[word].values())
    ]
    joined = "\n".join(texts).lower()
    drawn = (possible[int(at)] for at in rng.permutation(len(possible)))
    alone = (word for word in drawn if joined.count(word) == sum(times[word].values()))
    return {word: times[word] for word, _ in zip(alone, range(_KEPT), strict=False)}


@dataclass(frozen=True, slots=True)
class _Those:
    """Documents in words, `reports with the state open`, and as a test."""

    words: str
    test: Test


@dataclass(frozen=True, slots=True, kw_only=True)
class _Maker:
    """Draws the values of questions over one collection."""

    many: str
    names: Sequence[str]
    """The documents' names."""
    categories: Sequence[Category]
    listings: Sequence[Scale]
    amounts: Sequence[Scale]
    dates: Scale | None
    things: Mapping[str, Mapping[int, int]]
    """Words that some texts mention, how often by document."""
    rng: np.random.Generator

    @property
    def crossed(self) -> Sequence[tuple[Category, Category]]:
        """Two categories each, with an adjective of the first and two of the second."""
        pairs = combinations(self.categories, 2)
        return [(far, near) for far, near in pairs if far.adjectives and len(near.adjectives) > 1]

    def meant(self, question: str, test: Test) -> Interpretation:
        """Return an interpretation that counts the documents that pass."""
        return Interpretation(question, tuple(n for at, n in enumerate(self.names) if test(at)))

    def of(self, choices: Sequence[T]) -> T:
        """Draw one."""
        return choices[int(self.rng.integers(len(choices)))]

    def two(self, choices: Sequence[T]) -> tuple[T, T]:
        """Draw two different ones."""
        first, second = self.rng.permutation(len(choices))[:2]
        return choices[int(first)], choices[int(second)]

    def which(self, *besides: Column) -> _Those:
        """Draw which documents are asked about: all, or those with a value of another field."""
        apart = [each for each in self.categories if each.column not in besides]
        if not apart or self.of((False, True)):
            return _Those(self.many, lambda _: True)
        category = self.of(apart)
        value = self.of(category.values)
        words = f"{self.many} with {category.said(value)}"
        return _Those(words, category.column.having(value))


def _maker(documents: Sequence[Document], many: str, rng: np.random.Generator) -> _Maker:
    """Tell apart the fields that documents state."""
    columns = _columns(documents)
    return _Maker(
        many=many,
        names=distinct([each.name for each in documents]),
        categories=list(_categories(columns)),
        listings=list(_listings(columns)),
        amounts=list(_amounts(columns)),
        dates=_dates(columns),
        things=_things([each.text for each in documents], rng),
        rng=rng,
    )


_Make = Callable[[_Maker], AmbiguousQuestion]


def _draw_all(maker: _Maker, turn: int, *, natural: bool) -> Iterator[AmbiguousQuestion]:
    """Yield a question of each kind that the fields permit, and clear ones.

    Of every third kind, which ones depending on the turn, the values are drawn anew until all
    interpretations count the same documents: ambiguities that make no difference in this
    collection. Of the others they are drawn until the interpretations differ. Where chance gives no
    such values, the last ones are taken as they are. What is `natural` is only drawn until some
    interpretation has an answer other than 0.
    """
    for number, make in enumerate(_kinds(maker), start=turn):
        drawn = make(maker)
        for _ in range(_DRAWS):
            fits = natural or drawn.matters == bool(number % _ONE_IN)
            if fits and drawn.something:
                break
            drawn = make(maker)
        yield drawn
    yield from _clear(maker)


def _kinds(maker: _Maker) -> Iterator[_Make]:
    """Yield the kinds of questions that can be asked."""
    possible: tuple[tuple[_Make, bool], ...] = (
        (_many_items, bool(maker.listings)),
        (_high_amount, bool(maker.amounts)),
        (_recent, maker.dates is not None),
        (_not_this_or_that, len(maker.categories) > 1),
        (_joined_adjectives, bool(maker.crossed)),
        (_mentioned, bool(maker.things)),
    )
    yield from (make for make, able in possible if able)


def _many_items(maker: _Maker) -> AmbiguousQuestion:
    """Ask for many items of a list."""
    listing = maker.of(maker.listings)
    column, which = listing.column, maker.which(listing.column)

    def at_least(least: float) -> Interpretation:
        return maker.meant(
            f"How many {which.words} have at least {least} {plural(column.name)}?",
            lambda at: which.test(at) and len(column.labels.get(at, ())) >= least,
        )

    question = f"How many {which.words} have many {plural(column.name)}?"
    return AmbiguousQuestion(question, ("A1",), tuple(map(at_least, maker.of(listing.limits))))


def _high_amount(maker: _Maker) -> AmbiguousQuestion:
    """Ask for a high amount."""
    amount, which = maker.of(maker.amounts), maker.which()
    asked = f"In how many {which.words} is the {amount.column.name}"
    numbers = amount.column.numbers

    def at_least(least: float) -> Interpretation:
        return maker.meant(
            f"{asked} at least {_digits(least)}?",
            lambda at: which.test(at) and numbers.get(at, -np.inf) >= least,
        )

    readings = tuple(map(at_least, maker.of(amount.limits)))
    return AmbiguousQuestion(f"{asked} high?", ("A1",), readings)


def _digits(number: float) -> str:
    return f"{number:.0f}" if number.is_integer() else str(number)


def _recent(maker: _Maker) -> AmbiguousQuestion:
    """Ask for what is recent."""
    dates, which = _dated(maker), maker.which()
    years = dates.column.years

    def since(year: float) -> Interpretation:
        return maker.meant(
            f"How many {which.words} {_when(dates, f'in {year} or later')}?",
            lambda at: which.test(at) and years.get(at, 0) >= year,
        )

    question = f"How many {which.words} {_when(dates, 'recently')}?"
    return AmbiguousQuestion(question, ("A2",), tuple(map(since, maker.of(dates.limits))))


def _dated(maker: _Maker) -> Scale:
    """Return the field of dates; only for kinds of questions that need one."""
    if maker.dates is None:
        raise ValueError("the collection has no dates")
    return maker.dates


def _when(dates: Scale, when: str) -> str:
    """Return when documents are dated: `were filed in 2010`, `are dated in 2010 (start date)`."""
    name = dates.column.name
    participle = " " not in name and name.endswith("ed")
    return f"were {name} {when}" if participle else f"are dated {when} ({name})"


def _not_this_or_that(maker: _Maker) -> AmbiguousQuestion:
    """Ask for documents that are not this or that."""
    far, near = maker.two(maker.categories)
    first, second = maker.of(far.values), maker.of(near.values)
    one, other = far.said(first), near.said(second)
    is_first, is_second = far.column.having(first), near.column.having(second)
    return AmbiguousQuestion(
        f"How many {maker.many} do not have {one} or {other}?",
        ("B1",),
        (
            maker.meant(
                f"How many {maker.many} have neither {one} nor {other}?",
                lambda at: not is_first(at) and not is_second(at),
            ),
            maker.meant(
                f"How many {maker.many} either do not have {one}, or have {other}?",
                lambda at: not is_first(at) or is_second(at),
            ),
        ),
    )


def _joined_adjectives(maker: _Maker) -> AmbiguousQuestion:
    """Ask for A B and C documents."""
    many, (far, near) = maker.many, maker.of(maker.crossed)
    state, (one, other) = maker.of(far.adjectives), maker.two(near.adjectives)
    of_state = far.column.having(state)
    of_one, of_other = near.column.having(one), near.column.having(other)
    return AmbiguousQuestion(
        f"How many {state} {one} and {other} {many} are there?",
        ("B2",),
        (
            maker.meant(
                f"How many {many} have {far.said(state)} and have {near.said(one)} or {other}?",
                lambda at: of_state(at) and (of_one(at) or of_other(at)),
            ),
            maker.meant(
                f"How many {many} are either {state} {one} {many}, or {other} {many} of any "
                f"{far.column.name}?",
                lambda at: of_other(at) or (of_state(at) and of_one(at)),
            ),
        ),
    )


def _mentioned(maker: _Maker) -> AmbiguousQuestion:
    """Ask how often something is mentioned."""
    word, which = maker.of([*maker.things]), maker.which()
    times = maker.things[word]
    return AmbiguousQuestion(
        f"How often is the word {word} mentioned in {which.words}?",
        ("C1",),
        (
            maker.meant(
                f"In how many {which.words} is the word {word} mentioned?",
                lambda at: which.test(at) and at in times,
            ),
            Interpretation(
                f"How many occurrences of the word {word} are there in all {which.words}?",
                number=sum(each for at, each in times.items() if which.test(at)),
            ),
        ),
    )


def _clear(maker: _Maker) -> Iterator[AmbiguousQuestion]:
    """Yield questions with one interpretation."""
    asked: list[tuple[str, Test]] = []
    if maker.categories:
        category = maker.of(maker.categories)
        value, which = maker.of(category.values), maker.which(category.column)
        has_value = category.column.having(value)
        told = f"{which.words} have {category.said(value)}"
        asked.append((told, lambda at: which.test(at) and has_value(at)))
    if maker.dates is not None:
        years = maker.dates.column.years
        year = maker.of(sorted(years.values()))
        told = f"{maker.many} {_when(maker.dates, f'in {year}')}"
        asked.append((told, lambda at: years.get(at) == year))
    if maker.things:
        word = maker.of([*maker.things])
        asked.append((f"{maker.many} mention the word {word}", maker.things[word].__contains__))
    for words, test in asked:
        question = f"How many {words}?"
        yield AmbiguousQuestion(question, (), (maker.meant(question, test),))
