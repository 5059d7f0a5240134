"""The way from one kind to another over the schema's links."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from agent.errors import QueryError
from agent.records.record_schema import Kind, Link, Schema

__all__ = ("Hop", "kind_of", "near", "path")

_LONGEST = 4
"""Hops; a longer way connects everything with everything and means nothing."""


@dataclass(frozen=True, slots=True)
class Hop:
    """One step along a link, from a record to those that bear the same value."""

    kind: str
    attribute: str
    to_kind: str
    to_attribute: str
    to_one: bool
    """Whether at most one record is reached: the link is followed in its own direction."""


def kind_of(schema: Schema, name: str) -> Kind:
    """Return a kind; raises QueryError, naming near names, where there is none."""
    kind = schema.kind(name)
    if kind is None:
        raise QueryError(f"there is no kind {name!r}{near(name, [k.name for k in schema.kinds])}")
    return kind


def near(name: str, names: Sequence[str]) -> str:
    """Return a hint at the names that were perhaps meant, as the end of a message."""
    close = get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return f"; did you mean {' or '.join(repr(each) for each in close)}?"
    shown = ", ".join(names[:30])
    return f"; there are: {shown}" if shown else "; there are none"


def path(schema: Schema, start: str, goal: str, through: str | None = None) -> tuple[Hop, ...]:
    """Return the shortest way between two kinds.

    Of several shortest ways one with only hops to one record is preferred, then the one whose
    referring attributes are named for what they refer to (`team_id`, for kind `team`).

    Args:
        schema: with all links, inferred ones too.
        start: where the way begins.
        goal: where it ends; the kind of the start for a link of a kind with itself.
        through: the attribute that refers, which one of the hops must use; None for any.

    Raises:
        QueryError: there is no way, or there are several equally good ones.
    """
    kind_of(schema, goal)
    found = [
        way
        for way in _shortest(schema, start, goal, through)
        if through is None or _uses(way, through)
    ]
    if not found:
        raise QueryError(_no_way(schema, start, goal, through))
    ranked = sorted(found, key=_rank)
    if len(ranked) > 1 and _rank(ranked[0]) == _rank(ranked[1]):
        ways = sorted({_referring(way) for way in ranked if _rank(way) == _rank(ranked[0])})
        raise QueryError(
            f"{start!r} and {goal!r} are linked in several ways (through {' or '.join(ways)}): "
            "use a related test whose `through` names the attribute"
        )
    return ranked[0]


def _shortest(
    schema: Schema, start: str, goal: str, through: str | None
) -> Sequence[tuple[Hop, ...]]:
    """Return all ways of the least length that has one, level by level."""
    hops = [hop for link in schema.links for hop in _both_ways(schema, link)]
    level: list[tuple[Hop, ...]] = [()]
    for _ in range(_LONGEST):
        level = [(*way, hop) for way in level for hop in hops if _continues(way, hop, start, goal)]
        arrived = [way for way in level if way[-1].to_kind == goal]
        if any(through is None or _uses(way, through) for way in arrived):
            return arrived
    return ()


def _continues(way: tuple[Hop, ...], hop: Hop, start: str, goal: str) -> bool:
    here = way[-1].to_kind if way else start
    seen = {start, *(each.to_kind for each in way)} - ({goal} if start == goal else set())
    arrived = bool(way) and here == goal
    return hop.kind == here and hop.to_kind not in seen and not arrived


def _both_ways(schema: Schema, link: Link) -> Iterator[Hop]:
    attributes = (
        kind.attribute(name)
        for kind, name in (
            (schema.kind(link.kind), link.attribute),
            (schema.kind(link.to_kind), link.to_attribute),
        )
        if kind is not None
    )
    present = [each for each in attributes if each is not None]
    if len(present) < 2:
        return
    one = not present[0].many
    yield Hop(link.kind, link.attribute, link.to_kind, link.to_attribute, to_one=one)
    yield Hop(link.to_kind, link.to_attribute, link.kind, link.attribute, to_one=False)


def _rank(way: Sequence[Hop]) -> tuple[int, int]:
    """Order ways of one length, the best first."""
    named = sum(_is_named_for_target(hop) for hop in way)
    return (sum(not hop.to_one for hop in way), -named)


def _is_named_for_target(hop: Hop) -> bool:
    refers, target, key = (
        (hop.attribute, hop.to_kind, hop.to_attribute)
        if hop.to_one
        else (hop.to_attribute, hop.kind, hop.attribute)
    )
    return refers in {key, target, f"{target}_{key}"}


def _uses(way: Sequence[Hop], attribute: str) -> bool:
    return any(attribute in {hop.attribute, hop.to_attribute} for hop in way)


def _referring(way: Sequence[Hop]) -> str:
    return ", ".join(repr(hop.attribute if hop.to_one else hop.to_attribute) for hop in way)


def _no_way(schema: Schema, start: str, goal: str, through: str | None) -> str:
    if through is not None:
        return f"no link between {start!r} and {goal!r} uses the attribute {through!r}"
    linked = sorted({link.to_kind for link in schema.links if link.kind == start})
    linked += sorted({link.kind for link in schema.links if link.to_kind == start})
    return f"the records of {start!r} and {goal!r} are not linked; {start!r} is linked to: " + (
        ", ".join(dict.fromkeys(linked)) or "nothing"
    )
