"""The search methods side by side: their curves, as a table and as JSON."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from pydantic import JsonValue

from evals.compare.search_case import Case
from evals.compare.search_methods import (
    Order,
    bm25,
    dfa,
    dfa_ranked,
    full_scan,
    fused,
    fused_question,
    headcount,
    lsa,
    oracle,
    plain_feedback,
    random_scan,
)
from evals.spans import GoldChunk

__all__ = (
    "LEVELS",
    "METHODS",
    "Curve",
    "Result",
    "compare",
    "curve",
    "found_at",
    "mean_points",
    "mean_share",
    "points",
    "report",
    "table",
)

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


METHODS: Mapping[str, Order] = {
    "full_scan": full_scan,
    "random": random_scan,
    "bm25": bm25,
    "lsa": lsa,
    "fused": fused,
    "fused_question": fused_question,
    "dfa": dfa,
    "dfa_ranked": dfa_ranked,
    "plain_feedback": plain_feedback,
    "headcount": headcount,
    "oracle": oracle,
}


@dataclass(frozen=True, slots=True)
class Result:
    """One question by every method."""

    id: str
    conditions: int
    curves: Mapping[str, Curve]


def compare(
    cases: Iterable[Case],
    say: Callable[[str], None],
    methods: Mapping[str, Order] = METHODS,
) -> list[Result]:
    """Search for each question's gold chunks by every method, telling each question's outcome."""
    results = []
    for case in cases:
        curves = {name: curve(case.gold, order(case)) for name, order in methods.items()}
        results.append(Result(case.record.id, len(case.sought), curves))
        told = ", ".join(f"{name} {each.share_at(0.95):.3f}" for name, each in curves.items())
        say(f"{case.record.id}: {told}")
    return results


def report(results: Sequence[Result]) -> dict[str, JsonValue]:
    """Return the shares and the mean curve of each method, averaged over questions."""
    told = {name: _told(curves) for name, curves in _by_method(results).items()}
    return {"questions": len(results), "curves": told}


def _told(curves: Sequence[Curve]) -> JsonValue:
    shares = {f"share_at_{level * 100:.0f}": mean_share(curves, level) for level in LEVELS}
    return {**shares, "points": [list(point) for point in mean_points(curves)]}


def points(results: Sequence[Result]) -> dict[str, list[tuple[float, float]]]:
    """Return the mean curve of each method: share read, recall."""
    return {name: mean_points(curves) for name, curves in _by_method(results).items()}


def table(results: Sequence[Result]) -> str:
    """Return a line for each method: share read at each recall, and the 0.95 one by parts.

    The parts are the questions of odd and of even number, those with one condition, those with
    several, and the median question.
    """
    heads = ("80 %", "95 %", "100 %", "odd", "even", "one", "more", "median")
    lines = ["share of the corpus read, to reach recall:", _row("", heads)]
    parts = _parts(results)
    for name, curves in _by_method(results).items():
        shares = [f"{mean_share(curves, level):.3f}" for level in LEVELS]
        for part in parts:
            taken = [each.curves[name] for each in part]
            shares.append(f"{mean_share(taken, 0.95):.3f}" if taken else "-")
        shares.append(f"{median(each.share_at(0.95) for each in curves):.3f}")
        lines.append(_row(name, shares))
    return "\n".join(lines)


def _parts(results: Sequence[Result]) -> tuple[Sequence[Result], ...]:
    one = [each for each in results if each.conditions == 1]
    return results[::2], results[1::2], one, [each for each in results if each.conditions > 1]


def _by_method(results: Sequence[Result]) -> dict[str, list[Curve]]:
    names = results[0].curves if results else ()
    return {name: [each.curves[name] for each in results] for name in names}


def _row(name: str, cells: Sequence[str]) -> str:
    return f"{name:<15}" + "".join(f"{cell:>8}" for cell in cells)
