"""The search methods side by side: their curves, as a table and as JSON."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from pydantic import JsonValue

from evals.compare.curves import LEVELS, Curve, curve, mean_points, mean_share
from evals.compare.search_case import Case
from evals.compare.search_feedback import headcount, plain_feedback
from evals.compare.search_orders import (
    Order,
    bm25,
    dfa,
    dfa_ranked,
    full_scan,
    fused,
    fused_question,
    lsa,
    oracle,
    random_scan,
)

__all__ = ("METHODS", "Result", "compare", "points", "report", "table")

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
