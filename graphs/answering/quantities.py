"""Numbers as findings state them, the units of fields, and groups of documents by a field."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Final

from agent.corpus_view import FieldValue
from agent.english import singular, unaccented
from agent.evidence import Finding
from agent.name_variants import same_names
from agent.predicates import field_values, satisfies, says_nothing
from agent.question import MEASURE, DatePart, Interpretation, Predicate, atoms, signed
from agent.units import converted, is_share, value_unit
from tools.computation import Quantity, added
from tools.corpus.corpus import Corpus
from tools.decisions import possible
from tools.records.record_values import Unreadable, read_amount


def stated(told: Iterable[Finding]) -> list[Quantity]:
    """Return the numbers of findings, each place once; those beside a condition's words, if any."""
    places = {(each.document, each.start, each.end): each for each in told}
    valued = [each for each in places.values() if each.value is not None]
    beside = [each for each in valued if each.condition != MEASURE]
    return [Quantity(each.value, each.unit) for each in beside or valued if each.value is not None]


def added_up(told: Iterable[Finding]) -> list[Quantity]:
    """Add up the amounts that findings state, each as often as one passage states it.

    Where other passages state some again, what all come to is told beside it.
    """
    told = list(told)
    by_passage: dict[int, list[Finding]] = defaultdict(list)
    for each in told:
        by_passage[each.chunk].append(each)
    counts = Counter[Quantity]()
    for findings in by_passage.values():
        counts |= Counter(stated(findings))
    once, every = added(list(counts.elements())), added(stated(told))
    return once if once == every else [*once, *every]


def group_names(values: Iterable[FieldValue]) -> Mapping[str, str]:
    """Return the group of each item: its most frequent spelling, whatever its case and number.

    Accents make no other group, nor a plural but of names of people; variants of a name are in the
    group of its fullest form.

    >>> group_names([FieldValue(raw=each, items=(each,)) for each in ("Due", "due", "due")])
    {'Due': 'due', 'due': 'due'}
    >>> group_names([FieldValue(raw=each, items=(each,)) for each in ("Kayaks", "Kayak", "Kayak")])
    {'Kayaks': 'Kayak', 'Kayak': 'Kayak'}
    """
    written = Counter(item for value in values for item in value.items)
    of_people = any(map(_is_proper, written))
    keys = {
        item: folded(item if of_people else " ".join(map(singular, item.split())))
        for item in written
    }
    names: dict[str, str] = {}
    for item, _ in sorted(written.items(), key=lambda pair: (-pair[1], pair[0])):
        names.setdefault(keys[item], " ".join(item.split()))
    same = same_names(names.values())
    shown = {item: names[key] for item, key in keys.items()}
    return {item: same.get(name, name) for item, name in shown.items()}


def _is_proper(item: str) -> bool:
    """Tell whether an item may be a name: several words, each with a capital."""
    words = item.split()
    return len(words) > 1 and all(each[0].isupper() for each in words) and not item.isupper()


def folded(item: str) -> str:
    """Return an item without case, accents, and the spaces and marks about its words.

    >>> folded("Canal-Side") == folded("canalside"), folded("Gdańsk"), folded("A 1-2")
    (True, 'gdansk', 'a 1-2')
    >>> folded("natural (anaerobic)") == folded("Natural, anaerobic"), folded("A-")
    (True, 'a-')
    """
    return _BETWEEN.sub("", " ".join(unaccented(item.casefold()).split()))


_BETWEEN: Final = re.compile(r"""(?<=[^\W\d_])(?:[ ‐\-(),;:"'’]+(?=[^\W\d_])|[),;:"]+$)""")


_SIZES: Final[Mapping[DatePart, int]] = {"year": 4, "month": 7}
"""Characters of an ISO date that tell a part of it."""


