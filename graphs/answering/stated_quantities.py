"""The quantities that findings state."""

from collections.abc import Iterable

from agent.evidence import Finding
from graphs.scope import MEASURE
from tools.computation import Quantity

__all__ = ("stated",)


def stated(told: Iterable[Finding]) -> list[Quantity]:
    """Return the numbers of findings, one that stands in two overlapping chunks only once.

    A number beside the words that satisfy a condition goes before one that stands alone.
    """
    places = {(each.document, each.start, each.end): each for each in told}
    valued = [each for each in places.values() if each.value is not None]
    beside = [each for each in valued if each.condition != MEASURE]
    return [Quantity(each.value, each.unit) for each in beside or valued if each.value is not None]
