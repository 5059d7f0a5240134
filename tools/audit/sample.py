"""The random sample of an audit: drawn from every stratum in the same proportion, from a seed."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tools.audit.strata import Chunks, Stratum

__all__ = ("Drawn", "allocate", "draw", "least_stratum")

DRAWS_A_STRATUM = 5
"""Rounding to whole chunks then costs a stratum a tenth of its sampling fraction on average."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawn:
    """A stratum and the part of it that is to be judged."""

    stratum: Stratum
    sample: Chunks


def allocate(sizes: Sequence[int], n: int) -> tuple[int, ...]:
    """Return how many to draw from each stratum so that the smallest fraction is the largest.

    Each next draw goes to the stratum of which the smallest part is drawn, the first of equals:
    no other allocation of n draws has a larger smallest fraction. (All but a draw a stratum can be
    given out in proportion first: every allocation this good has as many.) Where n is at least the
    sum of the sizes, everything is drawn.

    >>> allocate([100, 300, 10], 41)
    (10, 30, 1)

    Raises:
        ValueError: a stratum would not be drawn from at all: nothing bounds what it holds.
    """
    if any(size < 1 for size in sizes) or len(sizes) > n:
        raise ValueError(f"{n} draws do not reach {len(sizes)} strata of {list(sizes)} chunks")
    total = sum(sizes)
    wanted = min(n, total)
    drawn = [size * max(0, wanted - len(sizes)) // total for size in sizes]
    heap = [(drawn[place] / size, place) for place, size in enumerate(sizes)]
    heapq.heapify(heap)
    for _ in range(wanted - sum(drawn)):
        _, place = heapq.heappop(heap)
        drawn[place] += 1
        if drawn[place] < sizes[place]:
            heapq.heappush(heap, (drawn[place] / sizes[place], place))
    return tuple(drawn)


def least_stratum(population: int, n: int) -> int:
    """Return the smallest stratum of which n draws from the population reach a few chunks."""
    return -(-DRAWS_A_STRATUM * population // max(1, n))


def draw(strata: Sequence[Stratum], n: int, *, seed: int, look: int) -> tuple[Drawn, ...]:
    """Draw n chunks without replacement, independently in each stratum.

    The same seed and look give the same sample. The look is part of the seed, so that what an
    earlier sample taught says nothing about which chunks a later one holds.

    Raises:
        ValueError: fewer draws than strata.
    """
    counts = allocate([len(stratum.chunks) for stratum in strata], n)
    generator = np.random.default_rng([seed, look])
    return tuple(
        Drawn(
            stratum=stratum,
            sample=np.sort(generator.choice(stratum.chunks, count, replace=False)),
        )
        for stratum, count in zip(strata, counts, strict=True)
    )
