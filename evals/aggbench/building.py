"""Building a benchmark: the three stages of AGGBench, then its files."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agent.errors import SettingsError
from agent.reasoner import Reasoner
from evals.aggbench.annotation import Annotation, annotate_by_rule, truths_of
from evals.aggbench.benchmark import Benchmark, write_benchmark
from evals.aggbench.claims import annotate_claims
from evals.aggbench.condition import Mined, Noun
from evals.aggbench.drafting import draft_conditions, fitting_claims
from evals.aggbench.expansion import Band, Expansion, expand, proximities
from evals.aggbench.folder import ADDED, Folder
from evals.aggbench.mining import Limits, in_turn
from evals.aggbench.proposing import propose_claims
from evals.aggbench.query import Wanted, compose
from evals.aggbench.review import review_rows, write_rows
from evals.aggbench.rule import MentionRule
from evals.aggbench.source import Source, read_sources

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("Built", "Plan", "build_benchmark")

Say = Callable[[str], None]


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
    reasoner: Reasoner | None = None
    """Proposes conditions beyond what code decides, and reads every chunk for them."""

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
            "model": self.reasoner.name if self.reasoner else None,
        }


@dataclass(frozen=True, slots=True)
class Built:
    """A benchmark, and how it was expanded."""

    benchmark: Benchmark
    expansion: Expansion | None
    statistics: dict[str, dict[str, "JsonValue"]]


def build_benchmark(plan: Plan, into: Path, say: Say) -> Built:
    """Build a benchmark and write it.

    Raises:
        SettingsError: a folder cannot be used, or no condition can be found.
        ModelError: a model could not read a chunk.
    """
    folder = Folder(into)
    folder.check_new()
    core = read_sources(plan.documents, say)
    conditions, annotations = _annotated(plan, core, say)
    if not conditions:
        raise SettingsError(
            f"{len(core)} documents of {str(plan.documents)!r} yield no condition: none is "
            "satisfied often enough and not too often; give more documents, or other limits"
        )
    say(f"{len(conditions)} conditions over {len(core)} documents")
    rng = np.random.default_rng(plan.seed)
    queries = compose(conditions, truths_of(conditions, annotations), plan.wanted, rng)
    made = Benchmark(
        core=core,
        conditions=conditions,
        annotations=annotations,
        queries=dict(enumerate(queries, start=1)),
    )
    made, expansion = _expanded(made, plan, say)
    statistics = write_benchmark(made, folder, plan.told(), expansion)
    rows = review_rows(conditions, annotations, core, np.random.default_rng(plan.seed))
    write_rows(rows, into / "review.csv")
    return Built(made, expansion, statistics)


def _annotated(
    plan: Plan, core: Sequence[Source], say: Say
) -> tuple[list[Mined], list[Annotation]]:
    """Return the conditions with where they are stated: claims and those of code in turn."""
    coded = draft_conditions(core, plan.noun, plan.limits, plan.wanted.singles)
    claims, read = _claimed(plan, core, coded, say)
    conditions = list(islice(in_turn([claims, coded]), plan.wanted.singles))
    used = {each.id for each in conditions}
    by_code = [each for each in conditions if each.rule is not None]
    return conditions, [
        *(each for each in read if each.condition in used),
        *_by_code(by_code, core),
    ]


def _claimed(
    plan: Plan, core: Sequence[Source], coded: Sequence[Mined], say: Say
) -> tuple[list[Mined], list[Annotation]]:
    if plan.reasoner is None:
        return [], []
    terms = [each.rule.term for each in coded if isinstance(each.rule, MentionRule)]
    rng = np.random.default_rng(plan.seed)
    claims = propose_claims(plan.reasoner, core, plan.noun, terms, rng)
    say(f"{len(claims)} conditions were proposed; reading every chunk for them")
    read = annotate_claims(plan.reasoner, claims, core, say)
    return fitting_claims(claims, read, len(core), plan.limits), read


def _by_code(conditions: Sequence[Mined], sources: Sequence[Source]) -> list[Annotation]:
    return [found for each in conditions for found in annotate_by_rule(each, sources)]


def _expanded(made: Benchmark, plan: Plan, say: Say) -> tuple[Benchmark, Expansion | None]:
    """Add documents; for claims the model reads every one that lies in the band."""
    if plan.expansion is None:
        return made, None
    read = read_sources(plan.expansion, say)
    candidates = [Source(ADDED + each.name, each.text) for each in read]
    say(f"measuring {len(candidates)} documents for the expansion")
    proximity = proximities(made.core, candidates)
    band = plan.band or proximity.band
    near = [each for each in candidates if band.holds(proximity.scores[each.name])]
    annotations = _by_code([each for each in made.conditions if each.rule], near)
    claims = [each for each in made.conditions if each.rule is None]
    if plan.reasoner is not None and claims:
        annotations += annotate_claims(plan.reasoner, claims, near, say)
    expansion = expand(proximity, made.conditions, annotations, band)
    added = [each for each in near if each.name in expansion.scores]
    return replace(made, added=added, generic=expansion.generic), expansion
