"""Building a benchmark: the three stages of AGGBench, then its files."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from agent.errors import SettingsError
from evals.aggbench.benchmark_folder import ADDED, CORE, EXPANDED, Folder
from evals.aggbench.mining import Limits, draft_conditions
from evals.aggbench.queries import Query, Wanted, compose, records
from evals.aggbench.rules import Annotation, Mined, Noun, annotate_by_rule, truths_of
from evals.aggbench.sources import Source, read_sources
from evals.questions import GoldEvidence, Record
from evals.tables import markdown
from tools.corpus.words.tokenizer import words

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = (
    "Band",
    "Benchmark",
    "Built",
    "Expansion",
    "Plan",
    "Proximity",
    "build_benchmark",
    "evidence_chunks",
    "evidence_of",
    "expand",
    "figures_table",
    "lasting",
    "proximities",
    "statistics",
    "write_benchmark",
    "write_questions",
)

_QUERY_WORDS: Final = 300
_CORE_QUERIES: Final = 100
_LOW_SHARE: Final = 0.1
_HIGH_SHARE: Final = 0.5
_GENERIC_SHARE: Final = 0.05


@dataclass(frozen=True, slots=True)
class Band:
    """An interval of BM25 scores, both ends in it."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise SettingsError(f"the band ends at {self.high}, below its start {self.low}")

    def holds(self, score: float) -> bool:
        """Tell whether a score lies in the band."""
        return self.low <= score <= self.high


