"""Amounts that an adjective binds to a field: `older than 70`, `66 years old`, `are under 50`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from agent.reasoners.rules.language.bounds import Bound
from agent.reasoners.rules.language.units import converted
from agent.reasoners.rules.language.words import Token, akin, low_at
from agent.reasoners.rules.reading.degree_words import measured_by
from agent.reasoners.rules.reading.facts import Facts
from agent.reasoners.rules.reading.kinship import unit_in
from agent.reasoners.rules.reading.labels import Labels

__all__ = ("aged", "by_degree")

_AGES: Final = ("age",)
_OF_AGE: Final = frozenset({"old", "young"})
_OLDEST: Final = 130
"""Nobody is older, so that a larger amount beside no field's name is of something else."""
_YEARS: Final = frozenset({"", "year", "years", "yr", "yrs", "month", "months"})
_COPULAS: Final = frozenset({"is", "are", "was", "were", "be", "being", "aged"})


def by_degree(
    labels: Labels, tokens: Sequence[Token], start: int, bound: Bound
) -> tuple[Facts, Bound, int] | None:
    """Return the field that an adjective beside an amount measures, the amount, and its end.

    The adjective is a comparative before the amount, or stands right behind its unit. None where it
    measures nothing that one field alone holds.
    """
    if not _is_amount(bound):
        return None
    before, behind = _compared(tokens, start), _described(tokens, bound.end)
    word = before or behind
    field = _measuring(labels, word) if word else None
    if field is None or not (bound.unit or before or field.words == _AGES):
        return None
    told = _in_unit(bound, field, years=word in _OF_AGE)
    return None if told is None else (field, told, bound.end + bool(behind))


def aged(
    labels: Labels, tokens: Sequence[Token], start: int, bound: Bound
) -> tuple[Facts, Bound] | None:
    """Return the field of ages for a bare amount that somebody is over or under: `are under 50`."""
    if not (_is_amount(bound) and bound.explicit and bound.unit in _YEARS):
        return None
    if any(float(value) > _OLDEST for value in bound.values):
        return None
    before = tokens[start - 1] if start else None
    said = before is None or before.low in _COPULAS or not before.function
    field = _measuring(labels, "old") if said else None
    told = _in_unit(bound, field, years=True) if field is not None else None
    return None if field is None or told is None else (field, told)


def _is_amount(bound: Bound) -> bool:
    """Tell whether a bound is of plain numbers: `10.11.2018` and `3.10.2` are none."""
    return bound.kind == "number" and not any(value.count(".") > 1 for value in bound.values)


def _compared(tokens: Sequence[Token], start: int) -> str:
    """Return the adjective of `older than`; empty where an amount begins otherwise."""
    low = [token.low for token in tokens[start : start + 2]]
    if low[1:] != ["than"]:
        return ""
    return next((base for base in _bases(low[0]) if _measures(base)), "")


def _bases(comparative: str) -> Iterator[str]:
    if comparative.endswith("er"):
        stem = comparative[:-2]
        yield from (stem, f"{stem}e")
        if stem.endswith("i"):
            yield f"{stem[:-1]}y"
        if stem[-2:-1] == stem[-1:]:
            yield stem[:-1]


def _described(tokens: Sequence[Token], at: int) -> str:
    """Return the adjective right behind an amount and its unit: `66 years old`."""
    word = low_at(tokens, at)
    return word if _measures(word) else ""


def _measures(word: str) -> tuple[str, ...]:
    return _AGES if word in _OF_AGE else measured_by(word)


def _measuring(labels: Labels, word: str) -> Facts | None:
    """Return the number field of the first word for what is measured, if it is the only one."""
    for name in _measures(word):
        fields = [
            each
            for each in labels.fields
            if each.field.type == "number"
            and not each.fact
            and any(akin(own, name) for own in each.words)
        ]
        if fields:
            return fields[0] if len(fields) == 1 else None
    return None


def _in_unit(bound: Bound, field: Facts, *, years: bool) -> Bound | None:
    """Return the amount as the field is written; ages without a unit are in years."""
    unit = unit_in(field) or ("years" if years else bound.unit)
    if not bound.unit:
        return bound
    told = [converted(value, bound.unit, unit) or "" for value in bound.values]
    if not all(told):
        return bound if unit == bound.unit else None
    return replace(bound, values=tuple(told))
