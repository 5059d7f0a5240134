"""Mentions become entities: pairs that are surely one, pairs to be asked about, merged clusters.

Names are compared by their normal form (`tools.names`). Nothing depends on the order of the names.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeVar

from tools.names import NormalName, initials, normal, numbers, single_spaced

__all__ = ("Blocks", "Cluster", "candidate_pairs", "merge")

Pair = tuple[str, str]
K = TypeVar("K", bound=Hashable)

_LIKENESS = 0.45
_LIKENESS_OF_A_PART = 0.2
_NEIGHBOURS = 8
_ROWS = 512
_ACRONYM = re.compile(r"[^\W_]{2,8}")
_GLOSSED = re.compile(r"(?P<name>.*\S)\s*\((?P<gloss>[^()]+)\)\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """Pairs of names worth comparing; in a pair the smaller name comes first."""

    sure: tuple[Pair, ...]
    """One entity by rule."""
    grey: tuple[Pair, ...]
    """To be decided by a reasoner."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """One entity: the name it is shown by, and its other names."""

    name: str
    aliases: tuple[str, ...]
    """Most frequent first."""


def candidate_pairs(
    names: Iterable[str],
    *,
    rule: Literal["exact", "alias"] = "alias",
    quotes: Iterable[str] = (),
) -> Blocks:
    """Return the pairs of names that are one entity, and those that may be.

    Sure under the rule `alias`: equal normal forms whose legal forms do not contradict each other,
    and an acronym with the name it stands for where a name or a quote says so (`World Health
    Organization (WHO)`). Grey: acronyms without such evidence, names with likely initials, names
    alike in their character trigrams. Names whose numbers, versions or numerals differ are in
    neither. Under `exact`, names are one only if they differ in nothing but spaces.

    Args:
        names: the mentions, repeats allowed.
        rule: how C2, the question of when two mentions are one, was answered.
        quotes: texts that may define acronyms.
    """
    distinct = sorted(set(names))
    if rule == "exact":
        return Blocks(sure=_chained(_grouped(distinct, single_spaced).values()), grey=())
    forms = {name: _form(name) for name in distinct}
    sure = {*_same_form(forms), *_stated_acronyms(forms, list(quotes))}
    rest = _representatives(distinct, sure)
    grey = {_ordered(*pair) for pair in (*_acronyms(rest, forms), *_alike(rest, forms))}
    return Blocks(sure=tuple(sorted(sure)), grey=tuple(sorted(grey)))


def merge(counts: Mapping[str, int], pairs: Iterable[Pair]) -> list[Cluster]:
    """Merge names into entities: whatever pairs connect is one.

    An entity goes by its most frequent name, of equally frequent ones the longest, then the first
    in alphabetical order. Pairs whose numbers differ are ignored, whoever said they were the same.

    Args:
        counts: how often each name was found.
        pairs: sure pairs and those that a reasoner confirmed.
    """
    links = [pair for pair in pairs if numbers(pair[0]) == numbers(pair[1])]
    clusters = []
    for members in _connected(counts, links):
        name, *aliases = sorted(members, key=lambda each: (-counts[each], -len(each), each))
        clusters.append(Cluster(name=name, aliases=tuple(aliases)))
    return sorted(clusters, key=lambda each: (each.name.casefold(), each.name))


def _form(name: str) -> NormalName:
    """Return the normal form of the name, without a gloss that is its own acronym."""
    found = _GLOSSED.fullmatch(name)
    if found and _stands_for(found["gloss"], normal(found["name"])):
        return normal(found["name"])
    return normal(name)


def _same_form(forms: Mapping[str, NormalName]) -> Iterator[Pair]:
    """Pair names of equal words; one without a legal form joins none of several that differ."""
    groups = _grouped(forms, lambda name: (forms[name].words, forms[name].numbers))
    for members in groups.values():
        kinds = {forms[name].legal for name in members if forms[name].legal}
        if len(kinds) > 1:
            yield from _chained(_grouped(members, lambda name: forms[name].legal).values())
        else:
            yield from _chained([members])


def _stated_acronyms(forms: Mapping[str, NormalName], quotes: Sequence[str]) -> Iterator[Pair]:
    """Pair an acronym with its long name where a name or a quote glosses one with the other."""
    glossed = {
        (normal(found["gloss"]).words, normal(found["name"]).words)
        for name in forms
        if (found := _GLOSSED.fullmatch(name))
    }
    text = single_spaced(" ".join(quotes)).casefold()
    for short, long in _acronyms(forms, forms):
        stated = (forms[short].words, forms[long].words) in glossed
        if stated or _is_glossed(text, short, _GLOSSED.sub(r"\g<name>", long)):
            yield _ordered(short, long)


def _is_glossed(text: str, short: str, long: str) -> bool:
    head, tail = single_spaced(long).casefold(), single_spaced(short).casefold()
    marks = "[\"'“”‘’]*"
    return any(
        re.search(
            rf"{re.escape(first)}{marks},? ?\((?:the )?{marks}{re.escape(second)}{marks}\)", text
        )
        for first, second in ((head, tail), (tail, head))
        if first in text
    )


def _acronyms(names: Iterable[str], forms: Mapping[str, NormalName]) -> Iterator[Pair]:
    """Pair each acronym with the names of those initials and of the same numbers."""
    by_initials: dict[str, list[str]] = defaultdict(list)
    for name in names:
        if len(forms[name].words) > 1:
            for letters in initials(forms[name].words):
                by_initials[letters].append(name)
    for short in names:
        words = forms[short].words
        if len(words) == 1 and _is_acronym(short):
            for long in by_initials[words[0]]:
                if numbers(short) == numbers(long):
                    yield short, long


def _stands_for(short: str, long: NormalName) -> bool:
    words = normal(short).words
    return len(words) == 1 and len(long.words) > 1 and words[0] in initials(long.words)


def _is_acronym(name: str) -> bool:
    letters = re.sub(r"[.\s]", "", name)
    return bool(_ACRONYM.fullmatch(letters)) and sum(map(str.isupper, letters)) > len(letters) / 2


def _alike(names: Sequence[str], forms: Mapping[str, NormalName]) -> Iterator[Pair]:
    """Pair each name with its nearest ones by character trigrams, or by shared whole words."""
    if len(names) < 2:
        return
    from sklearn.feature_extraction.text import TfidfVectorizer

    spelt = [" ".join(forms[name].words) for name in names]
    vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3), lowercase=False)
    rows = vectors.fit_transform(spelt)
    for start in range(0, len(names), _ROWS):
        block = (rows[start : start + _ROWS] @ rows.T).tocsr()
        for number, name in enumerate(names[start : start + _ROWS]):
            span = slice(block.indptr[number], block.indptr[number + 1])
            near = block.data[span] >= _LIKENESS_OF_A_PART
            found = [
                (-round(float(likeness), 6), names[column])
                for column, likeness in zip(
                    block.indices[span][near], block.data[span][near], strict=True
                )
                if column != start + number
                and _is_possible(forms[name], forms[names[column]], likeness)
            ]
            yield from ((name, other) for _, other in sorted(found)[:_NEIGHBOURS])


def _is_possible(left: NormalName, right: NormalName, likeness: float) -> bool:
    if left.numbers != right.numbers:
        return False
    return likeness >= _LIKENESS or _is_shortened(left.words, right.words)


def _is_shortened(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Tell whether one name is a part of the other, or abbreviates its words to initials."""
    short, long = sorted((left, right), key=len)
    if set(short) <= set(long):
        return True
    return short[-1] == long[-1] and long[0].startswith(short[0][0]) and 1 in map(len, short + long)


def _representatives(names: Sequence[str], sure: Iterable[Pair]) -> list[str]:
    """Return one name of each entity known so far, the longest."""
    return sorted(
        min(members, key=lambda each: (-len(each), each)) for members in _connected(names, sure)
    )


def _connected(names: Iterable[str], pairs: Iterable[Pair]) -> list[list[str]]:
    """Return the connected components (union-find), pairs with unknown names left out."""
    parent = {name: name for name in names}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for left, right in pairs:
        if left in parent and right in parent:
            parent[root(left)] = root(right)
    return list(_grouped(sorted(parent), root).values())


def _grouped(names: Iterable[str], key: Callable[[str], K]) -> dict[K, list[str]]:
    groups: dict[K, list[str]] = defaultdict(list)
    for name in names:
        groups[key(name)].append(name)
    return groups


def _chained(groups: Iterable[Sequence[str]]) -> tuple[Pair, ...]:
    return tuple(pair for members in groups for pair in pairwise(sorted(members)))


def _ordered(left: str, right: str) -> Pair:
    return (left, right) if left <= right else (right, left)
