"""Recall against the share of the corpus that was read."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evals.spans import GoldChunk

__all__ = ("LEVELS", "Curve", "curve", "found_at", "mean_points", "mean_share")

LEVELS = (0.8, 0.95, 1.0)
_GRID = tuple(step / 100 for step in range(101))


@dataclass(frozen=True, slots=True)
class Curve:
    """One question by one method."""

    found_at: tuple[float, ...]
    """The share read when each gold chunk was found, ascending; 1 for one never found."""

    def share_at(self, recall: float) -> float:
        """Return the least share read at which at least this recall is reached."""
        needed = math.ceil(recall * len(self.found_at) - 1e-9)
        return self.found_at[needed - 1] if needed else 0.0

    def recall_at(self, share: float) -> float:
        """Return the recall once this share was read."""
        return sum(each <= share + 1e-12 for each in self.found_at) / len(self.found_at)


def curve(gold: Sequence[GoldChunk], order: Sequence[int]) -> Curve:
    """Return the curve of an order in which all chunks are read; see `found_at`."""
    found = found_at(gold, order, len(order))
    return Curve((*found, *[1.0] * (len(gold) - len(found))))


def found_at(gold: Sequence[GoldChunk], order: Sequence[int], chunks: int) -> tuple[float, ...]:
    """Return the share of the corpus read when each gold chunk was found, ascending.

    A gold chunk is found once each piece of evidence in it was read: in the chunk itself, or in a
    neighbour that holds the whole piece (`GoldChunk.holders`). One never found is left out.

    Args:
        gold: the chunks that overlap the evidence.
        order: the chunks that were read, the first first.
        chunks: how many the corpus has.
    """
    place = {chunk: number for number, chunk in enumerate(order, start=1)}
    never = chunks + 1
    found = [
        max(min((place.get(one, never) for one in each), default=never) for each in chunk.holders)
        for chunk in gold
    ]
    return tuple(sorted(number / chunks for number in found if number < never))


def mean_share(curves: Sequence[Curve], recall: float) -> float:
    """Return the mean over questions of the share that a recall takes."""
    return float(np.mean([each.share_at(recall) for each in curves]))


def mean_points(curves: Sequence[Curve]) -> list[tuple[float, float]]:
    """Return share and mean recall over questions, for every hundredth of the corpus."""
    return [
        (share, round(float(np.mean([each.recall_at(share) for each in curves])), 4))
        for share in _GRID
    ]
