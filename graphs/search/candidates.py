"""Candidates: the passages that may meet conditions which nobody here can judge, by document."""

from collections.abc import Sequence
from dataclasses import dataclass

from pyroaring import BitMap

from agent.evidence import Entity, Evidence
from agent.state import State
from graphs.context import Context
from graphs.scope import open_conditions, within
from graphs.search.condition_evaluator import ConditionEvaluator
from tools.likely_passages import LikelyPassage, likely_passages

_QUOTED = 3
"""Passages of a document that are shown at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Ranked passages by document, with the words that brought them up."""

    chunks: BitMap
    entities: tuple[Entity, ...]
    """The documents, best first; the evidence is a sentence of each passage, unread."""
    told: str
    """What they are worth, in words."""


def candidates(state: State, context: Context) -> Candidates:
    """Rank the passages of the documents that code does not rule out."""
    corpus, texts = context.corpus, open_conditions(state)
    documents = ConditionEvaluator(state, context).conceivable()
    allowed = within(state, context)
    found = likely_passages(
        corpus, [" ".join((each.text, *each.counts)) for each in texts], documents, allowed
    )
    by_document: dict[int, list[LikelyPassage]] = {}
    for each in found:
        by_document.setdefault(each.document, []).append(each)
    condition = " and ".join(each.text for each in texts)
    entities = tuple(
        _entity(corpus.documents[number], told[:_QUOTED], condition)
        for number, told in by_document.items()
    )
    passages = sum(len(each.evidence) for each in entities)
    return Candidates(
        chunks=BitMap(each.chunk for each in found),
        entities=entities,
        told=(
            f"nobody has read these {passages} passages of {len(entities)} documents: a model "
            "(--model NAME) or you can tell which of them count"
        ),
    )


def _entity(name: str, told: Sequence[LikelyPassage], condition: str) -> Entity:
    return Entity(
        name=name,
        documents=(name,),
        shown={"words": tuple(dict.fromkeys(word for each in told for word in each.words))},
        evidence=tuple(
            Evidence(
                document=name,
                start=each.start,
                end=each.end,
                quote=each.quote,
                condition=condition,
            )
            for each in told
        ),
    )
