"""Records drawn at random, the same for the same seed."""

import datetime as dt
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal, TypeVar

import numpy as np

from evals.datasets.domains import Domain, Draw, Facet

__all__ = (
    "Aggregate",
    "Drawn",
    "Fact",
    "draw_records",
    "number",
    "pick",
    "some",
)

Fact = str | int | float | bool | tuple[str, ...] | None
"""A value of one attribute, a tuple for a list attribute, None for one that is not stated."""
T = TypeVar("T")
_TRIES: Final = 1000


@dataclass(frozen=True, slots=True)
class Drawn:
    """One record."""

    name: str
    document: str
    """The name of the document that states it."""
    facts: Mapping[str, Fact]
    """In the attributes' units, shares as fractions, dates ISO."""


def number(fact: Fact) -> float:
    """Return a fact as the number it is; raise TypeError where it is none."""
    if not isinstance(fact, int | float) or isinstance(fact, bool):
        raise TypeError(f"{fact!r} is no number")
    return fact


def pick(choices: Sequence[T], rng: np.random.Generator) -> T:
    """Return one of the choices."""
    return choices[int(rng.integers(len(choices)))]


def some(choices: Sequence[T], count: int, rng: np.random.Generator) -> tuple[T, ...]:
    """Return so many different choices, in random order; all where there are fewer."""
    order = rng.permutation(len(choices))[:count]
    return tuple(choices[int(at)] for at in order)


def draw_records(
    domain: Domain, count: int, rng: np.random.Generator, *, missing: float = 0.0
) -> list[Drawn]:
    """Draw records with different names; each but a unique attribute is left out by chance.

    There are fewer records where the domain does not yield so many names.

    Args:
        domain: what is drawn.
        count: how many at most.
        rng: where chance comes from.
        missing: the chance that a record lacks an attribute.
    """
    used: dict[str, set[Fact]] = {each: set() for each in domain.attributes}
    found: dict[str, Drawn] = {}
    for _ in range(_TRIES + 20 * count):
        if len(found) == count:
            break
        facts = _facts(domain, used, rng)
        name = _name(domain, facts, rng) if facts else ""
        document = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
        if document in found or not facts:
            continue
        for attribute, facet in domain.attributes.items():
            used[attribute].add(facts[attribute])
            if not facet.unique and rng.random() < missing:
                facts[attribute] = None
        found[document] = Drawn(name, document, facts)
    return list(found.values())


def _facts(
    domain: Domain, used: Mapping[str, set[Fact]], rng: np.random.Generator
) -> dict[str, Fact]:
    """Draw each attribute; nothing where a unique value comes again."""
    facts: dict[str, Fact] = {}
    for attribute, facet in domain.attributes.items():
        fact = _fact(facet, facts, rng)
        if facet.unique and fact in used[attribute]:
            return {}
        facts[attribute] = fact
    return facts


def _name(domain: Domain, facts: Mapping[str, Fact], rng: np.random.Generator) -> str:
    parts = {part: pick(choices, rng) for part, choices in domain.names.items()}
    return parts["patterns"].format_map({**facts, **parts})


def _fact(facet: Facet, facts: Mapping[str, Fact], rng: np.random.Generator) -> Fact:
    draw = facet.draw
    match facet.type:
        case "boolean":
            return bool(rng.random() < draw.chance)
        case "date":
            return _date(draw, facts, rng)
        case "text" if facet.many:
            return some(draw.values, int(rng.integers(1, draw.most + 1)), rng)
        case "text":
            return pick(draw.values, rng)
        case _:
            number = _number(draw, rng)
            return int(number) if facet.type == "integer" else float(number)


def _number(draw: Draw, rng: np.random.Generator) -> Decimal:
    low, step = Decimal(str(draw.low)), Decimal(str(draw.step))
    steps = int((Decimal(str(draw.high)) - low) / step)
    if not draw.skewed:
        return low + step * int(rng.integers(steps + 1))
    even = rng.uniform(math.log(draw.low), math.log(draw.high))
    return low + step * min(steps, round((math.exp(even) - draw.low) / draw.step))


def _date(draw: Draw, facts: Mapping[str, Fact], rng: np.random.Generator) -> str:
    followed = facts.get(draw.follows)
    year = (
        followed
        if isinstance(followed, int)
        else int(rng.integers(int(draw.low), int(draw.high) + 1))
    )
    date = dt.date(year, 1, 1) + dt.timedelta(days=int(rng.integers(365)))
    return date.isoformat()[: {"day": 10, "month": 7, "year": 4}[draw.precision]]


Aggregate = Literal["sum", "avg", "min", "max", "median"]
