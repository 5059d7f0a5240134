"""How many pass where some names may mean the same thing."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

__all__ = ("between",)

_Told = TypeVar("_Told")


def between(
    told: Mapping[str, Sequence[_Told]],
    together: Iterable[Sequence[str]],
    verdict: Callable[[Sequence[_Told]], bool | None],
) -> tuple[int, int]:
    """Return how few and how many pass, whichever of the doubtful names are one.

    Args:
        told: what is known of each name: the documents that have it, or the findings about it.
        together: the names in groups of which each may be one.
        verdict: tells of what is known whether it passes; None where that is open.

    >>> between({"a": [1], "b": [2], "c": []}, [["a", "b"], ["c"]], bool)
    (1, 2)
    """
    fewest = most = 0
    for members in together:
        apart = [verdict(told[name]) for name in members]
        as_one = verdict([each for name in members for each in told[name]])
        fewest += True in apart and as_one is True
        most += max(sum(each is not False for each in apart), int(as_one is not False))
    return fewest, most
