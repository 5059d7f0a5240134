"""The conditions of a benchmark: each way of finding them in turn, the best of each first."""

from collections.abc import Iterable, Sequence
from itertools import islice

from evals.aggbench.annotation import Annotation, truths_of
from evals.aggbench.condition import Mined, Noun
from evals.aggbench.mining import (
    Limits,
    Support,
    field_candidates,
    heading_candidates,
    in_turn,
    is_clear,
    kept,
    unlike,
)
from evals.aggbench.source import Source
from evals.aggbench.terms import term_candidates

__all__ = ("draft_conditions", "fitting_claims")


def draft_conditions(
    sources: Sequence[Source], noun: Noun, limits: Limits, count: int
) -> list[Mined]:
    """Return at most so many conditions on documents; fields, headings and terms come in turn.

    Their truth is exact, for code decides it by the words they are asked in.
    """
    ways = (field_candidates, heading_candidates, term_candidates)
    found = (list(islice(kept(way(sources, limits), sources, noun, limits), count)) for way in ways)
    return [each.condition for each in islice(unlike(in_turn(found)), count)]


def fitting_claims(
    claims: Sequence[Mined], annotations: Iterable[Annotation], documents: int, limits: Limits
) -> list[Mined]:
    """Return the claims that enough entities satisfy, few in doubt, and of documents not too many.

    Args:
        claims: as a model proposed them.
        annotations: of them.
        documents: how many there are.
        limits: what is enough, few and too many.
    """
    truths = truths_of(claims, annotations)
    found = []
    for each in claims:
        told = truths[each.id]
        support = Support(each, told.satisfied, told.doubted)
        whole = documents if each.documents else None
        if is_clear(support, whole, limits):
            found.append(support)
    return [each.condition for each in unlike(found)]
