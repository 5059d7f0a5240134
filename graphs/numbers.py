"""The number that a question asks for, computed by code from what matches."""

from agent.question import Interpretation
from graphs.entities import Matches
from tools.computation import Computed, compute

__all__ = ("number",)


def number(reading: Interpretation, found: Matches) -> Computed:
    """Carry out a reading's operation on the entities that match it."""
    return compute(
        reading.operation,
        [entity.name for entity in found.entities],
        found.values,
        groups=found.groups if reading.group_by else None,
        unit=reading.measure.unit if reading.measure else None,
        k=reading.k,
        ascending=reading.ascending,
    )
