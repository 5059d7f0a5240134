"""Names merged into entities, with every pair within an entity checked against contradiction."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tools.alignment.name import conflict, contradictory, parsed

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """One entity: the name it is shown by, and its other names."""

    name: str
    aliases: tuple[str, ...]
    """Most frequent first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Names as entities."""

    clusters: tuple[Cluster, ...]
    """By name."""
    refused: tuple[Pair, ...]
    """Pairs said to be one that were not merged: that would join names that contradict."""


def merge(
    counts: Mapping[str, int],
    sure: Iterable[Pair],
    confirmed: Iterable[Pair] = (),
    *,
    wide: bool = False,
) -> Merged:
    """Merge names into entities.

    Sure pairs go first, then those that a reasoner confirmed, the more frequent names before
    others. A pair is refused where it would put two names into one entity that contradict each
    other: A with B and B with C do not make A and C one when their numbers, legal forms or given
    names differ. The order of names and pairs changes nothing. An entity goes by its most frequent
    name, of equally frequent ones the longest, then the first in alphabetical order.

    Args:
        counts: how often each name was found.
        sure: pairs by rule.
        confirmed: pairs that a reasoner called one.
        wide: whether versions, numbers and legal forms may count as one, where confirmed.
    """
    links = [
        (number, *ordered(*pair))
        for number, pairs in enumerate((sure, confirmed))
        for pair in pairs
        if pair[0] in counts and pair[1] in counts and pair[0] != pair[1]
    ]
    direct = {(one, other) for _, one, other in links}
    sets, refused = _sets(counts), []
    for _, one, other in sorted(set(links), key=lambda link: (link[0], _rank(link[1:], counts))):
        if sets.connected(one, other):
            continue
        if _contradict(sets.subset(one), sets.subset(other), direct, wide=wide):
            refused.append((one, other))
        else:
            sets.merge(one, other)
    apart = {pair for pair in refused if not sets.connected(*pair)}
    return Merged(clusters=_clusters(sets.subsets(), counts), refused=tuple(sorted(apart)))


def groups(names: Iterable[str], pairs: Iterable[Pair]) -> list[list[str]]:
    """Return the names that pairs connect, directly or not; pairs with other names are left out.

    >>> groups(["a", "b", "c"], [("a", "c"), ("c", "d")])
    [['a', 'c'], ['b']]
    """
    sets = _sets(names)
    for one, other in pairs:
        if one in sets and other in sets:
            sets.merge(one, other)
    return sorted(map(sorted, sets.subsets()))


def _sets(names: Iterable[str]) -> Any:
    """Return each name as a set of its own, in SciPy's disjoint sets."""
    from scipy.cluster.hierarchy import DisjointSet

    return DisjointSet(names)


def ordered(one: str, other: str) -> Pair:
    """Return a pair with the smaller name first."""
    return (one, other) if one <= other else (other, one)


def _rank(pair: Pair, counts: Mapping[str, int]) -> tuple[int, int, Pair]:
    few, many = sorted((counts[pair[0]], counts[pair[1]]))
    return -few, -many, pair


def _contradict(
    left: Iterable[str], right: Iterable[str], direct: set[Pair], *, wide: bool
) -> bool:
    """Tell whether any name of one entity contradicts one of the other.

    Of a pair that was itself called one only numbers, titles and generations count.
    """
    return any(
        (contradictory if ordered(one, other) in direct else conflict)(
            parsed(one), parsed(other), wide=wide
        )
        for one in left
        for other in right
    )


def _clusters(sets: Iterable[set[str]], counts: Mapping[str, int]) -> tuple[Cluster, ...]:
    found = []
    for members in sets:
        name, *aliases = sorted(members, key=lambda each: (-counts[each], -len(each), each))
        found.append(Cluster(name=name, aliases=tuple(aliases)))
    return tuple(sorted(found, key=lambda each: (each.name.casefold(), each.name)))
