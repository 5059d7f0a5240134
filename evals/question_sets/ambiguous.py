"""Ambiguous questions over a folder, each interpretation with its computed answer; and clear ones.

The wordings are those of the taxonomy's kinds: gradable words (A1), relative times (A2), the scope
of a negation (B1) or of an adjective (B2), documents against occurrences (C1).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from agent.taxonomy import AmbiguityCode
from evals.question_sets.found_fields import (
    ANY,
    Amount,
    Category,
    Collection,
    Dates,
    Test,
    article,
    found_collection,
)
from evals.question_sets.source_documents import OutputFolder

if TYPE_CHECKING:
    from pydantic import JsonValue

_ONE_IN: Final = 3
"""Of so many kinds of questions one is to make no difference."""
_DRAWS: Final = 600
"""How often a question is drawn anew at most, until it makes a difference or none as it is to."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbiguousPlan:
    """What is to be asked over which documents."""

    documents: Path
    many: str = "documents"
    """What the documents are called."""
    seed: int = 0
    draws: int = 1
    """How often a question of each kind is asked."""
    natural: bool = False
    """Whether values are taken as they fall."""


def build_ambiguous(plan: AmbiguousPlan, into: Path, say: Callable[[str], None]) -> int:
    """Write `questions.jsonl` into a folder; return how many questions.

    A question that was drawn before is left out.

    Raises:
        SettingsError: the documents cannot be read or state no fields, or the folder is not empty.
    """
    folder = OutputFolder(into)
    folder.check_new()
    rng = np.random.default_rng(plan.seed)
    collection = found_collection(plan.documents, plan.many, rng, say)
    asked: dict[str, AmbiguousQuestion] = {}
    for draw in range(plan.draws):
        for each in _draw_all(_Maker(collection, rng), plan.seed + draw, natural=plan.natural):
            asked.setdefault(each.question, each)
    name = plan.documents.resolve().name
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

    @property
    def idle(self) -> bool:
        """Whether all interpretations have the same answer, which is not 0."""
        return not self.matters and self.something

    def record(self) -> dict[str, "JsonValue"]:
        """Return it as questions' files have it."""
        return {
            "question": self.question,
            "ambiguity": [*self.codes],
            "is_ambiguous": bool(self.codes),
            "readings": [each.record() for each in self.interpretations],
        }


