"""Batching methods on the same cases: LC and CP of each, and of ours with parts taken away."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from pydantic import JsonValue

from agent.errors import SettingsError
from agent.policy import BatchingPart
from evals.compare.batching_cases import Case, Kind
from evals.tables import markdown
from tools.batching import METHODS, Limits, Method, batches_without, candidate_pairs, llm_calls

__all__ = ("ABLATIONS", "KINDS", "Comparison", "Score", "compare", "report", "table")

Planner = Callable[[Case, Limits], list[list[int]]]
_REFERENCE = "kmeans"
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One method's totals over all cases."""

    calls: int
    """LC: calls of the model."""
    crossing: Mapping[Kind, int]
    """Pairs of each kind that stand in two batches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All methods on the same cases."""

    limits: Limits
    questions: int
    candidates: int
    pairs: Mapping[Kind, int]
    """Pairs of each kind in all."""
    scores: Mapping[str, Score]
    unavailable: Mapping[str, str]
    """Methods that could not run, with what to install."""

    @property
    def counted(self) -> Kind:
        """Which pairs CP counts: of one entity where labels tell any, else similar ones."""
        return "entity" if self.pairs["entity"] else "similar"

    def ratio(self, method: str, kind: Kind | None = None) -> float | None:
        """Return pairs (calls, without a kind) over those of k-means; None where that has 0."""
        own, reference = (
            score.calls if kind is None else score.crossing[kind]
            for score in (self.scores[method], self.scores[_REFERENCE])
        )
        return round(own / reference, 4) if reference else None


def _without(part: BatchingPart) -> Planner:
    return lambda case, limits: batches_without(part, case.featured_by, limits)


ABLATIONS: Mapping[str, Planner] = {
    f"without_{part.replace('-', '_')}": _without(part) for part in get_args(BatchingPart)
}
"""Ours with one of the paper's four parts taken away (DFA, table 9)."""


def compare(cases: Sequence[Case], limits: Limits) -> Comparison:
    """Run every method and ablation on all cases.

    Raises:
        SettingsError: there is no case.
    """
    if not cases:
        raise SettingsError("no question has two candidates: there is nothing to batch")
    scores: dict[str, Score] = {}
    unavailable: dict[str, str] = {}
    for name, planner in _planners().items():
        try:
            scores[name] = _score([(case, planner(case, limits)) for case in cases])
        except SettingsError as error:
            unavailable[name] = str(error)
    return Comparison(
        limits=limits,
        questions=len(cases),
        candidates=sum(len(case.candidates) for case in cases),
        pairs={kind: sum(len(case.pairs[kind]) for case in cases) for kind in KINDS},
        scores=scores,
        unavailable=unavailable,
    )


def report(found: Comparison) -> dict[str, JsonValue]:
    """Return `{"methods": {name: {"LC", "CP", …}}, …}`.

    LC is the calls, CP the pairs of candidates that stand in two batches, both summed over the
    questions. `pairs` says which kind CP counts and `pairs_total` how many there are of each; every
    kind is given beside as `CP_<kind>`, and every figure as a ratio to k-means, null where k-means
    has 0.
    """
    methods: dict[str, JsonValue] = {}
    for name, score in found.scores.items():
        figures: dict[str, JsonValue] = {"LC": score.calls, "CP": score.crossing[found.counted]}
        figures["LC_ratio"] = found.ratio(name)
        figures["CP_ratio"] = found.ratio(name, found.counted)
        for kind in KINDS:
            figures[f"CP_{kind}"] = score.crossing[kind]
            figures[f"CP_{kind}_ratio"] = found.ratio(name, kind)
        methods[name] = figures
    return {
        "methods": methods,
        "unavailable": dict(found.unavailable),
        "pairs": found.counted,
        "pairs_total": {kind: found.pairs[kind] for kind in KINDS},
        "limit": found.limits.tokens,
        "questions": found.questions,
        "candidates": found.candidates,
    }


def table(found: Comparison) -> str:
    """Lay the comparison out, every figure with its ratio to k-means."""
    rows = []
    for name, score in found.scores.items():
        row = [name, str(score.calls), _shown(found.ratio(name))]
        for kind in KINDS:
            row += [str(score.crossing[kind]), _shown(found.ratio(name, kind))]
        rows.append(row)
    head = ["method", "LC", "ratio"]
    for kind in KINDS:
        head += [f"CP {kind}", "ratio"]
    told = (
        f"{found.questions} questions, {found.candidates} candidates, at most "
        f"{found.limits.tokens} tokens a batch; CP is of {found.counted} pairs; ratios to k-means"
    )
    missing = (f"{name}: {why}" for name, why in found.unavailable.items())
    return "\n\n".join([told, markdown(head, rows), *missing])


def _planners() -> dict[str, Planner]:
    return {name: _whole(method) for name, method in METHODS.items()} | dict(ABLATIONS)


def _whole(method: Method) -> Planner:
    return lambda case, limits: method(case.candidates, limits)


def _score(planned: Sequence[tuple[Case, list[list[int]]]]) -> Score:
    return Score(
        calls=sum(llm_calls(batches) for _, batches in planned),
        crossing={
            kind: sum(candidate_pairs(batches, case.pairs[kind]) for case, batches in planned)
            for kind in KINDS
        },
    )


def _shown(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.2f}"
