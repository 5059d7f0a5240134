"""Groups of entries about things of the same kind: by what they are called and by their labels."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from agent.reasoners.rules.records.names import plain_label
from agent.reasoners.rules.records.structure.entry import Entry, head_of

__all__ = ("Column", "Group", "group_entries", "hint_of", "with_alike_joined")

_ALIKE: Final = {"pairs": 0.5, "keys": 0.7, "table": 0.7}
_SHARED: Final = 2
_VALUES_KEPT: Final = 400


@dataclass(slots=True)
class Column:
    """What a group's entries state under one label."""

    label: str
    """As the first entry writes it."""
    entries: int = 0
    """How many entries state it."""
    repeated: int = 0
    """How many state it more than once."""
    documents: set[str] = field(default_factory=set)
    values: list[str] = field(default_factory=list)

    def add(self, document: str, values: Sequence[str]) -> None:
        """Count one entry's values."""
        self.entries += 1
        self.repeated += len(values) > 1
        self.documents.add(document)
        if len(self.values) < _VALUES_KEPT:
            self.values.extend(values)


@dataclass(slots=True)
class Group:
    """Entries of one kind over all documents."""

    form: str
    hints: Counter[str] = field(default_factory=Counter)
    """What the entries are called, without number."""
    columns: dict[str, Column] = field(default_factory=dict)
    """By plain label, in the order of appearance."""
    entries: Counter[str] = field(default_factory=Counter)
    """How many each document has."""
    labels: list[str] = field(default_factory=list)
    """The entries' own labels, and for those without one the headings."""
    numbered: int = 0
    """How many entries bear a number in their label."""

    def add(self, document: str, entry: Entry) -> None:
        """Count an entry of a document."""
        self.hints[hint_of(entry)] += 1
        self.entries[document] += 1
        called = entry.label or entry.heading
        self.numbered += bool(called) and head_of(called) != called
        if len(self.labels) < _VALUES_KEPT:
            self.labels.append(called)
        stated: defaultdict[str, list[str]] = defaultdict(list)
        for statement in entry.statements:
            key = plain_label(statement.label)
            self.columns.setdefault(key, Column(statement.label))
            stated[key].append(statement.value)
        for key, values in stated.items():
            self.columns[key].add(document, values)

    def take(self, other: "Group") -> None:
        """Take in the entries of another group, of other documents."""
        self.hints += other.hints
        self.entries += other.entries
        self.labels += other.labels
        self.numbered += other.numbered
        for key, column in other.columns.items():
            own = self.columns.setdefault(key, Column(column.label))
            own.entries += column.entries
            own.repeated += column.repeated
            own.documents |= column.documents
            own.values += column.values

    @property
    def size(self) -> int:
        """How many entries there are."""
        return self.entries.total()


def with_alike_joined(groups: Sequence[Group], single: Callable[[Group], bool]) -> list[Group]:
    """Return the groups, those of key lines that stand once in a document joined where alike.

    Documents of one kind may call the same things differently; two labels in common suffice.
    """
    joined: list[Group] = []
    for group in groups:
        same = next((each for each in joined if _alike(each, group, single)), None)
        if same is None:
            joined.append(group)
        else:
            same.take(group)
    return joined


def _alike(one: Group, other: Group, single: Callable[[Group], bool]) -> bool:
    if one.form != "keys" or other.form != "keys" or set(one.entries) & set(other.entries):
        return False
    return len(set(one.columns) & set(other.columns)) >= _SHARED and single(one) and single(other)


def hint_of(entry: Entry) -> str:
    """Return what an entry says of its kind: its label's head, or its heading's."""
    called = entry.label or entry.heading
    return head_of(called)


def group_entries(stated: Iterable[tuple[str, Entry]]) -> list[Group]:
    """Group entries, each with its document's name.

    Entries belong together where they share most of their labels; sentences of pairs only where
    they are called alike, for the tables of one database share columns.
    """
    named: dict[tuple[str, str, frozenset[str]], list[tuple[str, Entry]]] = defaultdict(list)
    for document, entry in stated:
        labels = frozenset(plain_label(each.label) for each in entry.statements)
        strict = "pairs" if entry.form == "pairs" and entry.label else entry.form
        hint = plain_label(hint_of(entry))
        named[strict, hint if strict == "pairs" else "", labels].append((document, entry))
    buckets: defaultdict[tuple[str, str], list[_Bucket]] = defaultdict(list)
    for (form, hint, labels), members in sorted(
        named.items(), key=lambda item: (-len(item[1]), -len(item[0][2]))
    ):
        _join(buckets[form, hint], _Bucket(labels, members), _ALIKE[form])
    return [_group(form, bucket) for (form, _), found in buckets.items() for bucket in found]


@dataclass(slots=True)
class _Bucket:
    """Entries with like labels."""

    labels: frozenset[str]
    members: list[tuple[str, Entry]]


def _join(buckets: list[_Bucket], new: _Bucket, alike: float) -> None:
    """Add the entries to the bucket that they are most like, or as a bucket of their own."""
    best = max(buckets, key=lambda each: _likeness(each.labels, new.labels), default=None)
    if best is not None and _likeness(best.labels, new.labels) >= alike:
        best.labels |= new.labels
        best.members += new.members
    else:
        buckets.append(new)


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the shared labels over those of the smaller set."""
    return len(one & other) / (min(len(one), len(other)) or 1)


def _group(form: str, bucket: _Bucket) -> Group:
    group = Group(form)
    for document, entry in _in_order(bucket.members):
        group.add(document, entry)
    return group


def _in_order(members: list[tuple[str, Entry]]) -> Iterator[tuple[str, Entry]]:
    documents = {document: at for at, (document, _) in enumerate(members)}
    yield from sorted(members, key=lambda each: (documents[each[0]], each[1].start))
