"""How far reading has come, by the coverage ledger: judged, without a verdict, never read."""

from dataclasses import dataclass

from pyroaring import BitMap

from agent.state import State
from graphs.context import Context
from graphs.scope import ledger, open_conditions, within
from graphs.search.focus import mattering, pivot_of

__all__ = ("Reading",)

_CANDIDATE = "a candidate that was not read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The chunks that can matter, by how far their reading has come."""

    pivot: tuple[str, ...]
    """The conditions that matter everywhere; empty where all do."""
    where: dict[str, BitMap]
    """By condition, the chunks in which it matters."""
    relevant: BitMap
    """Judged yes on a condition where it matters."""
    judged: BitMap
    """Judged on every condition."""
    closed: BitMap
    """Sent and brought back without a verdict on some condition: failed, or unparsable twice."""
    unread: BitMap
    """Never judged: ruled out by a filter or by rank, or not reached yet."""
    reasons: dict[str, BitMap]
    """The unread by why they were not read; disjoint."""

    @classmethod
    def of(cls, state: State, context: Context, pivot: tuple[str, ...] | None = None) -> "Reading":
        """Read the ledger of the reading being answered.

        `pivot` is the one to count relevant chunks by; None is the current one.
        """
        pivot = pivot_of(state, context) if pivot is None else pivot
        where = mattering(pivot, state, context)
        book = ledger(state, context)
        texts = [condition.id for condition in open_conditions(state)]
        base = within(state, context)
        relevant, closed = BitMap(), BitMap()
        judged = base.copy()
        for each in texts:
            yes, no = book.ids(each, "yes"), book.ids(each, "no")
            relevant |= yes & where[each]
            judged &= yes | no
            closed |= book.ids(each, "failed") | book.ids(each, "unparsable")
        closed &= base
        unread = base - judged - closed
        reasons: dict[str, BitMap] = {}
        left = unread
        for step in state.history:
            ruled_out = left & BitMap().union(*(book.pruned_by(step.round, each) for each in texts))
            if ruled_out:
                reasons[f"{step.call.tool} in round {step.round}"] = ruled_out
                left = left - ruled_out
        if left:
            reasons[_CANDIDATE] = left
        return cls(
            pivot=pivot,
            where=where,
            relevant=relevant & base,
            judged=judged,
            closed=closed,
            unread=unread,
            reasons=reasons,
        )
