"""Ties at the cut of a result: what is left out although it is as great, or small, as the last."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.records.query_plan import Query
from graphs.records.at_hand import AtHand
from graphs.records.result_items import Item, items_of
from tools.records.compile import compile_plan

__all__ = ("Ties", "ties")

_LOOKED_AT = 200
"""Places behind the cut that are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ties:
    """What the limit of a result leaves out, and its order does not."""

    items: tuple[Item, ...] = ()
    """They have the value of the last item kept."""
    more: bool = False
    """Whether there may be further ones, which were not looked at."""


def ties(query: Query, items: Sequence[Item], found: AtHand) -> Ties:
    """Return what ties with the last of the first items asked for.

    Args:
        query: what was asked; only where it is ordered and limited can anything tie.
        items: what it came to, in order.
        found: the records that it was asked of.

    Raises:
        QueryError: looking further takes too long.
    """
    cut = query.limit is not None and query.order is not None and len(items) == query.limit
    if not cut or query.limit is None or items[-1].value is None:
        return Ties()
    longer = query.model_copy(update={"limit": query.limit + _LOOKED_AT})
    statement = compile_plan(longer, found.tables.schema)
    behind = items_of(longer, statement, found.select(statement), found)[len(items) :]
    same = tuple(each for each in behind if each.value == items[-1].value)
    return Ties(items=same, more=len(same) == _LOOKED_AT)