class Groups:
    """The groups of documents by a field."""

    def __init__(self, corpus: Corpus, reading: Interpretation) -> None:
        """Take the field that is grouped by, or a part of its dates; without one nothing is.

        Where the conditions name several of its values, no others are groups.
        """
        field, self._part = reading.group_by, reading.group_part
        self._grouped, self._named = bool(field), _named(reading)
        self._values = field_values(corpus, field) if field else {}
        self._names = group_names(self._values.values())

    def told(self) -> list[str]:
        """Say which variants of a name are in one group."""
        own = {item: name for item, name in self._names.items() if folded(item) != folded(name)}
        return [f"{item!r} is counted as {name!r}" for item, name in sorted(own.items())]

    def of_document(self, number: int) -> Sequence[str]:
        """Return the groups of a document; `(none)` where its field is empty, missing or `none`."""
        if not self._grouped:
            return ()
        value = self._values.get(number)
        if value is None or not value.items or says_nothing(value.raw):
            return (_NO_GROUP,)
        if self._part is not None:
            size = _SIZES[self._part]
            return ((value.date or "")[:size],) if len(value.date or "") >= size else (_NO_GROUP,)
        named = [
            each for each in value.items if any(satisfies(_alone(each), t) for t in self._named)
        ]
        return tuple(dict.fromkeys(self._names[item] for item in named or value.items))

    def of_documents(self, numbers: Iterable[int]) -> Sequence[str]:
        """Return the groups of what several documents name, each once; `(none)` where none has."""
        told = dict.fromkeys(each for number in numbers for each in self.of_document(number))
        return tuple(each for each in told if each != _NO_GROUP) or tuple(told)


def _named(reading: Interpretation) -> list[Predicate]:
    """Return the tests by which conditions name several values of the field that is grouped by."""
    tests = [
        atom.predicate
        for atom, denied in signed(reading.conditions)
        if atom.predicate and atom.predicate.field == reading.group_by and not denied
    ]
    tests = [each for each in tests if each.comparison in {"is", "contains"}]
    return tests if len({value for each in tests for value in each.values}) > 1 else []


def _alone(item: str) -> FieldValue:
    return FieldValue(raw=item, items=(item,))


_NO_GROUP: Final = "(none)"
_ORDERED: Final = frozenset({"is", "at_least", "at_most", "more_than", "less_than", "between"})


def mixed_units(reading: Interpretation, corpus: Corpus) -> dict[str, tuple[str, ...]]:
    """Return the fields that a reading takes numbers from although their units are not one.

    Each with its units in documents that no field rules out, the most frequent first. A field holds
    a number as it is written, without its unit: `5 kg` is less than `900 g` there.
    """
    measure = reading.measure
    named = [measure.field] if measure and measure.field and measure.of == "value" else []
    named += [
        each.predicate.field
        for each in atoms(reading.conditions)
        if each.predicate and each.predicate.of == "value" and each.predicate.comparison in _ORDERED
    ]
    numbers = {each.name for each in corpus.fields if each.type == "number"}
    found = {
        name: _counted(name, _compared(name, reading, corpus), corpus)
        for name in dict.fromkeys(named)
        if name in numbers
    }
    return {name: tuple(units) for name, units in found.items() if _unlike(list(units))}


def _unlike(units: list[str]) -> bool:
    """Tell whether some number would change, were it brought to the most frequent unit.

    A number without a unit is in that one, but beside shares it may be a fraction.

    >>> _unlike(["month", "months"]), _unlike(["kg", "g"]), _unlike(["EUR", ""]), _unlike(["%", ""])
    (False, True, False, True)
    """
    named = [unit for unit in units if unit]
    bare = len(named) < len(units)
    return any(converted(Decimal(1), each, named[0]) != 1 for each in named[1:]) or (
        bare and any(is_share(each) for each in named)
    )


def _compared(field: str, reading: Interpretation, corpus: Corpus) -> Collection[int]:
    """Return the documents that a reading may match, whatever numbers a field has in them."""
    ordered = [
        each.id
        for each in atoms(reading.conditions)
        if each.predicate
        and each.predicate.field == field
        and each.predicate.comparison in _ORDERED
    ]
    return frozenset(possible(corpus, reading.wanted, decided=dict.fromkeys(ordered)))


def _counted(field: str, documents: Collection[int], corpus: Corpus) -> dict[str, int]:
    """Return the units that a field's values are written in, the most frequent first."""
    counts: Counter[str] = Counter()
    values = corpus.field_values(field).items()
    for raw, count in Counter(each.raw for at, each in values if at in documents).items():
        with suppress(Unreadable):
            counts[value_unit(read_amount(" ".join(raw.split())).unit)] += count
    return dict(counts.most_common())
