"""What characterises a benchmark: corpus, queries, answers, evidence density (section 6.2)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from evals.aggbench.query import Query
from evals.aggbench.source import Source
from evals.questions import GoldEvidence, Record

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("evidence_chunks", "evidence_of", "statistics")

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
