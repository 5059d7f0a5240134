"""Things that satisfy a question by what passages state of them, put together by code."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.interpretation import rebuilt
from agent.question import Condition, Interpretation, atoms, holds
from evals.names import normal_name
from graphs.scope import MEASURE
from tools.computation import Computed, Quantity, compute

NAMED = "named"
"""The id of the condition that a passage names such a thing, where the question has no other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """One place that states a condition of a thing."""

    name: str
    """The thing's name as the passage gives it, or the document's."""
    condition: str
    passage: int
    """The number of the passage among those read, from 1."""
    quote: str
    value: float | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Combined:
    """The things that satisfy the question, by what was read."""

    items: Mapping[str, Sequence[Stated]]
    """By name, with what was stated of each."""
    computed: Computed


def unaided(reading: Interpretation) -> Interpretation:
    """Return the reading for somebody who sees no metadata fields: reading decides everything."""
    bare = rebuilt(reading, lambda condition: condition.model_copy(update={"predicate": None}))
    measure = bare.measure and bare.measure.model_copy(update={"field": None})
    return bare.model_copy(update={"measure": measure, "entity_field": None})


def decided_by_reading(reading: Interpretation) -> tuple[Condition, ...]:
    """Return the conditions that passages are read for, the measure's own among them."""
    found = {each.id: each for each in atoms(reading.conditions)}
    if reading.measure is not None:
        found[MEASURE] = Condition(id=MEASURE, text=f"states the {reading.measure.text}")
    if not found:
        told = f"names this kind of thing: {reading.entity_type}"
        found[NAMED] = Condition(id=NAMED, text=told)
    return tuple(found.values())


def combined(
    reading: Interpretation, stated: Iterable[Stated], documents: Sequence[str]
) -> Combined:
    """Evaluate the conditions for each thing over all that was stated of it, and compute.

    `documents` are those read: where documents are counted, each may match by stating nothing.
    """
    told: dict[str, list[Stated]] = {}
    if reading.grain == "document":
        told = {name: [] for name in documents}
    spelt: dict[str, str] = {name: name for name in told}
    for each in stated:
        key = each.name if reading.grain == "document" else normal_name(each.name) or each.name
        told.setdefault(spelt.setdefault(key, each.name), []).append(each)
    matching = [name for name, found in told.items() if _satisfies(reading, found)]
    measure = reading.measure
    computed = compute(
        reading.operation,
        matching,
        {name: _quantities(told[name]) for name in matching},
        unit=measure.unit if measure else None,
        k=reading.k,
        ascending=reading.ascending,
    )
    return Combined(items={name: told[name] for name in computed.entities}, computed=computed)


def _satisfies(reading: Interpretation, found: Sequence[Stated]) -> bool:
    known = {each.condition for each in found}
    return holds(reading.conditions, lambda atom: atom.id in known)


def _quantities(found: Sequence[Stated]) -> list[Quantity]:
    """Return the numbers; one beside the words that satisfy a condition before one alone."""
    valued = [each for each in found if each.value is not None]
    beside = [each for each in valued if each.condition != MEASURE]
    return [Quantity(each.value, each.unit) for each in beside or valued if each.value is not None]
