"""Pairs of names that are one by rule, pairs that a reader has to decide, and what they make one.

Only names that share a block are compared: far fewer pairs than all, and hardly a true one is left
out.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise, product
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.fuzz import token_sort_ratio

from agent.question import MergeRule
from tools.alignment.name import (
    Name,
    acronym_of,
    acronyms,
    conflict,
    contradictory,
    folded,
    letters_of,
    parsed,
    possible,
    single_spaced,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Pair = tuple[str, str]
Embed = Callable[[Sequence[str]], "NDArray[np.float32]"]
"""Turns texts into unit rows, (N, d)."""


K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """Pairs of names worth comparing; in a pair the smaller name comes first."""

    sure: tuple[Pair, ...]
    grey: tuple[Pair, ...]
    """To be decided by a reasoner; pairs that share names stand together."""
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

    Sure: equal but for case, marks, accents, title, `Last, First` and a legal form that only one
    has; an acronym or another name where a name or a quote gives it. Grey: acronyms and initials
    without such evidence, parts, abbreviations, slips of the pen, differing legal forms. Neither:
    names whose numbers or versions differ, or that both have a word of their own.
    """
    distinct = sorted(set(names))
    if rule == "exact":
        return Blocks(sure=_chained(_grouped(distinct, single_spaced).values()), grey=())
    forms = {name: parsed(name) for name in distinct}
    sure = {*_same_form(forms), *_stated(forms, quotes)}
    found = _compared(forms, groups(distinct, sure), embed, wide=rule == "wide")
    asked = Counter[int]()
    kept = []
    for entities, (_, pair) in found:
        if min(asked[each] for each in entities) < _ASKED:
            asked.update(entities)
            kept.append(pair)
    together = groups({name for pair in kept for name in pair}, kept)
    first = {name: group[0] for group in together for name in group}
    grey = tuple(sorted(kept, key=lambda pair: (first[pair[0]], pair)))
    return Blocks(sure=tuple(sorted(sure)), grey=grey, left_out=len(found) - len(kept))


def _same_form(forms: Mapping[str, Name]) -> Iterator[Pair]:
    """Pair names of equal words; one without legal form joins none of several."""
    yield from _chained(_grouped(forms, lambda name: forms[name].every).values())
    shared: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, form in forms.items():
        for key in {form.words, form.inverted} - {()}:
            shared[(*key, "|", *form.numbers)].append(name)
    for members in shared.values():
        legal = {name: forms[name].legal for name in members}
        several = len({*legal.values()} - {()}) > 1
        yield from _chained(_grouped(legal, legal.__getitem__).values() if several else [members])


def _stated(forms: Mapping[str, Name], quotes: Iterable[str]) -> set[Pair]:
    """Return the pairs that names and quotes say are one, without what contradicts itself."""
    said: set[Pair] = set()
    for one, other, plainly in stated_aliases(forms, quotes):
        left, right = forms[one], forms[other]
        short = acronym_of(left, right) or acronym_of(right, left)
        evident = plainly or short or set(left.words) > set(right.words)
        if evident and not contradictory(left, right):
            said.add(ordered(one, other))
    glossed = _grouped(
        (name for name in forms if forms[name].gloss), lambda name: forms[name].gloss
    )
    for name, form in forms.items():
        if len(form.words) == 1:
            said.update(ordered(name, long) for long in glossed.get(form.words[0], ()))
    others: dict[str, list[str]] = defaultdict(list)
    for one, other in sorted(said):
        others[one].append(other)
        others[other].append(one)
    torn = {
        name
        for name, found in others.items()
        if any(conflict(forms[left], forms[right]) for left, right in combinations(found, 2))
    }
    return {pair for pair in said if not torn & {*pair}}


def _grouped(names: Iterable[str], key: Callable[[str], K]) -> dict[K, list[str]]:
    found: dict[K, list[str]] = defaultdict(list)
    for name in names:
        found[key(name)].append(name)
    return found


def _chained(groups_of_names: Iterable[Sequence[str]]) -> tuple[Pair, ...]:
    return tuple(pair for members in groups_of_names for pair in pairwise(sorted(members)))


_NEIGHBOURS: Final = 16
_NEAREST: Final = 4
_NEAR: Final = 0.6
_ALIKE: Final = 0.15
_GROUP: Final = 40
_ROWS: Final = 512


