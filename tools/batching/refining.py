"""Making a plan better: dissolve batches that others have room for, then move and swap chunks.

The greedy pass places whole clusters once and never looks back. Here single chunks go where their
nearest are, so that fewer chunks that belong together stand in different batches; the number of
batches never grows.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tools.batching.affinity import Affinity
from tools.batching.limits import Limits

__all__ = ("refine",)

_ROUNDS = 6
_TARGETS = 4
_LEAST = 1e-9


def refine(
    batches: Sequence[Sequence[int]],
    graph: Affinity,
    costs: NDArray[np.int64],
    limits: Limits,
    *,
    rounds: int = _ROUNDS,
) -> list[list[int]]:
    """Return a plan of at most as many batches, with at least as much affinity within them.

    A batch all of whose chunks fit into the others is dissolved first: a call saved is worth more
    than what its chunks had in common. Then every chunk in turn, the least settled first, is moved
    into, or swapped with a chunk of, one of the four batches that its neighbours are most in,
    whichever gains most, until a round changes nothing. Each step raises the total, so it ends.

    Args:
        batches: every candidate once, as places in `graph`.
        graph: what belongs together, (n,).
        costs: what each candidate takes of the limit, (n,).
        limits: what a batch may hold; a batch of one chunk may be above it, and stays as it is.
        rounds: at most so many times through all chunks.
    """
    plan = _Plan(batches, graph, costs, limits)
    plan.dissolve()
    for _ in range(rounds):
        if not plan.round():
            break
    return [sorted(members) for members in plan.members if members]


class _Plan:
    """Batches of candidates under change."""

    def __init__(
        self,
        batches: Sequence[Sequence[int]],
        graph: Affinity,
        costs: NDArray[np.int64],
        limits: Limits,
    ) -> None:
        self.members = [set(batch) for batch in batches if batch]
        self._graph = graph
        self._costs = costs
        self._limits = limits
        self._batch = np.zeros(len(graph), dtype=np.int64)
        for number, batch in enumerate(self.members):
            self._batch[list(batch)] = number
        self._used = np.bincount(self._batch, weights=costs, minlength=len(self.members))
        self._own = np.array([self._within(place) for place in range(len(graph))])
        self._scratch = np.zeros(len(graph))
        self._edges: dict[int, tuple[NDArray[np.int32], NDArray[np.float64]]] = {}
        self._moves = 0
        self._changed = np.zeros(len(self.members), dtype=np.int64)
        self._tried: dict[int, tuple[tuple[int, ...], int]] = {}

    def dissolve(self) -> None:
        """Empty the batches whose chunks all fit elsewhere, the least full first."""
        for batch in np.argsort(self._used, kind="stable"):
            for place, target in self._elsewhere(int(batch)):
                self._move(place, target)

    def round(self) -> bool:
        """Give every chunk a chance to move; tell whether one did."""
        order = np.argsort(self._own, kind="stable")
        return sum(self._settle(int(place)) for place in order) > 0

    def _elsewhere(self, batch: int) -> list[tuple[int, int]]:
        """Return a new batch for each chunk of a batch, largest first; none unless all fit."""
        used = self._used.copy()
        counts = np.array([len(each) for each in self.members])
        most = np.inf if self._limits.passages is None else self._limits.passages
        moves: list[tuple[int, int]] = []
        for place in sorted(self.members[batch], key=lambda each: (-self._costs[each], each)):
            fits = (used + self._costs[place] <= self._limits.tokens) & (counts < most)
            fits &= counts > 0
            fits[batch] = False
            if not fits.any():
                return []
            near, weights = self._graph.row(place)
            sums = np.bincount(self._batch[near], weights=weights, minlength=len(used))
            score = np.where(fits, sums + used / self._limits.tokens * _LEAST, -1)
            target = int(np.argmax(score))
            used[target] += self._costs[place]
            counts[target] += 1
            moves.append((place, target))
        return moves

    def _settle(self, place: int) -> bool:
        """Make the best move or swap of a chunk, if one gains."""
        towards = self._towards(place)
        known = tuple(batch for batch, _ in towards)
        if self._is_settled(place, known):
            return False
        self._tried[place] = known, self._moves
        best, target, partner = _LEAST, -1, -1
        for batch, likeness in towards:
            other, gain = -1, likeness
            if not self._has_room(place, batch):
                other, gain = self._partner(place, batch, likeness)
            if gain > best:
                best, target, partner = gain, batch, other
        if target < 0:
            return False
        if partner >= 0:
            self._move(partner, int(self._batch[place]))
        self._move(place, target)
        return True

    def _towards(self, place: int) -> list[tuple[int, float]]:
        """Return the batches that a chunk's neighbours are most in, with what it gains in each."""
        near, weights = self._graph.row(place)
        sums = np.bincount(self._batch[near], weights=weights)
        found = np.flatnonzero(sums - self._own[place] > _LEAST)
        likest = found[np.argsort(-sums[found], kind="stable")[:_TARGETS]]
        gains = sums[likest] - self._own[place]
        return list(zip(likest.tolist(), gains.tolist(), strict=True))

    def _is_settled(self, place: int, towards: tuple[int, ...]) -> bool:
        """Tell whether the same batches are as they were when none of them gained, and its own."""
        if not towards:
            return True
        known, moves = self._tried.get(place, ((), 0))
        if known != towards:
            return False
        return all(self._changed[each] <= moves for each in (*towards, self._batch[place]))

    def _has_room(self, place: int, batch: int) -> bool:
        used = float(self._used[batch] + self._costs[place])
        return self._limits.hold(used, len(self.members[batch]) + 1)

    def _partner(self, place: int, batch: int, gain: float) -> tuple[int, float]:
        """Return the chunk of a batch to swap with and what both gain; a gain of 0 is none."""
        here = int(self._batch[place])
        others = np.array(sorted(self.members[batch]))
        more = self._costs[place] - self._costs[others]
        fits = (self._used[batch] + more <= self._limits.tokens) & (
            self._used[here] - more <= self._limits.tokens
        )
        others = others[fits]
        if not len(others):
            return -1, 0.0
        gains = gain + self._toward(here, others) - self._own[others]
        gains -= 2 * self._between(place, others)
        at = int(np.argmax(gains))
        return int(others[at]), float(gains[at])

    def _toward(self, batch: int, places: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the affinity of chunks with all of a batch."""
        if batch not in self._edges:
            rows = [self._graph.row(member) for member in self.members[batch]]
            near, weights = (np.concatenate(each) for each in zip(*rows, strict=True))
            self._edges[batch] = near, weights
        near, weights = self._edges[batch]
        np.add.at(self._scratch, near, weights)
        sums = self._scratch[places]
        self._scratch[near] = 0
        return sums

    def _between(self, place: int, others: NDArray[np.int64]) -> NDArray[np.float64]:
        near, weights = self._graph.row(place)
        self._scratch[near] = weights
        found = self._scratch[others]
        self._scratch[near] = 0
        return found

    def _within(self, place: int) -> float:
        near, weights = self._graph.row(place)
        return float(weights[self._batch[near] == self._batch[place]].sum())

    def _move(self, place: int, target: int) -> None:
        source = int(self._batch[place])
        near, weights = self._graph.row(place)
        there = self._batch[near]
        self._own[near[there == source]] -= weights[there == source]
        self._own[near[there == target]] += weights[there == target]
        self._batch[place] = target
        self._own[place] = weights[there == target].sum()
        self.members[source].discard(place)
        self.members[target].add(place)
        self._used[source] -= self._costs[place]
        self._used[target] += self._costs[place]
        self._moves += 1
        for batch in (source, target):
            self._changed[batch] = self._moves
            self._edges.pop(batch, None)
