"""Chunks that were never judged, in strata: by why they were not, and by a ranking's score."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ("Chunks", "Stratum", "stratify")

Chunks = NDArray[np.int64]
"""Chunk numbers, ascending."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stratum:
    """A part of the population that is sampled on its own."""

    reasons: tuple[str, ...]
    """Why its chunks were not judged; several where each alone was too small."""
    band: int
    """0 holds the best scores of these reasons."""
    bands: int
    """How many bands these reasons have."""
    chunks: Chunks

    @property
    def name(self) -> str:
        """The reasons, with the band where there are several."""
        told = " + ".join(self.reasons)
        return told if self.bands == 1 else f"{told}, score band {self.band + 1} of {self.bands}"


def stratify(
    reasons: Mapping[str, Sequence[int] | NDArray[np.integer[Any]]],
    scores: NDArray[np.floating[Any]],
    *,
    bands: int = 4,
    least: int = 1,
) -> tuple[Stratum, ...]:
    """Part the chunks that were never judged.

    Args:
        reasons: the chunks by why they were not judged; disjoint.
        scores: a ranking's score of every chunk of the corpus, (N,); higher is likelier relevant.
        bands: into how many bands of equal size, by score, the chunks of a reason are parted.
        least: the smallest stratum worth having. A reason with fewer chunks is put together with
            the others that have, in one stratum; larger ones get fewer bands.

    Returns:
        Strata in the order of the reasons, best band first; empty ones are left out. Only one that
        was put together can be smaller than `least`.

    Raises:
        ValueError: a chunk has two reasons.
    """
    sets = {name: np.unique(np.asarray(ids, dtype=np.int64)) for name, ids in reasons.items()}
    everything = np.concatenate([*sets.values(), np.zeros(0, np.int64)])
    if len(np.unique(everything)) < len(everything):
        raise ValueError("a chunk has two reasons for not being judged")
    large = {name: ids for name, ids in sets.items() if len(ids) >= max(1, least)}
    small = {name: ids for name, ids in sets.items() if 0 < len(ids) < least}
    found = [
        each for name, ids in large.items() for each in _banded((name,), ids, scores, bands, least)
    ]
    if small:
        found += _banded(tuple(small), np.concatenate(list(small.values())), scores, bands, least)
    return tuple(found)


def _banded(
    reasons: tuple[str, ...],
    ids: Chunks,
    scores: NDArray[np.floating[Any]],
    bands: int,
    least: int,
) -> Iterator[Stratum]:
    count = max(1, min(bands, len(ids) // max(1, least)))
    ordered = ids[np.lexsort((ids, -scores[ids]))]
    for band, members in enumerate(np.array_split(ordered, count)):
        yield Stratum(reasons=reasons, band=band, bands=count, chunks=np.sort(members))
