"""A query as the questions' files have it: its answer, its evidence, how it was decided."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from evals.aggbench.annotation import Annotation
from evals.aggbench.query import Aggregation, Query, worded

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("Grounds", "question", "records")


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