def blocked(names: Sequence[Name], embed: Embed | None = None) -> Iterator[tuple[int, int]]:
    """Yield positions of names to compare, the smaller first, each pair once.

    Pairs share an acronym and its initials, a part that few names have, rare character trigrams,
    or a place in the space of `embed`. Time and memory grow with the number of names, not of pairs.
    """
    blocks = [_acronyms(names), _parts(names), _spelt_alike(names)]
    if embed is not None:
        from scipy.sparse import csr_matrix

        rows = csr_matrix(embed([name.text for name in names]))
        blocks.append(_nearest(rows, _NEAREST, _NEAR))
    seen: set[tuple[int, int]] = set()
    for one, other in chain.from_iterable(blocks):
        pair = (min(one, other), max(one, other))
        if one != other and pair not in seen:
            seen.add(pair)
            yield pair


def _acronyms(names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    long: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(names):
        if len(name.words) > 1:
            for letters in acronyms(name):
                long[letters].append(at)
    for at, name in enumerate(names):
        letters = letters_of(name)
        if letters:
            yield from ((at, other) for other in long.get(letters, ())[:_GROUP])


def _parts(names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """Pair each name with those that have its rarest word, where that tells something."""
    holders: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(names):
        for word in set(name.words):
            holders[word].append(at)
    for at, name in enumerate(names):
        telling = (name.surname,) if name.surname else name.words
        rarest = min(telling, key=lambda word: (len(holders[word]), word))
        if len(holders[rarest]) <= _GROUP:
            yield from ((at, other) for other in holders[rarest])


def _spelt_alike(names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """Pair each name with its nearest ones by the trigrams that few names have."""
    if len(names) < 2:
        return
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3), lowercase=False)
    rows = vectors.fit_transform([" ".join(name.words) for name in names])
    # What all names share would make the products quadratic, and tells none from another.
    held = np.bincount(rows.indices, minlength=rows.shape[1])[rows.indices]
    rows.data[held > max(100, len(names) // 100)] = 0
    rows.eliminate_zeros()
    yield from _nearest(rows, _NEIGHBOURS, _ALIKE)


def _nearest(rows: "csr_matrix", count: int, least: float) -> Iterator[tuple[int, int]]:
    """Yield each row with so many rows nearest to it, at least so alike; ties by position."""
    columns = rows.T.tocsr()
    for start in range(0, rows.shape[0], _ROWS):
        block = (rows[start : start + _ROWS] @ columns).tocsr()
        for number in range(block.shape[0]):
            span = slice(block.indptr[number], block.indptr[number + 1])
            alike = np.round(block.data[span], 6)
            near = block.indices[span]
            order = np.lexsort((near, -alike))[: count + 1]
            yield from ((start + number, int(near[at])) for at in order if alike[at] >= least)


_ASKED: Final = 8
"""About how many pairs of an entity a reader is asked at least, where there are as many."""


_Compared = list[tuple[tuple[int, int], tuple[float, Pair]]]


def _compared(
    forms: Mapping[str, Name],
    entities: Sequence[Sequence[str]],
    embed: Embed | None,
    *,
    wide: bool,
) -> _Compared:
    """Return the likest pair of each two entities that may be one, with their places, in order."""
    shown = [_representatives(forms, members) for members in entities]
    entity = {name: at for at, members in enumerate(entities) for name in members}
    every = [forms[name] for names in shown for name in names]
    best: dict[tuple[int, int], tuple[float, Pair]] = {}
    for left, right in blocked(every, embed):
        one, other = every[left], every[right]
        low, high = sorted((entity[one.text], entity[other.text]))
        alike = low != high and possible(one, other, wide=wide)
        if low == high or (not alike and (embed is None or conflict(one, other, wide=wide))):
            continue
        names = {one.text, other.text}
        if not any(
            conflict(forms[each], forms[own], wide=wide)
            for each, own in product(shown[low], shown[high])
            if {each, own} != names
        ):
            ranked = -_ratio(one, other), ordered(one.text, other.text)
            best[low, high] = min(ranked, best.get((low, high), ranked))
    return sorted(best.items(), key=itemgetter(1))


def _representatives(forms: Mapping[str, Name], members: Sequence[str]) -> list[str]:
    """Return of each form the plainest name, and of those the longest."""

    def plainness(name: str) -> tuple[int, int, str]:
        return len(forms[name].every) - len(forms[name].words), -len(name), name

    alike = _grouped(members, lambda name: forms[name].words).values()
    return [min(each, key=plainness) for each in alike]


def _ratio(one: Name, other: Name) -> float:
    return round(token_sort_ratio(" ".join(one.words), " ".join(other.words)) / 100, 6)


_OPEN: Final = re.compile(r"[(（]")
_MARK: Final = re.compile(
    r"[,;(]?\s*\b(?:also|formerly|previously|now|better|commonly|otherwise)\s+(?:known|called|named)"
    r"(?:\s+as)?\b|[,;(]?\s*\b(?:a\.?k\.?a\.?|[fnd]/[kb]/a|doing business as|trading as|abbreviated"
    r"(?:\s+as|\s+to)?|formerly|alias|auch bekannt als|ehemals|également connue? sous le nom de"
    r"|anciennement|también conocid[oa] como|noto come)(?!\w)",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"^(?:the|a|an|or|hereinafter|hereafter|herein|collectively|as|short|referred to as|abbreviated"
    r"|called|die|der|das|kurz|ci-après|le|la|el|en adelante)\s+",
    re.IGNORECASE,
)
_LONGEST: Final = 12


def stated_aliases(names: Iterable[str], quotes: Iterable[str]) -> Iterator[tuple[str, str, bool]]:
    """Yield each two names that a text says are one, and whether it says so in words."""
    known: Mapping[tuple[str, ...], list[str]] = _known(names)
    for quote in dict.fromkeys(quotes):
        for match in _MARK.finditer(quote):
            yield from _beside(known, quote[: match.start()], quote[match.end() :], said=True)
        for match in _OPEN.finditer(quote):
            inner = re.split(r"[)）]", quote[match.end() :], maxsplit=1)[0]
            for part in dict.fromkeys((inner, *re.split(r"[,;]| or (?:the )?", inner))):
                yield from _beside(known, quote[: match.start()], part, said=False)


def _known(names: Iterable[str]) -> dict[tuple[str, ...], list[str]]:
    known: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in names:
        words = _words(name)
        known[words[1:] if words[:1] == ("the",) else words].append(name)
    known.pop((), None)
    return known


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W_]+", folded(text)))


def _beside(
    known: Mapping[tuple[str, ...], Sequence[str]], before: str, after: str, *, said: bool
) -> Iterator[tuple[str, str, bool]]:
    """Pair the longest name that ends the text before with the one that begins the text after."""
    while (shorter := _LEAD.sub("", after.lstrip(" \"'“”‘’«„,(").lstrip())) != after:
        after = shorter
    left = _words(before[-200:])[-_LONGEST:]
    right = _words(after[:200])[:_LONGEST]
    first = next((known[left[at:]] for at in range(len(left)) if left[at:] in known), ())
    whole = range(len(right), 0, -1) if said else range(len(right), len(right) - 1, -1)
    second = next((known[right[:end]] for end in whole if right[:end] in known), ())
    yield from ((one, two, said) for one in first for two in second if one != two)


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Names as entities."""

    clusters: Mapping[str, tuple[str, ...]]
    """The other names of each entity, most frequent first, by the name that it is shown by."""
    refused: tuple[Pair, ...]
    """Pairs said to be one that were not merged: that would join names that contradict."""


def merge(
    counts: Mapping[str, int],
    sure: Iterable[Pair],
    confirmed: Iterable[Pair] = (),
    *,
    wide: bool = False,
) -> Merged:
    """Merge names into entities; the order of names and pairs changes nothing.

    Sure pairs go first, then those that a reasoner confirmed, with `wide` also of other versions,
    numbers and legal forms. A pair is refused where it would put two names into one entity that
    contradict each other. An entity goes by its most frequent name, then the longest.
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
    clusters: dict[str, tuple[str, ...]] = {}
    for members in sets.subsets():
        name, *aliases = sorted(members, key=lambda each: (-counts[each], -len(each), each))
        clusters[name] = tuple(aliases)
    by_name = dict(sorted(clusters.items(), key=lambda each: (each[0].casefold(), each[0])))
    return Merged(clusters=by_name, refused=tuple(sorted(apart)))


def groups(names: Iterable[str], pairs: Iterable[Pair]) -> list[list[str]]:
    """Return the names that pairs connect, directly or not; pairs with other names are left out."""
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
    """Tell whether names of two entities contradict; of a pair called one, numbers do alone."""
    return any(
        (contradictory if ordered(one, other) in direct else conflict)(
            parsed(one), parsed(other), wide=wide
        )
        for one in left
        for other in right
    )
