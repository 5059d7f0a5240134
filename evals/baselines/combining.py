"""Things that satisfy a question by what passages state of them, put together by code."""

from collections.abc import Iterable, Sequence

from agent.evidence import Finding
from agent.interpretation import rebuilt
from agent.question import MEASURE, Condition, Interpretation, atoms, verdict
from evals.names import normal_name
from tools.computation import Computed, Quantity, compute

NAMED = "named"
"""The id of the condition that a passage names such a thing, where the question has no other."""


def unaided(reading: Interpretation) -> Interpretation:
    """Return the reading for somebody who sees no metadata fields: reading decides everything."""
    bare = rebuilt(reading, lambda condition: condition.model_copy(update={"predicate": None}))
    measure = bare.measure and bare.measure.model_copy(update={"field": None})
    return bare.model_copy(update={"measure": measure, "entity_field": None})


def decided_by_reading(reading: Interpretation) -> tuple[Condition, ...]:
    """Return the conditions that passages are read for, the measure's own among them."""
    found = {each.id: each for each in atoms(reading.conditions)}
    if reading.measure is not None:
        found[MEASURE] = reading.measure.stated
    if not found:
        told = f"names this kind of thing: {reading.entity_type}"
        found[NAMED] = Condition(id=NAMED, text=told)
    return tuple(found.values())


def combined(
    reading: Interpretation, stated: Iterable[Finding], documents: Sequence[str]
) -> tuple[dict[str, list[Finding]], Computed]:
    """Evaluate the conditions for each thing over all that was stated of it, and compute.

    Return what was stated of each thing that satisfies the question, by name, and the outcome.
    `documents` are those read: where documents are counted, each may match by stating nothing.
    """
    whole = reading.grain == "document"
    told: dict[str, list[Finding]] = {name: [] for name in documents} if whole else {}
    spelt: dict[str, str] = {name: name for name in told}
    for each in stated:
        key = each.entity if whole else normal_name(each.entity) or each.entity
        told.setdefault(spelt.setdefault(key, each.entity), []).append(each)
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
    return {name: told[name] for name in computed.entities}, computed


def _satisfies(reading: Interpretation, found: Sequence[Finding]) -> bool:
    known = {each.condition for each in found}
    return verdict(reading.conditions, lambda atom: atom.id in known) is True


def _quantities(found: Sequence[Finding]) -> list[Quantity]:
    """Return the numbers; one beside the words that satisfy a condition before one alone."""
    valued = [each for each in found if each.value is not None]
    beside = [each for each in valued if each.condition != MEASURE]
    return [Quantity(each.value, each.unit) for each in beside or valued if each.value is not None]
