"""Which field tells the kinds of a mixed collection apart, and which fields each kind has."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from agent.corpus import CorpusView, Field
from prompts.plain_text import one_line

__all__ = ("Kinds", "kinds_of")

_SAMPLE: Final = 500
"""Documents looked at; enough to see which fields go together."""
_FIELDS: Final = 40
_MOST_KINDS: Final = 20
_FEWEST_EACH: Final = 2
"""Documents of a kind on average: a value of its own for each document is no kind."""
_EVERYWHERE: Final = 0.95
_ENOUGH: Final = 0.5
"""Half of the errors in guessing which document has which field must go away."""


class Kinds:
    """The kinds of documents that one field's values tell apart."""

    def __init__(self, field: str, holders: Mapping[str, Sequence[str]]) -> None:
        self.field = field
        """The field that tells the kind."""
        self._holders = holders

    def having(self, field: str) -> str:
        """Say in documents of which kinds a field stands; empty where that is no matter of kinds.

        >>> Kinds("Record", {"Rent": ("Lease",)}).having("Rent")
        'only where Record is Lease'
        """
        kinds = self._holders.get(field, ())
        return f"only where {one_line(self.field)} is {' or '.join(kinds)}" if kinds else ""


def kinds_of(corpus: CorpusView) -> Kinds | None:
    """Find the field whose value tells best which other fields a document has.

    Best by Goodman and Kruskal's lambda: by how much the value reduces the errors in guessing, for
    each field that not all documents have, whether a document has it. None where no field of a few
    values reduces them by half.
    """
    step = max(1, len(corpus.documents) // _SAMPLE)
    sample = frozenset(range(0, len(corpus.documents), step))
    shown = corpus.fields[:_FIELDS]
    holding = {each.name: sample.intersection(corpus.field_values(each.name)) for each in shown}
    partial = {
        name: held
        for name, held in holding.items()
        if held and len(held) < _EVERYWHERE * len(sample)
    }
    blind = sum(min(len(held), len(sample) - len(held)) for held in partial.values())
    found = [
        (1 - _errors(values, partial.values()) / blind, -each.distinct, each.name, values)
        for each in shown
        if blind and (values := _values(each, sample, corpus))
    ]
    best = max(found, key=lambda each: each[:2], default=None)
    if best is None or best[0] < _ENOUGH:
        return None
    _, _, name, values = best
    return Kinds(name, {field: _kinds_with(held, values) for field, held in partial.items()})


def _values(field: Field, sample: frozenset[int], corpus: CorpusView) -> dict[int, str]:
    """Return a field's value by document, where it can tell kinds: few, single, everywhere."""
    if field.type != "text" or not 2 <= field.distinct <= _MOST_KINDS:
        return {}
    held = corpus.field_values(field.name)
    values = {at: held[at].items[0] for at in sample if at in held and len(held[at].items) == 1}
    repeated = len(values) >= _FEWEST_EACH * len(set(values.values()))
    return values if repeated and len(values) >= _EVERYWHERE * len(sample) else {}


def _errors(values: Mapping[int, str], partial: Iterable[frozenset[int]]) -> int:
    """Count the documents on which guessing a field by the majority of the kind goes wrong."""
    sizes = Counter(values.values())
    total = 0
    for held in partial:
        having = Counter(values[at] for at in held if at in values)
        total += sum(min(having[kind], size - having[kind]) for kind, size in sizes.items())
    return total


def _kinds_with(held: frozenset[int], values: Mapping[int, str]) -> tuple[str, ...]:
    """Return the kinds whose documents have a field; none where most kinds have it."""
    kinds = sorted({values[at] for at in held if at in values})
    return tuple(map(one_line, kinds)) if 2 * len(kinds) <= len(set(values.values())) else ()
