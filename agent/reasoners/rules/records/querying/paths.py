"""How kinds are reached from each other along links."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from agent.records.record_schema import Link, Schema

__all__ = ("Hop", "Paths")

_LIKED = 0.9
"""What a step to a kind that the question names costs; another costs 1."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A step to a linked kind."""

    kind: str
    through: str | None
    """The attribute that refers, where two kinds are linked in several ways."""
    forward: bool
    """Whether the kind stepped from refers to the one stepped to, so that there is at most one."""


class Paths:
    """The links of a schema as a graph."""

    def __init__(self, schema: Schema) -> None:
        self._found: dict[tuple[str, str, frozenset[str]], list[Hop] | None] = {}
        self._next: dict[str, list[Hop]] = {kind.name: [] for kind in schema.kinds}
        for link in schema.links:
            if {link.kind, link.to_kind} <= self._next.keys():
                through = link.attribute if _several(schema.links, link) else None
                self._next[link.kind].append(Hop(link.to_kind, through, forward=True))
                self._next[link.to_kind].append(Hop(link.kind, through, forward=False))

    def path(self, start: str, end: str, liked: Collection[str] = ()) -> list[Hop] | None:
        """Return the shortest way, through kinds that are liked where it can; None without one."""
        key = (start, end, frozenset(liked))
        if key not in self._found:
            self._found[key] = self._search(start, end, key[2])
        return self._found[key]

    def _search(self, start: str, end: str, liked: frozenset[str]) -> list[Hop] | None:
        queue: list[tuple[float, int, str, tuple[Hop, ...]]] = [(0.0, 0, start, ())]
        seen: set[str] = set()
        count = 0
        while queue:
            cost, _, kind, hops = heappop(queue)
            if kind == end:
                return list(hops)
            if kind in seen:
                continue
            seen.add(kind)
            for hop in self._next.get(kind, ()):
                count += 1
                step = _LIKED if hop.kind in liked else 1.0
                heappush(queue, (cost + step, count, hop.kind, (*hops, hop)))
        return None

    def distance(self, start: str, end: str) -> int | None:
        """Return the number of steps; None where there is no way."""
        found = self.path(start, end)
        return None if found is None else len(found)

    def neighbours(self, kind: str) -> list[Hop]:
        """Return the steps that lead from a kind."""
        return list(self._next.get(kind, ()))


def _several(links: Sequence[Link], link: Link) -> bool:
    pair = {link.kind, link.to_kind}
    return sum({each.kind, each.to_kind} == pair for each in links) > 1
