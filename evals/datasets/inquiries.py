"""Aggregative questions over drawn records, with their computed answers."""

import statistics
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Final, Literal, TypedDict, get_args

import numpy as np

from evals.datasets.domains import Comparison, Domain, Facet
from evals.datasets.drawn_records import Aggregate, Drawn, Fact, number, pick, some
from evals.datasets.pages import written

__all__ = (
    "OPERATIONS",
    "PHRASES",
    "Asked",
    "Condition",
    "Operation",
    "Truth",
    "aggregate",
    "ask_questions",
    "by_group",
    "conditions_on",
    "different",
    "extreme",
    "matching",
    "top",
)


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition on one attribute."""

    attribute: str
    comparison: Comparison
    bound: Fact
    """What it is compared with; None for yes and no."""
    text: str
    """As a question says it behind the plural: `with more than 100 rooms`."""

    def holds(self, record: Drawn) -> bool:
        """Tell whether a record states what satisfies it; what is not stated does not."""
        fact = record.facts[self.attribute]
        if fact is None:
            return False
        if self.comparison in {"yes", "no"}:
            return fact is (self.comparison == "yes")
        return _TESTS[self.comparison](fact, self.bound)


@dataclass(frozen=True, slots=True)
class Truth:
    """An answer: a number, names, or a number for each group; and the records behind it."""

    value: float | None = None
    names: tuple[str, ...] = ()
    groups: Mapping[str, float] | None = None
    rows: tuple[Drawn, ...] = ()


_TESTS: dict[Comparison, Callable[[Fact, Fact], bool]] = {
    "more": lambda fact, bound: isinstance(fact, int | float) and fact > number(bound),
    "less": lambda fact, bound: isinstance(fact, int | float) and fact < number(bound),
    "equal": lambda fact, bound: fact == bound,
    "is": lambda fact, bound: fact == bound,
    "after": lambda fact, bound: str(fact)[:4] > str(bound),
    "before": lambda fact, bound: str(fact)[:4] < str(bound),
    "contains": lambda fact, bound: isinstance(fact, tuple) and bound in fact,
}


_AGGREGATES: Final[Mapping[Aggregate, Callable[[Sequence[float]], float]]] = {
    "sum": sum,
    "avg": statistics.fmean,
    "min": min,
    "max": max,
    "median": statistics.median,
}


PHRASES: Final[Mapping[str, tuple[str, ...]]] = {
    "count": (
        "how many {things} are there?",
        "what is the number of {things}?",
        "count the {things}.",
        "how many {things} does the collection describe?",
    ),
    "list": (
        "list all {things}.",
        "which {things} are there?",
        "name every one of the {things}.",
        "give me the {things}.",
    ),
    "avg": (
        "what is the average {measure} of {things}?",
        "what is the mean {measure} of all {things}?",
        "on average, what is the {measure} of {things}?",
    ),
    "sum": (
        "what is the sum of the {measure} over all {things}?",
        "adding up all {things}, what is the total {measure}?",
        "what is the {measure} of all {things} taken together?",
    ),
    "min": (
        "what is the lowest {measure} of {things}?",
        "what is the minimum {measure} among {things}?",
        "what is the smallest {measure} of any of the {things}?",
    ),
    "max": (
        "what is the highest {measure} of {things}?",
        "what is the maximum {measure} among {things}?",
        "what is the largest {measure} of any of the {things}?",
    ),
    "median": (
        "what is the median {measure} of {things}?",
        "what is the median of the {measure} over all {things}?",
    ),
    "argmax": (
        "which of the {things} {extreme}?",
        "which one of the {things} {extreme}?",
        "among {things}, which {kind} {extreme}?",
    ),
    "argmin": (
        "which of the {things} {extreme}?",
        "which one of the {things} {extreme}?",
        "among {things}, which {kind} {extreme}?",
    ),
    "top-k": (
        "which {count} {things} have the highest {measure}?",
        "what are the top {count} {things} by {measure}?",
        "name the {count} {things} with the highest {measure}.",
    ),
    "count distinct": (
        "how many different {several} are there among the {things}?",
        "how many distinct {several} do the {things} have?",
        "across all {things}, how many different {several} occur?",
    ),
    "most common": (
        "what is the most common {each} among {things}?",
        "which {each} occurs most often among {things}?",
        "what is the most frequent {each} of {things}?",
    ),
    "group count": (
        "for each {each}, how many {things} are there?",
        "how many {things} are there per {each}?",
        "give the number of {things} by {each}.",
    ),
    "group avg": (
        "for each {each}, what is the average {measure} of {things}?",
        "what is the average {measure} of {things} per {each}?",
        "give the mean {measure} of {things} by {each}.",
    ),
    "ratio": (
        "what is the ratio of {first} to {second}?",
        "what is the number of {first} divided by the number of {second}?",
    ),
    "difference": (
        "how many more {first} than {second} are there?",
        "by how much does the number of {first} exceed the number of {second}?",
    ),
    "share": (
        "what share of the {second} are {first}?",
        "of all {second}, what fraction are {first}?",
    ),
}
"""By operation; what stands in braces is filled in from the domain."""


Operation = Literal[
    "count", "avg", "list", "sum", "argmax", "count distinct", "max", "group count", "ratio",
    "median", "top-k", "difference", "group avg", "min", "share", "argmin", "most common",
]  # fmt: skip
OPERATIONS: Final[tuple[Operation, ...]] = get_args(Operation)
_FEWEST: Final = 2
"""Records behind an answer at least: with fewer it is no aggregate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with its answer."""

    question: str
    operation: Operation
    truth: Truth
    conditions: tuple[Condition, ...]
    against: tuple[Condition, ...] = ()
    """Of a ratio, a difference, a share: the conditions of the second number."""
    measure: str = ""
    """The attribute that is aggregated or ordered by."""
    by: str = ""
    """The attribute whose values are groups, or counted."""
    limit: int = 0
    """How many are asked for; 0 for all."""

    @property
    def attributes(self) -> tuple[str, ...]:
        """Whose facts it needs, those of the conditions first."""
        tested = [each.attribute for each in (*self.conditions, *self.against)]
        return tuple(dict.fromkeys([*tested, *filter(None, (self.by, self.measure))]))


class _Needs(TypedDict, total=False):
    """What a question needs beside its conditions: fields of `Asked`."""

    against: tuple[Condition, ...]
    measure: str
    by: str
    limit: int


@dataclass(frozen=True, slots=True)
class _Maker:
    """What every form of question is made from."""

    domain: Domain
    records: Sequence[Drawn]
    rng: np.random.Generator
    words: np.random.Generator | None
    """How bounds are written: in many forms by chance, or in one without it."""

    def conditions(self, most: int, least: int = 0) -> tuple[Condition, ...]:
        """Return conditions on different attributes."""
        found = conditions_on(self.domain, self.records, self.rng, self.words)
        mixed = some(found, len(found), self.rng)
        apart = list({each.attribute: each for each in mixed}.values())
        return tuple(apart[: int(self.rng.integers(least, most + 1))])

    def having(self, *forms: str) -> str | None:
        """Return an attribute that can be asked for in all of the forms."""
        fit = [
            name
            for name, facet in self.domain.attributes.items()
            if all(getattr(facet.ask, form) for form in forms)
        ]
        return pick(fit, self.rng) if fit else None

    def said(self, conditions: Sequence[Condition]) -> str:
        """Return the plural with its conditions: `hotels in Lyon with a pool`."""
        order = sorted(conditions, key=lambda each: each.comparison != "is")
        if not order:
            return self.domain.plural
        return f"{self.domain.plural} {' and '.join(each.text for each in order)}"

    def made(
        self,
        operation: Operation,
        truth: Truth | None,
        conditions: Sequence[Condition],
        needs: "_Needs | None" = None,
        **words: str,
    ) -> Asked | None:
        """Put a question into words; None where it has no answer."""
        if truth is None:
            return None
        said = {"things": self.said(conditions), "kind": self.domain.kind, **words}
        text = pick(PHRASES[operation], self.rng).format_map(said)
        return Asked(
            question=text[0].upper() + text[1:],
            operation=operation,
            truth=truth,
            conditions=tuple(conditions),
            **(needs or {}),
        )


def ask_questions(
    domain: Domain,
    records: Sequence[Drawn],
    count: int,
    rng: np.random.Generator,
    words: np.random.Generator | None = None,
) -> list[Asked]:
    """Return so many different questions, the operations in turn.

    There are fewer where the records do not yield so many.

    Args:
        domain: what is asked about.
        records: what is true.
        count: how many.
        rng: chooses what is asked.
        words: chooses how values are written; None for one form.
    """
    maker = _Maker(domain, records, rng, words)
    found: dict[str, Asked] = {}
    for tries, operation in enumerate(cycle(OPERATIONS)):
        if len(found) >= count or tries > 40 * count + 200:
            break
        made = _FORMS[operation](maker, operation)
        if made is not None:
            found.setdefault(made.question, made)
    return list(found.values())


def _count(maker: _Maker, operation: Operation) -> Asked | None:
    conditions = maker.conditions(3, 1)
    rows = matching(maker.records, conditions)
    if len(rows) < _FEWEST:
        return None
    names = tuple(each.name for each in rows)
    value = None if operation == "list" else float(len(rows))
    return maker.made(operation, Truth(value, names, rows=rows), conditions)


def _aggregate(maker: _Maker, operation: Operation) -> Asked | None:
    how: Aggregate = next(each for each in get_args(Aggregate) if each == operation)
    measure = maker.having("measure")
    if measure is None or (how == "sum" and not maker.domain.attributes[measure].additive):
        return None
    conditions = _others(maker.conditions(2), measure)
    rows = matching(maker.records, conditions)
    truth = aggregate(rows, measure, how)
    needs: _Needs = {"measure": measure}
    return maker.made(operation, truth, conditions, needs, measure=_measure(maker, measure))


def _top(maker: _Maker, operation: Operation) -> Asked | None:
    form = "lowest" if operation == "argmin" else "highest"
    measure = maker.having("measure", form)
    if measure is None:
        return None
    conditions = _others(maker.conditions(2), measure)
    count = int(maker.rng.integers(2, 6)) if operation == "top-k" else 1
    rows = matching(maker.records, conditions)
    truth = top(rows, measure, count, highest=form == "highest")
    words = {
        "count": ("two", "three", "four", "five")[count - 2],
        "measure": _measure(maker, measure),
        "extreme": pick(getattr(maker.domain.attributes[measure].ask, form), maker.rng),
    }
    needs: _Needs = {"measure": measure, "limit": count}
    return maker.made(operation, truth, conditions, needs, **words)


def _different(maker: _Maker, operation: Operation) -> Asked | None:
    attribute = maker.having("several")
    if attribute is None:
        return None
    conditions = _others(maker.conditions(1), attribute)
    rows = matching(maker.records, conditions)
    truth = different(rows, attribute) if len(rows) >= _FEWEST else None
    several = maker.domain.attributes[attribute].ask.several
    return maker.made(operation, truth, conditions, {"by": attribute}, several=several)


def _most_common(maker: _Maker, operation: Operation) -> Asked | None:
    attribute = maker.having("each", "several")
    if attribute is None:
        return None
    conditions = _others(maker.conditions(1), attribute)
    truth = extreme(matching(maker.records, conditions), attribute)
    each = maker.domain.attributes[attribute].ask.each
    needs: _Needs = {"by": attribute, "limit": 1}
    return maker.made(operation, truth, conditions, needs, each=each)


def _groups(maker: _Maker, operation: Operation) -> Asked | None:
    attribute, measure = maker.having("each"), maker.having("measure")
    if attribute is None or measure is None or attribute == measure:
        return None
    conditions = _others(maker.conditions(1), attribute)
    groups = by_group(matching(maker.records, conditions), attribute)
    counted = operation == "group count"
    values: Mapping[str, float] = (
        {str(name): float(len(rows)) for name, rows in groups.items()}
        if counted
        else {
            str(name): found.value
            for name, rows in groups.items()
            if (found := aggregate(rows, measure, "avg")) and found.value is not None
        }
    )
    rows = tuple({each.name: each for rows in groups.values() for each in rows}.values())
    whole = len(values) == len(groups) >= _FEWEST
    truth = Truth(groups=values, rows=rows) if whole else None
    each = maker.domain.attributes[attribute].ask.each
    needs: _Needs = {"by": attribute} if counted else {"by": attribute, "measure": measure}
    named = _measure(maker, measure)
    return maker.made(operation, truth, conditions, needs, each=each, measure=named)


def _two(maker: _Maker, operation: Operation) -> Asked | None:
    """Put two counts together: their ratio, their difference, the share of one in the other."""
    first, second = maker.conditions(1, 1), maker.conditions(1, 1)
    if first[0].attribute == second[0].attribute:
        return None
    left, right = matching(maker.records, first), matching(maker.records, second)
    if operation == "share":
        left = matching(right, first)
    if len(left) < _FEWEST or len(right) < _FEWEST or len(left) == len(right):
        return None
    more = operation == "difference"
    if more and len(left) < len(right):
        first, second, left, right = second, first, right, left
    value = len(left) - len(right) if more else len(left) / len(right)
    rows = tuple({each.name: each for each in (*left, *right)}.values())
    truth = Truth(value=float(f"{value:.12g}"), rows=rows)
    words = {"first": maker.said(first), "second": maker.said(second)}
    return maker.made(operation, truth, first, {"against": second}, **words)


def _others(conditions: Sequence[Condition], attribute: str) -> tuple[Condition, ...]:
    return tuple(each for each in conditions if each.attribute != attribute)


def _measure(maker: _Maker, attribute: str) -> str:
    return pick(maker.domain.attributes[attribute].ask.measure, maker.rng)


_FORMS: Final[Mapping[Operation, Callable[[_Maker, Operation], Asked | None]]] = {
    "count": _count, "list": _count, "avg": _aggregate, "sum": _aggregate, "min": _aggregate,
    "max": _aggregate, "median": _aggregate, "argmax": _top, "argmin": _top, "top-k": _top,
    "count distinct": _different, "most common": _most_common, "group count": _groups,
    "group avg": _groups, "ratio": _two, "difference": _two, "share": _two,
}  # fmt: skip


def matching(records: Sequence[Drawn], conditions: Sequence[Condition]) -> tuple[Drawn, ...]:
    """Return the records that satisfy all conditions."""
    return tuple(each for each in records if all(test.holds(each) for test in conditions))


def aggregate(rows: Sequence[Drawn], attribute: str, how: Aggregate) -> Truth | None:
    """Return a number over the records that state the attribute; None for fewer than two."""
    stated = [each for each in rows if each.facts[attribute] is not None]
    if len(stated) < 2:
        return None
    value = _AGGREGATES[how]([number(each.facts[attribute]) for each in stated])
    return Truth(value=float(f"{value:.12g}"), rows=tuple(stated))


def top(rows: Sequence[Drawn], attribute: str, count: int, *, highest: bool) -> Truth | None:
    """Return the names with the most extreme values in order; None where ties leave it open."""
    stated = [each for each in rows if each.facts[attribute] is not None]
    ordered = sorted(stated, key=lambda each: number(each.facts[attribute]), reverse=highest)
    values = [each.facts[attribute] for each in ordered[: count + 1]]
    if len(values) <= count or len(set(values)) < len(values):
        return None
    return Truth(names=tuple(each.name for each in ordered[:count]), rows=tuple(ordered[:count]))


def extreme(rows: Sequence[Drawn], attribute: str) -> Truth | None:
    """Return the value that most records share; None where several are as frequent."""
    groups = by_group(rows, attribute)
    ordered = sorted(groups.items(), key=lambda pair: -len(pair[1]))
    if len(ordered) < 2 or len(ordered[0][1]) == len(ordered[1][1]):
        return None
    return Truth(names=(str(ordered[0][0]),), rows=tuple(ordered[0][1]))


def different(rows: Sequence[Drawn], attribute: str) -> Truth:
    """Return how many different values are stated, and which."""
    groups = by_group(rows, attribute)
    names = tuple(sorted(map(str, groups)))
    return Truth(value=len(names), names=names, rows=tuple(rows))


def by_group(rows: Sequence[Drawn], attribute: str) -> Mapping[Hashable, list[Drawn]]:
    """Return the records by the values of an attribute, each value of a list apart."""
    groups: dict[Hashable, list[Drawn]] = defaultdict(list)
    for each in rows:
        fact = each.facts[attribute]
        for value in fact if isinstance(fact, tuple) else (fact,):
            if value is not None:
                groups[value].append(each)
    return groups


def conditions_on(
    domain: Domain,
    records: Sequence[Drawn],
    rng: np.random.Generator,
    words: np.random.Generator | None = None,
) -> list[Condition]:
    """Return one condition for each way to ask for each attribute, its bound from a record."""
    found = []
    for attribute, facet in domain.attributes.items():
        stated = [fact for each in records if (fact := each.facts[attribute]) is not None]
        for comparison, phrases in _asked(facet).items():
            if phrases and stated:
                bound = _bound(comparison, stated, rng)
                said = _said(bound, comparison, facet, words)
                text = pick(phrases, rng).format(value=said)
                found.append(Condition(attribute, comparison, bound, text))
    return found


def _asked(facet: Facet) -> dict[Comparison, tuple[str, ...]]:
    ask = facet.ask
    return {
        "more": ask.more, "less": ask.less, "equal": ask.equal, "after": ask.after,
        "before": ask.before, "is": ask.is_, "contains": ask.contains, "yes": ask.yes, "no": ask.no,
    }  # fmt: skip


def _bound(comparison: Comparison, stated: Sequence[Fact], rng: np.random.Generator) -> Fact:
    """Return a value that some record states; for an order, one from the middle half."""
    if comparison in {"yes", "no"}:
        return None
    if comparison == "contains":
        return pick([item for fact in stated if isinstance(fact, tuple) for item in fact], rng)
    if comparison in {"equal", "is"}:
        return pick(stated, rng)
    ordered = sorted(stated, key=lambda fact: (str(fact) if isinstance(fact, str) else "", fact))
    fact = ordered[int(rng.integers(len(ordered) // 4, 3 * len(ordered) // 4 + 1))]
    return str(fact)[:4] if comparison in {"after", "before"} else fact


def _said(
    bound: Fact, comparison: Comparison, facet: Facet, words: np.random.Generator | None
) -> str:
    if bound is None or comparison in {"after", "before", "contains", "is"}:
        return str(bound)
    if (facet.unit or "").startswith("/"):
        return f"{bound:g}" if isinstance(bound, float) else str(bound)
    chance = words or np.random.default_rng(0)
    return written(bound, facet, chance, varied=words is not None)