@dataclass(frozen=True, slots=True)
class _Those:
    """Documents in words, `approved flood surveys filed in 2010`, and as a test."""

    many: str
    test: Test = lambda _: True
    before: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    """What stands directly behind their noun."""
    having: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the words."""
        having = f"with {' and '.join(self.having)}" if self.having else ""
        return " ".join((*self.before, self.many, *self.behind, having)).strip()

    def of(self, category: Category, value: str) -> "_Those":
        """Return those of them with a value, said before the noun where it may stand there."""
        if category is ANY:
            return self
        narrowed = self.passing(category.test(value))
        if value in category.adjectives:
            return replace(narrowed, before=(*self.before, value))
        return narrowed.called(f"the {category.name} {value}")

    def since(self, dates: Dates, year: int) -> "_Those":
        """Return those of them that are dated in a year or later."""
        later = self.passing(lambda each: each.year is not None and each.year >= year)
        return later.dated(dates, f"in {year} or later")

    def within(self, dates: Dates, year: int) -> "_Those":
        """Return those of them that are dated in a year."""
        return self.passing(lambda each: each.year == year).dated(dates, f"in {year}")

    def dated(self, dates: Dates, when: str) -> "_Those":
        """Say when they are dated, which their test does not know."""
        if dates.participle:
            return replace(self, behind=(f"{dates.name} {when}",))
        return self.called(f"{article(dates.name)} {when}")

    def called(self, feature: str) -> "_Those":
        """Say that they have something, which their test does not know."""
        return replace(self, having=(*self.having, feature))

    def passing(self, test: Test) -> "_Those":
        """Return those of them that pass a test, which their words do not say."""
        own = self.test
        return replace(self, test=lambda each: own(each) and test(each))


@dataclass(frozen=True, slots=True)
class _Maker:
    """Draws the values of questions over one collection."""

    collection: Collection
    rng: np.random.Generator

    @property
    def every(self) -> _Those:
        """All documents."""
        return _Those(self.collection.many)

    @property
    def dates(self) -> Dates:
        """The field by which documents are dated; only for kinds of questions that need one."""
        if self.collection.dates is None:
            raise ValueError("the collection has no dates")
        return self.collection.dates

    def meant(self, question: str, test: Test) -> Interpretation:
        """Return an interpretation that counts the documents that pass."""
        names = (each.name for each in self.collection.entries if test(each))
        return Interpretation(question, tuple(names))

    def of(self, choices: Sequence[T]) -> T:
        """Draw one."""
        return choices[int(self.rng.integers(len(choices)))]

    def two(self, choices: Sequence[T]) -> tuple[T, T]:
        """Draw two different ones."""
        first, second = self.rng.permutation(len(choices))[:2]
        return choices[int(first)], choices[int(second)]

    def which(self, *besides: str) -> _Those:
        """Draw which documents are asked about: all, or those of one value, of another, of both.

        They are not told by the fields that are asked about besides.
        """
        pairs = self.collection.pairs
        apart = [pair for pair in pairs if {each.name for each in pair}.isdisjoint(besides)]
        far, near = self.of(apart or [(ANY, ANY)])
        those = self.every
        if self.of((False, True)):
            those = those.of(far, self.of(far.values))
        if self.of((False, True)):
            those = those.of(near, self.of(near.values))
        return those

    def within_a_year(self, those: _Those) -> _Those:
        """Return those of a drawn year, or as often all of them."""
        dates = self.collection.dates
        if dates is None or self.of((False, True)):
            return those
        return those.within(dates, self.of(dates.years))


_Make = Callable[[_Maker], AmbiguousQuestion]


def _draw_all(maker: _Maker, turn: int, *, natural: bool) -> Iterator[AmbiguousQuestion]:
    """Yield a question of each kind that the fields permit, and clear ones.

    Of every third kind, which ones depending on the turn, the values are drawn anew until all
    interpretations count the same documents: ambiguities that make no difference in this
    collection. Of the others they are drawn until the interpretations differ. Where chance gives no
    such values, the last ones are taken as they are. What is `natural` is only drawn until some
    interpretation has an answer other than 0.
    """
    for number, make in enumerate(_kinds(maker.collection), start=turn):
        drawn = make(maker)
        for _ in range(_DRAWS):
            idle = number % _ONE_IN == 0
            if drawn.something if natural else drawn.idle if idle else drawn.matters:
                break
            drawn = make(maker)
        yield drawn
    yield from _clear(maker)


def _kinds(collection: Collection) -> Iterator[_Make]:
    """Yield the kinds of questions that can be asked."""
    possible: tuple[tuple[_Make, bool], ...] = (
        (_many_items, bool(collection.listings)),
        (_high_amount, bool(collection.amounts)),
        (_recent, collection.dates is not None),
        (_without_both, bool(collection.optional)),
        (_not_this_or_that, len(collection.categories) > 1),
        (_joined_adjectives, bool(collection.crossed)),
        (_mentioned, bool(collection.things)),
    )
    yield from (make for make, able in possible if able)


def _many_items(maker: _Maker) -> AmbiguousQuestion:
    """Ask for many items of a list."""
    listing = maker.of(maker.collection.listings)
    name, which = listing.name, maker.which(listing.name)

    def at_least(least: int) -> Interpretation:
        return maker.meant(
            f"How many {which} have at least {least} {listing.plural}?",
            lambda each: which.test(each) and len(each.labels.get(name, ())) >= least,
        )

    few, more = maker.of(listing.limits)
    question = f"How many {which} have many {listing.plural}?"
    return AmbiguousQuestion(question, ("A1",), (at_least(few), at_least(more)))


def _high_amount(maker: _Maker) -> AmbiguousQuestion:
    """Ask for a high amount."""
    asked, which = maker.of(maker.collection.amounts), maker.which()

    def at_least(least: float) -> Interpretation:
        return maker.meant(
            f"How many {which.called(_at_least(asked, least))} are there?",
            lambda each: which.test(each) and each.amounts.get(asked.name, least - 1) >= least,
        )

    low, high = maker.of(asked.limits)
    question = f"How many {which.called('a high ' + asked.name)} are there?"
    return AmbiguousQuestion(question, ("A1",), (at_least(low), at_least(high)))


def _at_least(asked: Amount, least: float) -> str:
    shown = f"{least:.0f}" if least.is_integer() else f"{least}"
    return f"{article(asked.name)} of at least {shown}"


def _recent(maker: _Maker) -> AmbiguousQuestion:
    """Ask for what is recent."""
    dates, which = maker.dates, maker.which()
    return AmbiguousQuestion(
        f"How many {which} {dates.recently}?",
        ("A2",),
        tuple(
            maker.meant(
                f"How many {which} {dates.predicate(f'in {year} or later')}?",
                which.since(dates, year).test,
            )
            for year in maker.of(dates.recent)
        ),
    )


def _without_both(maker: _Maker) -> AmbiguousQuestion:
    """Ask for documents that do not have this and that."""
    one, other = maker.of(maker.collection.optional)
    which = maker.within_a_year(maker.which(one, other))
    return AmbiguousQuestion(
        f"How many {which} do not have {article(one)} and {article(other)}?",
        ("B1",),
        (
            maker.meant(
                f"How many {which} have neither {article(one)} nor {article(other)}?",
                lambda each: which.test(each) and each.labels.keys().isdisjoint((one, other)),
            ),
            maker.meant(
                f"How many {which} lack {article(one)} or lack {article(other)}?",
                lambda each: which.test(each) and not each.labels.keys() >= {one, other},
            ),
        ),
    )


def _not_this_or_that(maker: _Maker) -> AmbiguousQuestion:
    """Ask for documents that are not this or that."""
    far, near = maker.of(maker.collection.pairs)
    first, second = maker.of(far.values), maker.of(near.values)
    which = maker.within_a_year(maker.every)
    one, other = f"the {far.name} {first}", f"the {near.name} {second}"
    is_first, is_second = far.test(first), near.test(second)
    return AmbiguousQuestion(
        f"How many {which} do not have {one} or {other}?",
        ("B1",),
        (
            maker.meant(
                f"How many {which} have neither {one} nor {other}?",
                lambda each: which.test(each) and not is_first(each) and not is_second(each),
            ),
            maker.meant(
                f"How many {which} either do not have {one}, or have {other}?",
                lambda each: which.test(each) and (not is_first(each) or is_second(each)),
            ),
        ),
    )


def _joined_adjectives(maker: _Maker) -> AmbiguousQuestion:
    """Ask for A B and C documents."""
    many = maker.collection.many
    far, near = maker.of(maker.collection.crossed)
    state, (one, other) = maker.of(far.adjectives), maker.two(near.adjectives)
    which = maker.within_a_year(maker.every)
    dated = str(which).removeprefix(many)
    of_state, of_one, of_other = far.test(state), near.test(one), near.test(other)
    return AmbiguousQuestion(
        f"How many {state} {one} and {other} {many}{dated} are there?",
        ("B2",),
        (
            maker.meant(
                f"How many {which} {far.predicate(state)} and have the {near.name} {one} or "
                f"{other}?",
                lambda each: (
                    which.test(each) and of_state(each) and (of_one(each) or of_other(each))
                ),
            ),
            maker.meant(
                f"How many {which} are either {state} {one} {many}, or {other} {many} of any "
                f"{far.name}?",
                lambda each: (
                    which.test(each) and (of_other(each) or (of_state(each) and of_one(each)))
                ),
            ),
        ),
    )


def _mentioned(maker: _Maker) -> AmbiguousQuestion:
    """Ask how often something is mentioned."""
    word, which = maker.of(maker.collection.things), maker.which()
    everywhere = str(which) == maker.collection.many
    times = [each.words.get(word, 0) for each in maker.collection.entries if which.test(each)]
    return AmbiguousQuestion(
        f"How often is the word {word} mentioned{'' if everywhere else f' in {which}'}?",
        ("C1",),
        (
            maker.meant(
                f"In how many {which} is the word {word} mentioned?",
                lambda each: which.test(each) and word in each.words,
            ),
            Interpretation(
                f"How many occurrences of the word {word} are there in all {which}?",
                number=sum(times),
            ),
        ),
    )


def _clear(maker: _Maker) -> Iterator[AmbiguousQuestion]:
    """Yield questions with one interpretation."""
    collection, every = maker.collection, maker.every
    far, near = maker.of(collection.pairs)
    asked: list[tuple[str, Test]] = []
    if far is not ANY:
        first, those = maker.of(far.values), every.of(near, maker.of(near.values))
        asked.append((f"{those} {far.predicate(first)}", those.of(far, first).test))
    if collection.dates is not None:
        dates, year = collection.dates, maker.of(collection.dates.years)
        asked.append((f"{every} {dates.predicate(f'in {year}')}", every.within(dates, year).test))
    if collection.things:
        word = maker.of(collection.things)
        asked.append((f"{every} mention the word {word}", lambda each: word in each.words))
    for words, test in asked:
        question = f"How many {words}?"
        yield AmbiguousQuestion(question, (), (maker.meant(question, test),))
