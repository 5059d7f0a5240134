"""Building a benchmark: the three stages of AGGBench, then its files."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agent.errors import SettingsError
from evals.aggbench.annotation import Annotation, annotate_by_rule, truths_of
from evals.aggbench.benchmark import Benchmark, write_benchmark
from evals.aggbench.condition import Mined, Noun
from evals.aggbench.drafting import draft_conditions
from evals.aggbench.expansion import Band, Expansion, expand, proximities
from evals.aggbench.folder import ADDED, Folder
from evals.aggbench.mining import Limits
from evals.aggbench.query import Query, Wanted, compose
from evals.aggbench.review import review_rows, write_rows
from evals.aggbench.source import Source, read_sources

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("Built", "Plan", "build_benchmark")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that a benchmark follows from."""

    documents: Path
    noun: Noun
    limits: Limits
    wanted: Wanted
    seed: int = 0
    expansion: Path | None = None
    """A folder of unrelated documents."""
    band: Band | None = None

    def told(self) -> dict[str, "JsonValue"]:
        """Return what the recipe says."""
        return {
            "noun": self.noun.model_dump(mode="json"),
            "fewest": self.limits.fewest,
            "most_share": self.limits.most_share,
            "most_doubt": self.limits.most_doubt,
            "singles": self.wanted.singles,
            "composites": self.wanted.composites,
            "seed": self.seed,
        }


@dataclass(frozen=True, slots=True)
class Built:
    """A benchmark, and how it was expanded."""

    benchmark: Benchmark
    expansion: Expansion | None
    statistics: dict[str, dict[str, "JsonValue"]]


def build_benchmark(plan: Plan, into: Path, say: Callable[[str], None]) -> Built:
    """Build a benchmark and write it.

    Raises:
        SettingsError: a folder cannot be used, or no condition can be found.
    """
    folder = Folder(into)
    folder.check_new()
    core = read_sources(plan.documents, say)
    conditions = draft_conditions(core, plan.noun, plan.limits, plan.wanted.singles)
    if not conditions:
        raise SettingsError(
            f"{len(core)} documents of {str(plan.documents)!r} yield no condition: none is "
            "satisfied often enough and not too often; give more documents, or other limits"
        )
    say(f"{len(conditions)} conditions over {len(core)} documents")
    annotations = _annotated(conditions, core)
    made = Benchmark(
        core=core,
        conditions=conditions,
        annotations=annotations,
        queries=dict(enumerate(_composed(plan, conditions, annotations), start=1)),
    )
    made, expansion = _expanded(made, plan, say)
    statistics = write_benchmark(made, folder, plan.told(), expansion)
    rows = review_rows(conditions, annotations, core, np.random.default_rng(plan.seed))
    write_rows(rows, into / "review.csv")
    return Built(made, expansion, statistics)


def _annotated(conditions: Sequence[Mined], sources: Sequence[Source]) -> list[Annotation]:
    return [found for each in conditions for found in annotate_by_rule(each, sources)]


def _composed(
    plan: Plan, conditions: Sequence[Mined], annotations: Sequence[Annotation]
) -> list[Query]:
    truths = truths_of(conditions, annotations)
    return compose(conditions, truths, plan.wanted, np.random.default_rng(plan.seed))


def _expanded(
    made: Benchmark, plan: Plan, say: Callable[[str], None]
) -> tuple[Benchmark, Expansion | None]:
    if plan.expansion is None:
        return made, None
    read = read_sources(plan.expansion, say)
    candidates = [Source(ADDED + each.name, each.text) for each in read]
    say(f"measuring {len(candidates)} documents for the expansion")
    annotations = _annotated(made.conditions, candidates)
    expansion = expand(proximities(made.core, candidates), made.conditions, annotations, plan.band)
    added = [each for each in candidates if each.name in expansion.scores]
    return replace(made, added=added, generic=expansion.generic), expansion
