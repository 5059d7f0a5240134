"""A benchmark from any folder: mined conditions, questions, evidence, unrelated documents.

It follows AGGBench ("Aggregation Queries over Unstructured Text", section 4), but code annotates
where there a model does and people verify (docs/papers.md).
"""

from collections import Counter
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
    annotate,
    combined,
    mine_conditions,
)
from evals.question_sets.source_documents import (
    OutputFolder,
    Source,
    evidence_figures,
    gold_evidence,
    read_sources,
)
from evals.questions import Record
from tools.corpus.words.lexicon import words

Aggregation = Literal["count", "list"]
_THREE: Final = 0.13
"""Share of composite queries with three conditions: 34 of 262 in the paper."""
_TRIES: Final = 200
_QUERY_WORDS: Final = 300
_CORE_QUERIES: Final = 100
_LOW_SHARE: Final = 0.1
_HIGH_SHARE: Final = 0.5
_GENERIC_SHARE: Final = 0.05


def build_aggbench(
    documents: Path,
    into: Path,
    say: Callable[[str], None],
    *,
    singles: int,
    composites: int,
    seed: int,
    expand: Path | None,
) -> dict[str, dict[str, JsonValue]]:
    """Build a benchmark, write it, and return its statistics by corpus.

    `singles` questions have one condition and `composites` two or three, at most; half of the
    latter are joined by AND where there are any. `expand` is a folder of unrelated documents.

    The folder gets `core/` with `core.jsonl`, with an expansion `expanded/` with `expanded.jsonl`.

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
    queries = dict(enumerate(compose(conditions, composites, seed), start=1))
    corpora = {"core": (core, queries)}
    if expand is not None:
        added, generic = _expanded(expand, core, conditions, say)
        corpora["expanded"] = ([*core, *added], lasting(queries, generic))
    texts = {each.name: each.text for each in core}
    statistics = {}
    for corpus, (sources, asked) in corpora.items():
        folder.write_documents(corpus, {each.name: each.text for each in sources})
        questions = [_question(each, at, corpus, texts) for at, each in asked.items()]
        records = folder.write_questions(f"{corpus}.jsonl", questions)
        statistics[corpus] = _statistics(sources, asked.values(), records)
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


def _question(
    query: Query, number: int, corpus: str, texts: Mapping[str, str]
) -> dict[str, JsonValue]:
    """Return the record of a query by its number, over the folder `corpus`.

    The parity of the number's bits makes a question a count or a list. That sequence (Thue-Morse)
    has no period, so neither form falls on one kind of condition.
    """
    aggregation: Aggregation = "count" if number.bit_count() % 2 else "list"
    answer = sorted(query.truths.satisfied)
    return {
        "id": f"{corpus}-{number:03}",
        "corpus": corpus,
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


def lasting(queries: Mapping[int, Query], generic: frozenset[str]) -> dict[int, Query]:
    """Return the queries, by number, that no generic condition is part of."""
    return {at: each for at, each in queries.items() if each.labels.isdisjoint(generic)}


def _expanded(
    folder: Path,
    core: Sequence[Source],
    conditions: Sequence[Support],
    say: Callable[[str], None],
) -> tuple[list[Source], frozenset[str]]:
    """Return the documents to add from a folder, and the generic conditions."""
    candidates = [Source(f"added/{each.name}", each.text) for each in read_sources(folder, say)]
    say(f"measuring {len(candidates)} documents for the expansion")
    scores, (low, high) = proximities(core, candidates)
    near = [each for each in candidates if low <= scores[each.name] <= high]
    if not near:
        raise SettingsError(
            f"no document of the expansion scores from {low:.1f} to {high:.1f}: choose "
            "another folder"
        )
    added, generic = expand(near, [annotate(each.condition, near) for each in conditions])
    left = sorted({each.name for each in near} - {each.name for each in added})
    say(f"left out, since a condition holds or may: {', '.join(left) or 'none'}")
    if generic:
        say(f"dropped with their questions, as generic: {', '.join(sorted(generic))}")
    return added, generic


def proximities(
    core: Sequence[Source], candidates: Sequence[Source]
) -> tuple[dict[str, float], tuple[float, float]]:
    """Return how near each candidate is to the core, by name, and the band, both ends in it.

    Near is the best BM25 score against a core document. The band is from the least near tenth of
    the candidates to where half of the core documents are as near to another core document.
    """
    from rank_bm25 import BM25Okapi

    index = BM25Okapi([words(each.text) for each in core])
    scores = {each.name: float(max(index.get_scores(_query(each)))) for each in candidates}
    within = []
    for at in range(0, len(core), max(1, len(core) // _CORE_QUERIES)):
        own = np.array(index.get_scores(_query(core[at])))
        within.append(float(np.delete(own, at).max(initial=0)))
    low = float(np.quantile(list(scores.values()), _LOW_SHARE))
    return scores, (low, max(low, float(np.quantile(within, _HIGH_SHARE))))


def _query(source: Source) -> list[str]:
    return sorted(set(words(source.text)[:_QUERY_WORDS]))


def expand(
    near: Sequence[Source], conditions: Sequence[Support]
) -> tuple[list[Source], frozenset[str]]:
    """Choose the documents to add, so that no answer changes; return also generic conditions.

    A condition that more than 5 % of those in the band satisfy, or may, is generic: its questions
    are dropped. A document that satisfies one of the others, or may, is left out. `conditions` have
    the places in those documents.
    """
    possible = {each.condition.label: each.places.keys() | each.borderline for each in conditions}
    most = _GENERIC_SHARE * len(near)
    generic = frozenset(label for label, found in possible.items() if len(found) > most)
    leaking = {name for label in possible.keys() - generic for name in possible[label]}
    return [each for each in near if each.name not in leaking], generic


def _statistics(
    sources: Sequence[Source], queries: Iterable[Query], records: Iterable[Record]
) -> dict[str, JsonValue]:
    """Return the figures of one corpus with its questions (DFA, 6.2)."""
    asked = list(queries)
    kinds = {part.label: part.rule.kind for each in asked for part in each.conditions}
    sizes = [len(each.truths.satisfied) for each in asked]
    return {
        **evidence_figures(sources, records),
        "queries": len(asked),
        "by_logic": {**Counter[str](each.logic for each in asked)},
        "by_conditions": {**Counter(str(len(each.conditions)) for each in asked)},
        "conditions_by_kind": {**Counter[str](kinds.values())},
        "answers_over_5": sum(size > 5 for size in sizes),
        "largest_answer": max(sizes, default=0),
        "mean_answer": sum(sizes) / len(sizes) if sizes else 0.0,
    }
