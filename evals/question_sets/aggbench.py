"""A benchmark from any folder: mined conditions, questions, evidence.

The construction follows AGGBench ("Aggregation Queries over Unstructured Text", section 4).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np
from pydantic import JsonValue

from agent.errors import SettingsError
from evals.question_sets.mining import (
    Logic,
    MinedCondition,
    Support,
    Truths,
    combined,
    mine_conditions,
)
from evals.question_sets.source_documents import (
    OutputFolder,
    Source,
    gold_evidence,
    read_sources,
)
from evals.questions import Record

Aggregation = Literal["count", "list"]
_THREE: Final = 0.13
"""Share of composite queries with three conditions: 34 of 262 in the paper."""
_TRIES: Final = 200


def build_aggbench(
    documents: Path,
    into: Path,
    say: Callable[[str], None],
    *,
    singles: int,
    composites: int,
    seed: int,
) -> dict[str, JsonValue]:
    """Build a benchmark, write it, and return its statistics.

    `singles` questions have one condition and `composites` two or three, at most; half of the
    latter are joined by AND where there are any.

    The folder gets `core/` with `core.jsonl`, `conditions.jsonl` and `statistics.json`.

    Raises SettingsError: a folder cannot be used, or no condition can be found.
    """
    folder = OutputFolder(into)
    core = read_sources(documents, say)
    conditions = mine_conditions(core, singles)
    if not conditions:
        raise SettingsError(
            f"{len(core)} documents of {str(documents)!r} yield no condition: none is "
            "satisfied often enough and not too often; give more documents"
        )
    say(f"{len(conditions)} conditions over {len(core)} documents")
    queries = compose(conditions, composites, seed)
    folder.write_lines(
        "conditions.jsonl", (each.condition.model_dump(mode="json") for each in conditions)
    )
    texts = {each.name: each.text for each in core}
    folder.write_documents("core", texts)
    questions = [_question(each, at, texts) for at, each in enumerate(queries, start=1)]
    records = folder.write_questions("core.jsonl", questions)
    statistics = _statistics(core, queries, records)
    folder.write_json("statistics.json", statistics)
    return statistics


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked."""

    parts: tuple[Support, ...]
    logic: Logic
    truths: Truths

    @property
    def conditions(self) -> tuple[MinedCondition, ...]:
        """The conditions of its parts."""
        return tuple(each.condition for each in self.parts)

    @property
    def labels(self) -> frozenset[str]:
        """The labels of its conditions."""
        return frozenset(each.label for each in self.conditions)


