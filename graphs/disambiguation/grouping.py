"""Which readings of a question one search serves."""

from collections.abc import Sequence

from agent.ambiguity import Reading
from agent.interpretation import together
from agent.question import Interpretation

__all__ = ("grouped", "searched_with")


def grouped(readings: Sequence[Interpretation]) -> list[list[int]]:
    """Return the numbers of the readings that one search serves, in order of their first."""
    groups: list[list[int]] = []
    for place, reading in enumerate(readings):
        for group in groups:
            if together(readings[group[0]], reading):
                group.append(place)
                break
        else:
            groups.append([place])
    return groups


def searched_with(readings: Sequence[Reading], first: int) -> tuple[Interpretation, ...]:
    """Return the readings that one search serves, from the first of them on."""
    every = [each.interpretation for each in readings if each.interpretation is not None]
    (members, *_) = [group for group in grouped(every) if group[0] == first]
    return tuple(every[each] for each in members)
