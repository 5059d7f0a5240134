"""Aggregative questions over drawn records, with their computed answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Final, Literal, TypedDict, get_args

import numpy as np

from evals.datasets.conditions import Condition, conditions_on
from evals.datasets.domain import Domain
from evals.datasets.drawing import Drawn, pick, some
from evals.datasets.phrases import PHRASES
from evals.datasets.truths import (
    Aggregate,
    Truth,
    aggregate,
    by_group,
    different,
    extreme,
    matching,
    top,
)

__all__ = ("OPERATIONS", "Asked", "Operation", "ask_questions")

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
