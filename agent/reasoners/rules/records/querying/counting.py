"""Conditions on how many rows of a kind there are."""

from typing import Final

from agent.reasoners.rules.language.words import word_set
from agent.reasoners.rules.records.querying.bounds import Limit, limit_at
from agent.reasoners.rules.records.querying.clauses import Clauses

__all__ = ("counted",)

_OWNING: Final = word_set("has have had having own owns owned")


def counted(clauses: Clauses, at: int, *, dry: bool = False) -> int | None:
    """Read `more than three orders`: a number of rows of another kind, or of a group."""
    reading = clauses.reading
    limit = limit_at(reading, at)
    mention = reading.mention_at(limit.end) if limit is not None else None
    if limit is None or mention is None or limit.dated:
        return None
    owned = reading.low(at - 1) in _OWNING
    kind = next((each for each in mention.kinds if each.strength >= mention.strength), None)
    own = kind is not None and kind.kind == clauses.base
    if kind is None or not (limit.explicit or (own and owned)):
        return None
    if not dry:
        least, most = _count_range(limit)
        clauses.add(kind.kind, at, at_least=least, at_most=most)
        clauses.focus = kind.kind
        reading.use(at, mention.end)
    return mention.end


def _count_range(limit: Limit) -> tuple[int, int | None]:
    first = int(float(limit.values[0]))
    match limit.comparator:
        case ">":
            return first + 1, None
        case ">=":
            return first, int(float(limit.values[1])) if limit.between else None
        case "<":
            return 0, first - 1
        case "<=":
            return 0, first
        case _:
            return first, first