def compose(conditions: Sequence[Support], composites: int, seed: int) -> list[Query]:
    """Return the queries: each condition alone, then composites of different answers.

    A composite needs all its conditions: by AND each one takes some document away, by OR each one
    adds some. There are fewer where the corpus does not yield so many.
    """
    rng = np.random.default_rng(seed)
    singles = [Query((each,), "single", each.truths) for each in conditions]
    both = _composites("AND", conditions, composites // 2, rng)
    either = _composites("OR", conditions, composites - len(both), rng)
    return [*singles, *both, *either]


def _composites(
    logic: Logic,
    conditions: Sequence[Support],
    count: int,
    rng: np.random.Generator,
) -> list[Query]:
    found: dict[frozenset[str], Query] = {}
    for _ in range(_TRIES * count):
        if len(found) >= count:
            break
        size = 3 if rng.random() < _THREE else 2
        if size > len(conditions):
            continue
        places = rng.choice(len(conditions), size=size, replace=False)
        made = _composite(logic, [conditions[int(at)] for at in places])
        if made is not None:
            found.setdefault(made.labels, made)
    return list(found.values())


def _composite(logic: Logic, drawn: Sequence[Support]) -> Query | None:
    """Return the query, or None where a condition changes nothing or too much is borderline."""
    whole = combined(logic, [each.truths for each in drawn])
    for each in drawn:
        rest = combined(logic, [other.truths for other in drawn if other is not each])
        if rest.satisfied == whole.satisfied:
            return None
    if not whole.satisfied or len(whole.borderline) > len(whole.satisfied):
        return None
    return Query(tuple(drawn), logic, whole)


def worded(query: Query, aggregation: Aggregation) -> str:
    """Put a query into a question."""
    predicates = _joined(query.conditions, query.logic)
    if aggregation == "count":
        return f"How many documents {predicates}?"
    return f"Find all documents that {predicates}."


def _joined(conditions: Sequence[MinedCondition], logic: Logic) -> str:
    """Join predicates; a common beginning is said once where that leaves no doubt."""
    phrases = [each.text for each in conditions]
    kinds = {each.rule.kind for each in conditions}
    heads = {phrase.partition("“")[0] for phrase in phrases}
    if len(heads) == 1 and (logic == "OR" or kinds == {"mention"}):
        head = heads.pop()
        phrases = [phrases[0], *(phrase.removeprefix(head) for phrase in phrases[1:])]
    *others, last = phrases
    return f"{', '.join(others)} {'and' if logic == 'AND' else 'or'} {last}" if others else last


def _question(query: Query, number: int, texts: Mapping[str, str]) -> dict[str, JsonValue]:
    """Return the record of a query by its number.

    The parity of the number's bits makes a question a count or a list. That sequence (Thue-Morse)
    has no period, so neither form falls on one kind of condition.
    """
    aggregation: Aggregation = "count" if number.bit_count() % 2 else "list"
    answer = sorted(query.truths.satisfied)
    return {
        "id": f"core-{number:03}",
        "corpus": "core",
        "question": worded(query, aggregation),
        "entity_type": "document",
        "aggregation": aggregation,
        "conditions": [each.model_dump(mode="json") for each in query.conditions],
        "logic": query.logic,
        "decided_by": "; ".join(sorted({each.decided_by for each in query.conditions})),
        "answer": [*answer],
        "answer_count": len(answer),
        "gold_documents": [*answer],
        "borderline_documents": [*sorted(query.truths.borderline)],
        "gold_evidence": [
            gold_evidence(document, texts[document], start, end, condition=part.condition.label)
            for part in query.parts
            for document in answer
            for start, end in part.places.get(document, ())
        ],
    }


def _statistics(
    sources: Sequence[Source], queries: Sequence[Query], records: Iterable[Record]
) -> dict[str, JsonValue]:
    """Return the figures of the corpus with its questions (DFA, 6.2)."""
    kinds = {part.label: part.rule.kind for each in queries for part in each.conditions}
    sizes = [len(each.truths.satisfied) for each in queries]
    chunks = sum(len(each.chunks) for each in sources)
    proving = _proving(sources, records)
    return {
        "documents": len(sources),
        "chunks": chunks,
        "evidence_chunks": proving,
        "evidence_density": proving / chunks if chunks else 0.0,
        "queries": len(queries),
        "by_logic": {**Counter[str](each.logic for each in queries)},
        "by_conditions": {**Counter(str(len(each.conditions)) for each in queries)},
        "conditions_by_kind": {**Counter[str](kinds.values())},
        "answers_over_5": sum(size > 5 for size in sizes),
        "largest_answer": max(sizes, default=0),
        "mean_answer": sum(sizes) / len(sizes) if sizes else 0.0,
    }


def _proving(sources: Iterable[Source], records: Iterable[Record]) -> int:
    """Return how many chunks hold evidence."""
    spans: defaultdict[str, set[tuple[int, int]]] = defaultdict(set)
    for each in (one for record in records for one in record.gold_evidence):
        if each.start is not None and each.end is not None:
            spans[each.document].add((each.start, each.end))
    return sum(
        any(start < chunk.end and chunk.start < end for start, end in spans[source.name])
        for source in sources
        for chunk in source.chunks
    )
