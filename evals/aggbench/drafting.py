"""The conditions of a benchmark by code: each way of mining in turn, the best of each first."""

from collections.abc import Sequence
from itertools import islice

from evals.aggbench.condition import Mined, Noun
from evals.aggbench.mining import (
    Limits,
    field_candidates,
    heading_candidates,
    in_turn,
    kept,
    unlike,
)
from evals.aggbench.source import Source
from evals.aggbench.terms import term_candidates

__all__ = ("draft_conditions",)


def draft_conditions(
    sources: Sequence[Source], noun: Noun, limits: Limits, count: int
) -> list[Mined]:
    """Return at most so many conditions on documents; fields, headings and terms come in turn.

    Their truth is exact, for code decides it by the words they are asked in.
    """
    ways = (field_candidates, heading_candidates, term_candidates)
    found = (list(islice(kept(way(sources, limits), sources, noun, limits), count)) for way in ways)
    return [each.condition for each in islice(unlike(in_turn(found)), count)]
