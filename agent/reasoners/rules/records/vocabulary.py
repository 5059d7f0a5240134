"""A schema's labels: which attribute of which kind a text's words call."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, cast

from agent.reasoners.rules.records.documents import PERIOD
from agent.reasoners.rules.records.kinds import ENTRY_NAME
from agent.reasoners.rules.records.names import is_beside, kind_name, plain_label
from agent.reasoners.rules.records.structure.entry import Entry, head_of
from agent.reasoners.rules.records.structure.frames import unit_after
from agent.reasoners.rules.records.structure.slots import Slot, Word
from agent.reasoners.rules.records.telling import telling_roots
from agent.records.record_schema import Attribute, Kind

__all__ = ("KindLabels", "Vocabulary")

_LEAST_KNOWN: Final = 0.5
_MOST_KEPT: Final = 65_536


@dataclass(frozen=True)
class KindLabels:
    """One kind's attributes by the words that call them."""

    kind: Kind

    @cached_property
    def by_label(self) -> dict[str, Attribute]:
        """Attributes by plain label; an attribute's own name is one, after all labels.

        The name of one that no label beside a value calls, as a sentence's year, is none.
        """
        attributes = self.kind.attributes
        stated = [each for each in attributes if not all(map(is_beside, each.labels or ("",)))]
        called = {each.name.replace("_", " "): each for each in stated}
        return called | {plain_label(label): each for each in attributes for label in each.labels}

    @cached_property
    def own_name(self) -> Attribute | None:
        """The attribute that holds what the text calls an entry, or None."""
        return self.by_label.get(plain_label(ENTRY_NAME))

    @cached_property
    def period(self) -> Attribute | None:
        """The attribute that holds the year of a sentence, or None."""
        return self.by_label.get(plain_label(PERIOD))

    def known(self, label: str) -> Attribute | None:
        """Return the attribute that a label calls."""
        found = self._as_written.get(label, self._as_written)
        if found is self._as_written:
            found = self.by_label.get(plain_label(label))
            if len(self._as_written) < _MOST_KEPT:
                self._as_written[label] = found
        return cast("Attribute | None", found)

    @cached_property
    def _as_written(self) -> dict[str, object]:
        """What labels call that were met before."""
        return {}

    @cached_property
    def by_roots(self) -> dict[frozenset[str], Attribute]:
        """Attributes by the roots of a label's telling words: `number of rooms` is `rooms`."""
        found: dict[frozenset[str], Attribute] = {}
        for label, attribute in self.by_label.items():
            found.setdefault(telling_roots(label), attribute)
        found.pop(frozenset(), None)
        return found

    def called(self, slot: Slot) -> tuple[Attribute, int, int] | None:
        """Return the attribute that the words beside a value call, and the span that says so."""
        first, last = slot.before, slot.after
        ways = [_before(first, slot), _after(last, slot)]
        if slot.kind == "number" and last and not (slot.joined and first):
            ways.reverse()
        for words, start, end in (each for way in ways for each in way):
            text = " ".join(word.text for word in words)
            whole = slot.kind != "name" and len(words) >= len(first if end == slot.end else last)
            attribute = self.known(text) or (self._akin(text) if whole else None)
            if attribute is not None and _suits(attribute, slot):
                return attribute, start, end
        return None

    def _akin(self, words: str) -> Attribute | None:
        return self.by_roots.get(telling_roots(words))

    def fit(self, entry: Entry) -> float:
        """Return the share of an entry's statements whose labels are known."""
        known = sum(self.known(each.label) is not None for each in entry.statements)
        return known / (len(entry.statements) or 1)


class _Labels(dict[str, bool]):
    """Which words are labels of some kinds; each is looked up once."""

    def __init__(self, kinds: Sequence[KindLabels]) -> None:
        super().__init__()
        self._kinds = kinds

    def __contains__(self, label: object) -> bool:
        known = self.get(cast("str", label))
        if known is None:
            known = any(each.known(cast("str", label)) is not None for each in self._kinds)
            if len(self) < _MOST_KEPT:
                self[cast("str", label)] = known
        return known


class Vocabulary:
    """The labels of all kinds that a text may hold records of."""

    def __init__(self, kinds: Sequence[Kind]) -> None:
        self.kinds = [KindLabels(kind) for kind in kinds]
        self._rows = [each for each in self.kinds if each.kind.grain == "row"]
        self._documents = [each for each in self.kinds if each.kind.grain == "document"]
        self._by_head: dict[str, list[KindLabels]] = {}
        self._labels: dict[str, _Labels] = {}
        self._kind_of: dict[tuple[str, ...], KindLabels | None] = {}

    def called(self, head: str) -> list[KindLabels]:
        """Return the row kinds that bear a name: `ship`, and `ship_2` where there are two."""
        if head not in self._by_head:
            name = kind_name(head)
            self._by_head[head] = [
                each
                for each in self.kinds
                if name and each.kind.grain == "row" and _bears(each.kind.name, name)
            ]
        return self._by_head[head]

    def labels(self, head: str) -> Container[str]:
        """Return the labels of the kinds so called, or of all where none is."""
        if head not in self._labels:
            self._labels[head] = _Labels((self.called(head) if head else []) or self.kinds)
        return self._labels[head]

    def kind_of(self, entry: Entry) -> KindLabels | None:
        """Return the kind that an entry is a record of: by its name, else by its labels."""
        called = entry.label or entry.heading
        head = head_of(called).casefold() if called else ""
        key = (head, *[each.label for each in entry.statements])
        if key not in self._kind_of:
            if len(self._kind_of) >= _MOST_KEPT:
                self._kind_of.clear()
            self._kind_of[key] = self._best(entry, self.called(head) if head else [])
        return self._kind_of[key]

    def _best(self, entry: Entry, named: Sequence[KindLabels]) -> KindLabels | None:
        ways = ((named, 1e-9), (self._rows, _LEAST_KNOWN), (self._documents, 1e-9))
        for among, least in ways:
            best = max(among, key=lambda each: each.fit(entry), default=None)
            if best is not None and best.fit(entry) >= least:
                return best
        return None


def _before(words: Sequence[Word], slot: Slot) -> Iterator[tuple[Sequence[Word], int, int]]:
    """Yield the words before a value, fewer and fewer, with the span up to its end."""
    for at in range(len(words)):
        yield words[at:], words[at].start, slot.end


def _after(words: Sequence[Word], slot: Slot) -> Iterator[tuple[Sequence[Word], int, int]]:
    """Yield the words behind a value and its unit, fewer and fewer, with the span from it."""
    unit = unit_after(words)
    words = words[unit.count(" ") + 1 :] if unit else words
    for count in range(len(words), 0, -1):
        yield words[:count], slot.start, words[count - 1].end


def _suits(attribute: Attribute, slot: Slot) -> bool:
    """Tell whether a value may be one of the attribute's type."""
    if attribute.type in {"integer", "number"}:
        return slot.kind == "number"
    if attribute.type == "date":
        return slot.kind == "date" or slot.value.isdigit()
    return attribute.type == "text"


def _bears(kind: str, name: str) -> bool:
    return kind == name or (kind.startswith(f"{name}_") and kind[len(name) + 1 :].isdigit())
