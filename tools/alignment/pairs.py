"""Pairs of names that are one by rule, and pairs that a reader has to decide."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import TypeVar

from agent.question import MergeRule
from tools.alignment.acronyms import acronym_of
from tools.alignment.blocking import Embed
from tools.alignment.clusters import Pair, groups, ordered
from tools.alignment.likeness import conflict, contradictory
from tools.alignment.name import Name, parsed
from tools.alignment.search import Search
from tools.alignment.spelling import single_spaced
from tools.alignment.stated import stated_aliases

__all__ = ("Blocks", "candidate_pairs")

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """Pairs of names worth comparing; in a pair the smaller name comes first."""

    sure: tuple[Pair, ...]
    """One entity by rule."""
    grey: tuple[Pair, ...]
    """To be decided by a reasoner; pairs that share names stand together."""
    compared: int = 0
    """How many pairs were looked at."""
    left_out: int = 0
    """How many grey pairs were one too many for both their names."""


def candidate_pairs(
    names: Iterable[str],
    *,
    rule: MergeRule = "alias",
    quotes: Iterable[str] = (),
    embed: Embed | None = None,
) -> Blocks:
    """Return the pairs of names that are one entity, and those that may be.

    Sure: equal but for case, marks, accents, spaces, title, `Last, First` and a legal form that
    only one has; initials of at least two given names that fit one name only; an acronym or another
    name where a name or a quote gives it. Grey: acronyms and initials without such evidence, parts,
    abbreviations, slips of the pen, differing legal forms. Neither: names whose numbers, versions,
    generations or titles differ, or that both have a word of their own.

    Args:
        names: the mentions, repeats allowed.
        rule: how C2, the question of when two mentions are one, was answered; within one document
            names are compared as under `alias`.
        quotes: texts that may give one name for another.
        embed: the corpus's embedder, which finds names that share no letters.
    """
    distinct = sorted(set(names))
    if rule == "exact":
        return Blocks(sure=_chained(_grouped(distinct, single_spaced).values()), grey=())
    forms = {name: parsed(name) for name in distinct}
    said, hinted = _stated(forms, quotes)
    sure = {*_same_form(forms), *said}
    search = Search(forms, groups(distinct, sure), wide=rule == "wide")
    search.hint(hinted)
    search.compare(embed)
    return Blocks(
        sure=tuple(sorted(sure | search.sure | search.unique_initials())),
        grey=search.grey(),
        compared=search.compared,
        left_out=search.left_out,
    )


def _same_form(forms: Mapping[str, Name]) -> Iterator[Pair]:
    """Pair names of equal words; one without legal form or title joins none of several."""
    yield from _chained(_grouped(forms, lambda name: forms[name].every).values())
    shared: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, form in forms.items():
        for key in {form.words, form.spelt_out, form.inverted} - {()}:
            shared[(*key, "|", *form.numbers, form.generation)].append(name)
    for members in shared.values():
        legal = {forms[name].legal for name in members} - {()}
        titles = {forms[name].title for name in members} - {""}
        alike: dict[object, list[str]] = defaultdict(list)
        for name in members:
            legal_form = forms[name].legal if len(legal) > 1 else ()
            alike[legal_form, forms[name].title if len(titles) > 1 else ""].append(name)
        yield from _chained(alike.values())


def _stated(forms: Mapping[str, Name], quotes: Iterable[str]) -> tuple[set[Pair], set[Pair]]:
    """Return the pairs that names and quotes say are one, and those they only hint at."""
    said: set[Pair] = set()
    hinted: set[Pair] = set()
    for one, other, plainly in stated_aliases(forms, quotes):
        left, right = forms[one], forms[other]
        if not contradictory(left, right):
            short = acronym_of(left, right) or acronym_of(right, left)
            part = set(left.words) > set(right.words)
            (said if plainly or short or part else hinted).add(ordered(one, other))
    glossed = _grouped(
        (name for name in forms if forms[name].gloss), lambda name: forms[name].gloss
    )
    for name, form in forms.items():
        if len(form.words) == 1:
            said.update(ordered(name, long) for long in glossed.get(form.words[0], ()))
    return _unambiguous(said, forms, hinted)


def _unambiguous(
    said: set[Pair], forms: Mapping[str, Name], hinted: set[Pair]
) -> tuple[set[Pair], set[Pair]]:
    """Move to the hints what gives one name to two that contradict each other."""
    others: dict[str, list[str]] = defaultdict(list)
    for one, other in sorted(said):
        others[one].append(other)
        others[other].append(one)
    torn = {
        name
        for name, found in others.items()
        if any(conflict(forms[left], forms[right]) for left, right in combinations(found, 2))
    }
    doubtful = {pair for pair in said if torn & {*pair}}
    return said - doubtful, hinted | doubtful


def _grouped(names: Iterable[str], key: Callable[[str], K]) -> dict[K, list[str]]:
    found: dict[K, list[str]] = defaultdict(list)
    for name in names:
        found[key(name)].append(name)
    return found


def _chained(groups_of_names: Iterable[Sequence[str]]) -> tuple[Pair, ...]:
    return tuple(pair for members in groups_of_names for pair in pairwise(sorted(members)))
