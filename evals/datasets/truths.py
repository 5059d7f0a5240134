"""What is true of drawn records: numbers, names and groups, computed in plain Python."""

import statistics
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from evals.datasets.conditions import Condition
from evals.datasets.drawing import Drawn, number

__all__ = ("Aggregate", "Truth", "aggregate", "by_group", "different", "extreme", "matching",
           "top")  # fmt: skip

Aggregate = Literal["sum", "avg", "min", "max", "median"]
_AGGREGATES: Final[Mapping[Aggregate, Callable[[Sequence[float]], float]]] = {
    "sum": sum,
    "avg": statistics.fmean,
    "min": min,
    "max": max,
    "median": statistics.median,
}


@dataclass(frozen=True, slots=True)
class Truth:
    """An answer: a number, names, or a number for each group; and the records behind it."""

    value: float | None = None
    names: tuple[str, ...] = ()
    groups: Mapping[str, float] | None = None
    rows: tuple[Drawn, ...] = ()


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