@dataclass(frozen=True, slots=True)
class Proximity:
    """How near candidates are to the core."""

    scores: Mapping[str, float]
    """Best score against a core document, by candidate."""
    band: Band
    """Unless another is given: from the least near tenth of the candidates to where half of the
    core documents are as near to another core document."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """What was added, and what could not be asked any more."""

    band: Band
    scores: Mapping[str, float]
    """Proximity of each document that was added, by name."""
    outside: int
    """Candidates outside the band."""
    leaking: Mapping[str, tuple[str, ...]]
    """Candidates of the band that were left out, with the conditions they satisfy or may."""
    generic: tuple[str, ...]
    """Conditions that too many candidates satisfy: every question with one of them is dropped."""


def proximities(core: Sequence[Source], candidates: Sequence[Source]) -> Proximity:
    """Return how near each candidate is to the core, and the band that follows."""
    from rank_bm25 import BM25Okapi

    index = BM25Okapi([words(each.text) for each in core])
    scores = {each.name: float(max(index.get_scores(_query(each)))) for each in candidates}
    within = []
    for at in range(0, len(core), max(1, len(core) // _CORE_QUERIES)):
        own = np.array(index.get_scores(_query(core[at])))
        within.append(float(np.delete(own, at).max(initial=0)))
    low = float(np.quantile(list(scores.values()), _LOW_SHARE))
    return Proximity(scores, Band(low, max(low, float(np.quantile(within, _HIGH_SHARE)))))


def expand(
    proximity: Proximity,
    conditions: Sequence[Mined],
    annotations: Sequence[Annotation],
    band: Band | None = None,
) -> Expansion:
    """Choose the documents to add, so that no answer changes.

    A condition that more than 5 % of the band's documents satisfy, or may, is generic: its
    questions are dropped. A document that satisfies one of the others, or may, is left out.

    Args:
        proximity: of the candidates.
        conditions: all that questions ask for.
        annotations: of the candidates.
        band: instead of the proximity's own.

    Raises:
        SettingsError: no candidate lies in the band.
    """
    band = band or proximity.band
    inside = {name for name, score in proximity.scores.items() if band.holds(score)}
    if not inside:
        raise SettingsError(
            f"no document of the expansion scores from {band.low:.1f} to {band.high:.1f}: choose "
            "another --band, or another folder"
        )
    satisfied = {
        each.id: {one.document for one in annotations if one.condition == each.id} & inside
        for each in conditions
    }
    most = _GENERIC_SHARE * len(inside)
    generic = {each for each, found in satisfied.items() if len(found) > most}
    leaking = {
        name: tuple(sorted(each for each in satisfied.keys() - generic if name in satisfied[each]))
        for name in sorted(inside)
    }
    return Expansion(
        band=band,
        scores={name: proximity.scores[name] for name in sorted(inside) if not leaking[name]},
        outside=len(proximity.scores) - len(inside),
        leaking={name: found for name, found in leaking.items() if found},
        generic=tuple(sorted(generic)),
    )


def lasting(queries: Mapping[int, Query], generic: Iterable[str]) -> dict[int, Query]:
    """Return the queries, by number, that no generic condition is part of."""
    dropped = set(generic)
    return {
        number: each
        for number, each in queries.items()
        if not dropped & {part.id for part in each.conditions}
    }


def _query(source: Source) -> list[str]:
    return sorted(set(words(source.text)[:_QUERY_WORDS]))


_LARGE = 5


def statistics(
    sources: Sequence[Source], queries: Iterable[Query], evidence: Iterable[GoldEvidence]
) -> dict[str, "JsonValue"]:
    """Return the figures of one corpus with its queries.

    Args:
        sources: the documents that are asked over.
        queries: what is asked.
        evidence: of all queries together.
    """
    asked = list(queries)
    chunks = sum(len(each.chunks) for each in sources)
    proving = evidence_chunks(sources, evidence)
    sizes = [len(each.truths.satisfied) for each in asked]
    return {
        "documents": len(sources),
        "chunks": chunks,
        "evidence_chunks": proving,
        "evidence_density": proving / chunks if chunks else 0.0,
        "queries": len(asked),
        "by_logic": {**Counter[str](each.logic for each in asked)},
        "by_conditions": {**Counter(str(len(each.conditions)) for each in asked)},
        "conditions_by_kind": {**_kinds(asked)},
        "answers_over_5": sum(size > _LARGE for size in sizes),
        "largest_single_answer": _largest(asked, single=True),
        "largest_composite_answer": _largest(asked, single=False),
        "mean_answer": sum(sizes) / len(sizes) if sizes else 0.0,
    }


def evidence_chunks(sources: Iterable[Source], evidence: Iterable[GoldEvidence]) -> int:
    """Return how many chunks hold evidence of at least one query."""
    spans: defaultdict[str, set[tuple[int, int]]] = defaultdict(set)
    for each in evidence:
        if each.start is not None and each.end is not None:
            spans[each.document].add((each.start, each.end))
    return sum(
        any(start < chunk.end and chunk.start < end for start, end in spans[source.name])
        for source in sources
        if source.name in spans
        for chunk in source.chunks
    )


def evidence_of(records: Iterable[Mapping[str, "JsonValue"]]) -> list[GoldEvidence]:
    """Return the evidence of all records."""
    return [each for record in records for each in Record.model_validate(record).gold_evidence]


def _kinds(queries: Iterable[Query]) -> Counter[str]:
    """Return how many different conditions of each kind are asked for."""
    found = {part.id: part.kind for each in queries for part in each.conditions}
    return Counter[str](found.values())


def _largest(queries: Iterable[Query], *, single: bool) -> int:
    sizes = (len(each.truths.satisfied) for each in queries if (each.logic == "single") == single)
    return max(sizes, default=0)


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


def build_benchmark(plan: Plan, into: Path, say: Say) -> Built:
    """Build a benchmark and write it.

    Raises:
        SettingsError: a folder cannot be used, or no condition can be found.
    """
    folder = Folder(into)
    folder.check_new()
    core = read_sources(plan.documents, say)
    conditions = draft_conditions(core, plan.noun, plan.limits, plan.wanted.singles)
    annotations = _by_code(conditions, core)
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
    return Built(made, expansion, statistics)


def _by_code(conditions: Sequence[Mined], sources: Sequence[Source]) -> list[Annotation]:
    return [found for each in conditions for found in annotate_by_rule(each, sources)]


def _expanded(made: Benchmark, plan: Plan, say: Say) -> tuple[Benchmark, Expansion | None]:
    """Add the documents that lie in the band of proximity."""
    if plan.expansion is None:
        return made, None
    read = read_sources(plan.expansion, say)
    candidates = [Source(ADDED + each.name, each.text) for each in read]
    say(f"measuring {len(candidates)} documents for the expansion")
    proximity = proximities(made.core, candidates)
    band = plan.band or proximity.band
    near = [each for each in candidates if band.holds(proximity.scores[each.name])]
    annotations = _by_code(made.conditions, near)
    expansion = expand(proximity, made.conditions, annotations, band)
    added = [each for each in near if each.name in expansion.scores]
    return replace(made, added=added, generic=expansion.generic), expansion


def figures_table(told: "Mapping[str, Mapping[str, JsonValue]]") -> str:
    """Return a row a figure and a column a corpus.

    >>> print(figures_table({"core": {"queries": 3, "by_logic": {"AND": 1}}}))
    | figure        | core |
    |:--------------|-----:|
    | queries       |    3 |
    | by_logic: AND |    1 |
    """
    columns = {name: dict(_flat(figures)) for name, figures in told.items()}
    keys = dict.fromkeys(key for column in columns.values() for key in column)
    rows = [[key, *(column.get(key, "-") for column in columns.values())] for key in keys]
    return markdown(["figure", *columns], rows)


def _flat(figures: "Mapping[str, JsonValue]") -> Iterator[tuple[str, str]]:
    for key, value in figures.items():
        if isinstance(value, Mapping):
            yield from ((f"{key}: {name}", _cell(each)) for name, each in value.items())
        else:
            yield key, _cell(value)


def _cell(value: "JsonValue") -> str:
    return f"{value:.4g}" if isinstance(value, float) else "-" if value is None else str(value)
