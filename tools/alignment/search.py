"""Comparing the entities known so far: pairs found sure on a second look, and grey ones."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tools.alignment.blocking import Embed, blocked
from tools.alignment.clusters import Pair, groups, ordered
from tools.alignment.likeness import compare, conflict, full_initials, respaced
from tools.alignment.name import Name

__all__ = ("Search",)

_ASKED: Final = 8
"""About how many pairs of an entity a reader is asked at least, where there are as many."""
_FIRST: Final = 2.0
"""The likeness of pairs that go before all others."""


class Search:
    """Comparing entities known so far, each by a plain name of each of its forms."""

    def __init__(
        self, forms: Mapping[str, Name], entities: Sequence[Sequence[str]], *, wide: bool
    ) -> None:
        self.compared = 0
        self.left_out = 0
        self.sure: set[Pair] = set()
        self._forms = forms
        self._wide = wide
        self._shown = [self._representatives(members) for members in entities]
        self._entity = {name: at for at, members in enumerate(entities) for name in members}
        self._best: dict[tuple[int, int], tuple[float, Pair]] = {}
        self._initialled: dict[str, dict[int, Pair]] = defaultdict(dict)

    def hint(self, pairs: Iterable[Pair]) -> None:
        """Take pairs into the grey zone that a text hints at, before all others."""
        for one, other in sorted(pairs):
            if self._entity[one] != self._entity[other]:
                self._keep(one, other, _FIRST)

    def compare(self, embed: Embed | None) -> None:
        """Look at each pair worth it."""
        shown = [self._forms[name] for names in self._shown for name in names]
        for left, right in blocked(shown, embed):
            one, other = shown[left], shown[right]
            if self._entity[one.text] == self._entity[other.text]:
                continue
            self.compared += 1
            if self._is_respaced(one, other):
                self.sure.add(ordered(one.text, other.text))
            elif self._possible(one, other, anyway=embed is not None):
                self._keep(one.text, other.text, _ratio(one, other))
                self._note_initials(one, other)

    def unique_initials(self) -> set[Pair]:
        """Return the names with two or more initials that fit just one full name."""
        found = {
            pair
            for partners in self._initialled.values()
            for pair in partners.values()
            if len(partners) == 1
        }
        sure = {
            pair
            for pair in found
            if any(
                full_initials(self._forms[a].words, self._forms[b].words)
                for a, b in (pair, pair[::-1])
            )
        }
        for one, other in sure:
            self._best.pop(self._key(one, other), None)
        return sure

    def grey(self) -> tuple[Pair, ...]:
        """Return the best pairs of each entity, those that share names together."""
        ranked = sorted(self._best.items(), key=lambda item: (-item[1][0], item[1][1]))
        asked: Counter[int] = Counter()
        kept = []
        for entities, (_, pair) in ranked:
            if min(asked[each] for each in entities) < _ASKED:
                asked.update(entities)
                kept.append(pair)
        self.left_out = len(ranked) - len(kept)
        names = {name for pair in kept for name in pair}
        first = {name: group[0] for group in groups(names, kept) for name in group}
        return tuple(sorted(kept, key=lambda pair: (first[pair[0]], pair)))

    def _representatives(self, members: Sequence[str]) -> list[str]:
        """Return of each form the plainest name, and of those the longest."""
        forms: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for name in members:
            forms[self._forms[name].words].append(name)
        return [min(each, key=self._plainness) for each in forms.values()]

    def _plainness(self, name: str) -> tuple[int, int, str]:
        form = self._forms[name]
        return len(form.every) - len(form.words), -len(name), name

    def _possible(self, one: Name, other: Name, *, anyway: bool) -> bool:
        alike = compare(one, other, wide=self._wide) != "different"
        if not alike and (not anyway or conflict(one, other, wide=self._wide)):
            return False
        return not any(
            conflict(self._forms[left], self._forms[right], wide=self._wide)
            for left in self._shown[self._entity[one.text]]
            for right in self._shown[self._entity[other.text]]
            if (left, right) != (one.text, other.text)
        )

    def _is_respaced(self, one: Name, other: Name) -> bool:
        differ = one.words != other.words
        return (
            differ
            and respaced(one.words, other.words)
            and not conflict(one, other, wide=self._wide)
        )

    def _keep(self, one: str, other: str, likeness: float) -> None:
        key, ranked = self._key(one, other), (likeness, ordered(one, other))
        best = self._best.get(key)
        if best is None or (-likeness, ranked[1]) < (-best[0], best[1]):
            self._best[key] = ranked

    def _key(self, one: str, other: str) -> tuple[int, int]:
        left, right = sorted((self._entity[one], self._entity[other]))
        return left, right

    def _note_initials(self, one: Name, other: Name) -> None:
        """Remember which full names a name with initials may stand for."""
        for short, long in ((one, other), (other, one)):
            initialled = len(short.words) > 1 and short.words[0] in short.letters
            if initialled and long.words[0] not in long.letters and short.words[-1] in long.words:
                partner = self._entity[long.text]
                self._initialled[short.text][partner] = ordered(short.text, long.text)


def _ratio(one: Name, other: Name) -> float:
    from rapidfuzz.fuzz import token_sort_ratio

    return round(token_sort_ratio(" ".join(one.words), " ".join(other.words)) / 100, 6)
