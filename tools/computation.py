"""From judged entities to a number: by code over typed values, never by a model."""

import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from agent.question import Operation
from agent.units import converted, parse_unit
from agent.value import counted

Number = float | int

_LARGEST = 1e100
"""What no document means: sums of less than that are finite."""


def _sum(values: Sequence[float]) -> float:
    """Add up, whole numbers exactly."""
    return sum(values) if all(isinstance(each, int) for each in values) else math.fsum(values)


REDUCE: Mapping[str, Callable[[Sequence[Any]], Any]] = {
    "sum": _sum,
    "avg": lambda values: _sum(values) / len(values),
    "min": min,
    "max": max,
    "median": statistics.median,
    "variance": statistics.variance,
    "stdev": statistics.stdev,
    **dict.fromkeys(("count", "list", "group_by"), len),
}
"""What becomes of several values: numbers; of min and max whatever has an order."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as a text or a field states it."""

    value: float
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """What a person is told of some entities."""

    entities: tuple[str, ...]
    what: str
    """In what they are remarkable: `without a usable value`."""
    doubtful: bool = False
    """Whether the result could be another for it."""

    def of(self, noun: str) -> str:
        """Say it of entities that are called by a noun in the singular; the first three are named.

        >>> Remark(("x",), "without a usable value").of("visit")
        "1 visit without a usable value: 'x'"
        """
        named = ", ".join(repr(name) for name in self.entities[:3])
        more = f" and {len(self.entities) - 3} more" if len(self.entities) > 3 else ""
        return f"{counted(len(self.entities), noun)} {self.what}: {named}{more}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """The outcome of an operation."""

    value: Number | dict[str, Number] | None
    """The number; for count, list and top_k how many entities; by groups a number per group, the
    largest first; None where no entity has a value."""
    entities: tuple[str, ...]
    """The entities that enter it, for top_k in their order; for the rest in the order given."""
    values: Mapping[str, Number]
    """The value taken for each entity that has one."""
    unit: str | None = None
    remarks: tuple[Remark, ...] = ()


def compute(
    operation: Operation,
    entities: Sequence[str],
    values: Mapping[str, Sequence[Quantity]] | None = None,
    *,
    groups: Mapping[str, Collection[str]] | None = None,
    unit: str | None = None,
    k: int | None = None,
    ascending: bool = False,
) -> Computed:
    """Carry out an operation over entities.

    Entities without a value are left out of sum, avg, min, max, median and top_k, and a remark
    names them. With `groups` there is one result for each, and group_by counts; an entity in
    several groups counts in each. top_k takes no notice of groups.

    `values` are in the order of the documents. The unit is the one stated most often unless it is
    given; top_k has `k` items and all that are tied with the last of them, and so have groups.
    """
    if operation == "group_by" or (groups is not None and operation in ("count", "list")):
        value = _by_group(operation, ((each, 1) for each in entities), groups or {})
        told = _ungrouped(entities, groups or {})
        every = Computed(value=value, entities=tuple(entities), values={}, remarks=told)
        return _first(every, k, ascending=ascending)
    if operation in ("count", "list"):
        return Computed(value=len(entities), entities=tuple(entities), values={})
    settled, unit, remarks = _settled(entities, values or {}, unit)
    if operation == "top_k":
        top = _top(settled, unit, remarks, k=k, ascending=ascending)
        return replace(top, value=None) if entities and not settled else top
    if groups is not None:
        value = _by_group(operation, settled.items(), groups)
        remarks += _ungrouped(settled, groups)
    one = _tidy(REDUCE[operation](list(settled.values()))) if settled else None
    reduced = Computed(
        value=one if groups is None else value or None,
        entities=tuple(settled),
        values=settled,
        unit=unit,
        remarks=remarks,
    )
    return _first(reduced, k, ascending=ascending)


def added(quantities: Sequence[Quantity]) -> list[Quantity]:
    """Add up what can be brought to the unit stated most often; what cannot is left beside it.

    >>> added([Quantity(2, "hours"), Quantity(30, "min"), Quantity(1, "hours")])
    [Quantity(value=3.5, unit='hours')]
    """
    unit = _usual_unit([quantities])
    read = [(_in_unit(each, unit), each) for each in quantities]
    usable = [value for value, _ in read if value is not None]
    total = [Quantity(_tidy(_sum(usable)), unit)] if usable else []
    return [*total, *(each for value, each in read if value is None)]


def _settled(
    entities: Sequence[str], values: Mapping[str, Sequence[Quantity]], unit: str | None
) -> tuple[dict[str, Number], str | None, tuple[Remark, ...]]:
    """Settle every entity's value in one unit; what is of another unit is left out and named.

    Of several values the most frequent counts, of equally frequent ones the first.
    """
    stated = {
        entity: [each for each in values.get(entity, ()) if abs(each.value) < _LARGEST]
        for entity in entities
    }
    unit = unit or _usual_unit(stated.values())
    settled: dict[str, Number] = {}
    disputed: list[str] = []
    foreign: list[str] = []
    for entity, quantities in stated.items():
        read = [_in_unit(each, unit) for each in quantities]
        usable = [each for each in read if each is not None]
        if len(usable) < len(quantities):
            foreign.append(entity)
        if usable:
            counts = Counter(usable)
            settled[entity] = _tidy(counts.most_common(1)[0][0])
            if len(counts) > 1:
                disputed.append(entity)
    valueless = [each for each in entities if each not in settled]
    told = (
        *_remark(disputed, "with several values, of which the most frequent was taken"),
        *_remark(foreign, f"with values in another unit than {unit!r}, which were left out"),
        *_remark(valueless, "without a usable value"),
    )
    told = tuple(replace(each, doubtful=True) for each in told)
    return settled, unit, told


def _top(
    settled: Mapping[str, Number],
    unit: str | None,
    remarks: tuple[Remark, ...],
    *,
    k: int | None,
    ascending: bool,
) -> Computed:
    ranked = sorted(settled, key=lambda name: (settled[name] * (1 if ascending else -1), name))
    chosen = ranked[:k]
    tied = [each for each in ranked[len(chosen) :] if settled[each] == settled[chosen[-1]]]
    if tied:
        alike = [each for each in ranked if settled[each] == settled[chosen[-1]]]
        told = f"tied at place {len(chosen)} and all given"
        chosen, remarks = [*chosen, *tied], (*remarks, *_remark(alike, told))
    return Computed(
        value=len(chosen),
        entities=tuple(chosen),
        values={name: settled[name] for name in chosen},
        unit=unit,
        remarks=remarks,
    )


def _by_group(
    operation: Operation,
    values: Iterable[tuple[str, Number]],
    groups: Mapping[str, Collection[str]],
) -> dict[str, Number]:
    """Reduce the values of each group by itself; the largest comes first."""
    members: dict[str, list[float]] = defaultdict(list)
    for entity, value in values:
        for label in set(groups.get(entity, ())):
            members[label].append(value)
    results = {label: _tidy(REDUCE[operation](own)) for label, own in members.items()}
    return dict(sorted(results.items(), key=lambda item: (-item[1], item[0])))


def _first(computed: Computed, k: int | None, *, ascending: bool) -> Computed:
    """Keep the first groups, and all that are tied with the last of them; all without `k`."""
    if k is None or not isinstance(computed.value, dict):
        return computed
    sign = 1 if ascending else -1
    ranked = sorted(computed.value.items(), key=lambda each: (sign * each[1], each[0]))
    kept = {name: number for name, number in ranked if number in [n for _, n in ranked[:k]]}
    return replace(computed, value=kept)


def _usual_unit(stated: Iterable[Sequence[Quantity]]) -> str | None:
    """Return the unit stated most often, in its most frequent spelling."""
    units = Counter(each.unit for quantities in stated for each in quantities if each.unit)
    totals = Counter[str]()
    for unit, count in units.items():
        totals[_bare(unit)] += count
    ranked = sorted(units, key=lambda unit: (-totals[_bare(unit)], -units[unit], unit))
    return ranked[0] if ranked else None


def _in_unit(stated: Quantity, wanted: str | None) -> float | None:
    """Return a quantity as a number of the wanted unit; None where it measures something else."""
    if not stated.unit or not wanted or _bare(stated.unit) == _bare(wanted):
        return stated.value
    written, into = stated.unit.strip(" ."), wanted.strip(" .")
    if not (_measures(written) and _measures(into)):
        return None
    told = converted(Decimal(str(stated.value)), written, into)
    return None if isinstance(told, str) else float(told)


def _measures(unit: str) -> bool:
    """Tell whether a word is a unit of measurement, not a thing that is counted."""
    known = parse_unit(unit)
    return known is not None and bool(known.measures) and not known.counted


def _bare(unit: str) -> str:
    return unit.casefold().strip(" .").removesuffix("s")


def _tidy(value: float) -> Number:
    """Return a whole number as an int."""
    return int(value) if math.isfinite(value) and value == int(value) else value


def _ungrouped(
    entities: Iterable[str], groups: Mapping[str, Collection[str]]
) -> tuple[Remark, ...]:
    alone = [each for each in entities if not groups.get(each)]
    return _remark(alone, "in no group")


def _remark(entities: Sequence[str], what: str) -> tuple[Remark, ...]:
    return (Remark(tuple(entities), what),) if entities else ()
