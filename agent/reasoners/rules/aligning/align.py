"""Decide by rule whether two names mean the same entity; what no rule settles is left out."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import cast

from agent.reasoners.rules.aligning.align_names import Ruling, ruling
from agent.replies import AlignReply, PairReply

__all__ = ("align",)


def align(values: Mapping[str, object]) -> AlignReply:
    """Return for each pair that a rule decides whether both names are the same.

    A short form (initials, an acronym, a part) that fits several of the names shown is left out.

    Args:
        values: of the prompt `align`: entity_type, question, pairs, quotes.
    """
    pairs = cast("Sequence[tuple[str, str]]", values["pairs"])
    rulings = [ruling(*pair) for pair in pairs]
    partners = _partners(pairs, rulings)
    replies: list[PairReply] = []
    for number, (pair, found) in enumerate(zip(pairs, rulings, strict=True), start=1):
        unique = all(len(partners[name]) == 1 for name in pair if name == found.short)
        if found.same is not None and (unique or not found.same):
            replies.append(PairReply(pair=number, reason=found.reason, same=found.same))
    return AlignReply(pairs=replies)


def _partners(
    pairs: Sequence[tuple[str, str]], rulings: Sequence[Ruling]
) -> Mapping[str, set[str]]:
    """Return by name the names that it may be short for."""
    partners: dict[str, set[str]] = defaultdict(set)
    for (left, right), found in zip(pairs, rulings, strict=True):
        if found.short:
            partners[found.short].add(right if found.short == left else left)
    return partners
