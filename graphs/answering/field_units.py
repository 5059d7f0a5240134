"""The units in which metadata fields write the numbers that a reading computes or compares with."""

from collections import Counter
from decimal import Decimal
from typing import Final

from agent.corpus_view import CorpusView
from agent.question import Interpretation, atoms
from tools.records.amounts import read_amount
from tools.records.units import converted, is_share, value_unit

__all__ = ("unlike_units",)

_ORDERED: Final = frozenset({"is", "at_least", "at_most", "more_than", "less_than", "between"})


def unlike_units(reading: Interpretation, corpus: CorpusView) -> dict[str, tuple[str, ...]]:
    """Return the fields that a reading takes numbers from although their units are not one.

    A field holds a number as it is written, without its unit: `5 kg` is less than `900 g` there,
    and `EUR 10` as much as `JPY 10`. By the field's name, its units, the most frequent first.
    """
    named = [reading.measure.field] if reading.measure and reading.measure.of == "value" else []
    named += [
        each.predicate.field
        for each in atoms(reading.conditions)
        if each.predicate and each.predicate.of == "value" and each.predicate.comparison in _ORDERED
    ]
    numbers = {each.name for each in corpus.fields if each.type == "number"}
    found = {name: _counted(name, corpus) for name in dict.fromkeys(named) if name in numbers}
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


def _counted(field: str, corpus: CorpusView) -> dict[str, int]:
    """Return the units that a field's values are written in, the most frequent first."""
    counts: Counter[str] = Counter()
    for raw, count in Counter(each.raw for each in corpus.field_values(field).values()).items():
        amount = read_amount(" ".join(raw.split()))
        if not isinstance(amount, str):
            counts[value_unit(amount.unit)] += count
    return dict(counts.most_common())
