"""The number that a question asks for, computed by code from what matches."""

from dataclasses import replace

from agent.question import Interpretation
from graphs.answering.matches import Matches
from graphs.search.occurrences import totals_places
from tools.computation import Computed, compute

__all__ = ("number",)


def number(reading: Interpretation, found: Matches) -> Computed:
    """Carry out a reading's operation on the entities that match it."""
    computed = compute(
        reading.operation,
        [entity.name for entity in found.entities],
        found.values,
        groups=found.groups if reading.group_by else None,
        unit=reading.measure.unit if reading.measure else None,
        k=reading.k,
        ascending=reading.ascending,
    )
    if totals_places(reading) and not found.entities:
        return replace(computed, value=0)
    return computed
