"""Aggregation queries: single conditions, and two or three joined by AND or OR."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from evals.aggbench.rules import Annotation, Logic, Mined, Truths, combined

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("Aggregation", "Grounds", "Query", "Wanted", "compose", "question", "records", "worded")

Aggregation = Literal["count", "list"]
_THREE: Final = 0.13
"""Share of composite queries with three conditions: 34 of 262 in the paper."""
_TRIES: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """How many queries."""

    singles: int = 40
    composites: int = 60
    """Half of them joined by AND, as far as there are any that something satisfies."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked."""

    conditions: tuple[Mined, ...]
    logic: Logic
    truths: Truths


def compose(
    chosen: Sequence[Mined], truths: Mapping[str, Truths], wanted: Wanted, rng: np.random.Generator
) -> list[Query]:
    """Return the queries: each condition alone, then composites of different answers.

    A composite is one that needs all its conditions: by AND every one takes some entity away, by
    OR every one adds some. There are fewer where the corpus does not yield so many.
    """
    singles = [Query((each,), "single", truths[each.id]) for each in chosen]
    both = _composites("AND", chosen, truths, wanted.composites // 2, rng)
    either = _composites("OR", chosen, truths, wanted.composites - len(both), rng)
    return [*singles, *both, *either]


def worded(query: Query, aggregation: Aggregation) -> str:
    """Put a query into a question."""
    said, plural = _joined(query.conditions, query.logic), query.conditions[0].plural
    if aggregation == "count":
        return f"How many {plural} {said}?"
    return f"Find all {plural} that {said}."


def _composites(
    logic: Logic,
    chosen: Sequence[Mined],
    truths: Mapping[str, Truths],
    count: int,
    rng: np.random.Generator,
) -> list[Query]:
    found: dict[frozenset[str], Query] = {}
    for _ in range(_TRIES * count if chosen else 0):
        if len(found) >= count:
            break
        made = _made(logic, _draw(chosen, rng), truths)
        if made is not None:
            found.setdefault(frozenset(each.id for each in made.conditions), made)
    return list(found.values())


def _draw(chosen: Sequence[Mined], rng: np.random.Generator) -> list[Mined]:
    """Return two or three conditions on one type of entity; nothing where there are too few."""
    count = 3 if rng.random() < _THREE else 2
    first = chosen[int(rng.integers(len(chosen)))]
    others = [each for each in chosen if each.entity_type == first.entity_type and each != first]
    if len(others) < count - 1:
        return []
    picked = rng.choice(len(others), size=count - 1, replace=False)
    return [first, *(others[int(at)] for at in picked)]


def _made(logic: Logic, drawn: Sequence[Mined], truths: Mapping[str, Truths]) -> Query | None:
    """Return the query, or None where a condition changes nothing or too much is in doubt."""
    if not drawn:
        return None
    whole = combined(logic, [truths[each.id] for each in drawn])
    for each in drawn:
        rest = combined(logic, [truths[other.id] for other in drawn if other != each])
        if rest.satisfied == whole.satisfied:
            return None
    if not whole.satisfied or len(whole.doubted) > len(whole.satisfied):
        return None
    return Query(tuple(drawn), logic, whole)


def _joined(conditions: Sequence[Mined], logic: Logic) -> str:
    """Join predicates; what they begin alike is said once where that leaves no doubt."""
    phrases = [each.phrase for each in conditions]
    kinds = {each.kind for each in conditions}
    heads = {phrase.partition("“")[0] for phrase in phrases}
    if len(heads) == 1 and "claim" not in kinds and (logic == "OR" or kinds == {"mention"}):
        head = heads.pop()
        phrases = [phrases[0], *(phrase.removeprefix(head) for phrase in phrases[1:])]
    *others, last = phrases
    return f"{', '.join(others)} {'and' if logic == 'AND' else 'or'} {last}" if others else last


class Grounds:
    """The annotations, looked up by condition and entity."""

    def __init__(self, annotations: Iterable[Annotation]) -> None:
        self._places: defaultdict[tuple[str, str], list[Annotation]] = defaultdict(list)
        for each in annotations:
            self._places[each.condition, each.entity].append(each)

    def of(self, condition: str, entities: Collection[str]) -> list[Annotation]:
        """Return the places that prove a condition of entities, in the order of the entities."""
        return [
            each
            for entity in sorted(entities)
            for each in self._places.get((condition, entity), ())
            if not each.doubted
        ]

    def documents(self, condition: str, entities: Collection[str]) -> set[str]:
        """Return the documents that speak of a condition of entities, in doubt or not."""
        return {
            each.document
            for entity in entities
            for each in self._places.get((condition, entity), ())
        }


def question(query: Query, number: int, corpus: str, grounds: Grounds) -> dict[str, "JsonValue"]:
    """Return the record of a query; the parity of its number's bits makes it a count or a list.

    That sequence (Thue-Morse) has no period, so neither form falls on one kind of condition.

    Args:
        query: what is asked.
        number: its place, from 1.
        corpus: the name of the folder it is asked over.
        grounds: what proves it.
    """
    aggregation: Aggregation = "count" if number.bit_count() % 2 else "list"
    answer = sorted(query.truths.satisfied)
    evidence = [each for part in query.conditions for each in grounds.of(part.id, answer)]
    documents = sorted({each.document for each in evidence})
    doubted = {
        document
        for part in query.conditions
        if part.documents
        for document in grounds.documents(part.id, query.truths.doubted)
    }
    return {
        "id": f"{corpus}-{number:03}",
        "corpus": corpus,
        "question": worded(query, aggregation),
        "entity_type": query.conditions[0].entity_type,
        "aggregation": aggregation,
        "conditions": [
            {"label": each.id, "text": each.phrase, **each.model_dump(mode="json", include=_KEPT)}
            for each in query.conditions
        ],
        "logic": query.logic,
        "decided_by": "; ".join(sorted({each.decided_by for each in query.conditions})),
        "answer": [*answer],
        "answer_count": len(answer),
        "gold_documents": [*documents],
        "borderline_documents": [*sorted(doubted - set(documents))],
        "gold_evidence": [_told(each) for each in evidence],
    }


_KEPT = {"kind", "rule", "decided_by"}


def _told(each: Annotation) -> dict[str, "JsonValue"]:
    return {
        "document": each.document,
        "start": each.start,
        "end": each.end,
        "text": each.quote,
        "condition": each.condition,
    }


def records(
    queries: Mapping[int, Query], corpus: str, annotations: Iterable[Annotation]
) -> list[dict[str, "JsonValue"]]:
    """Return the records of queries by their numbers."""
    grounds = Grounds(annotations)
    return [question(each, number, corpus, grounds) for number, each in queries.items()]
