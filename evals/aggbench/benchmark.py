"""A benchmark as a whole: conditions, their annotations, the queries over core and expansion."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evals.aggbench.annotation import Annotation
from evals.aggbench.condition import Mined
from evals.aggbench.expansion import Expansion, lasting
from evals.aggbench.folder import CORE, EXPANDED, Folder
from evals.aggbench.query import Query
from evals.aggbench.question import records
from evals.aggbench.source import Source
from evals.aggbench.statistics import evidence_of, statistics

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("Benchmark", "write_benchmark", "write_questions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """What was built."""

    core: Sequence[Source]
    conditions: Sequence[Mined]
    annotations: Sequence[Annotation]
    """Of the core documents."""
    queries: Mapping[int, Query]
    """By number, which is part of the questions' ids."""
    added: Sequence[Source] = ()
    generic: Sequence[str] = ()
    """Conditions that the expansion makes unanswerable."""


def write_benchmark(
    made: Benchmark, folder: Folder, recipe: Mapping[str, "JsonValue"], expansion: Expansion | None
) -> dict[str, dict[str, "JsonValue"]]:
    """Write all files but the review; return the statistics."""
    folder.write_documents(CORE, made.core)
    if made.added:
        folder.write_documents(EXPANDED, [*made.core, *made.added])
    folder.write_lines("conditions.jsonl", _dumped(made.conditions))
    folder.write_json("recipe.json", {**recipe, "expansion": _told(expansion)})
    return write_questions(made, folder)


def write_questions(made: Benchmark, folder: Folder) -> dict[str, dict[str, "JsonValue"]]:
    """Write annotations and what follows from them; return the statistics."""
    folder.write_lines("annotations.jsonl", _dumped(made.annotations))
    told: dict[str, dict[str, JsonValue]] = {}
    corpora = {CORE: (made.core, dict(made.queries))}
    if made.added:
        corpora[EXPANDED] = ([*made.core, *made.added], lasting(made.queries, made.generic))
    for corpus, (sources, queries) in corpora.items():
        written = records(queries, corpus, made.annotations)
        folder.write_lines(f"{corpus}.jsonl", written)
        told[corpus] = statistics(sources, queries.values(), evidence_of(written))
    folder.write_json("statistics.json", {**told})
    return told


def _dumped(values: Iterable[Mined | Annotation]) -> list[dict[str, "JsonValue"]]:
    return [each.model_dump(mode="json", exclude_none=True) for each in values]


def _told(expansion: Expansion | None) -> "JsonValue":
    if expansion is None:
        return None
    return {
        "band": [expansion.band.low, expansion.band.high],
        "added": dict(expansion.scores),
        "outside": expansion.outside,
        "leaking": {name: [*found] for name, found in expansion.leaking.items()},
        "generic": [*expansion.generic],
    }
