"""Amounts with a unit, held against a column whose values are in several that do not convert."""

from dataclasses import replace
from typing import Final

from agent.english import currency_of, is_code, names_money
from agent.reasoners.rules.language.units import converted
from agent.reasoners.rules.records.querying.bounds import Limit, test_of
from agent.reasoners.rules.records.querying.reading import Reading
from agent.records.query_plan import AllTests, AnyTest, Column, Compare, Test
from agent.records.record_schema import MixedUnits

__all__ = ("in_its_unit",)

_LONGEST: Final = 3
"""Words of a currency's name: `New Zealand dollars`."""


def in_its_unit(reading: Reading, column: Column, limit: Limit, mixed: MixedUnits) -> Test | None:
    """Return the test of a limit together with that of its unit; None where it names none.

    A value in a unit that the limit's does not convert to does not pass: a rent in yen is not
    above 5,000 EUR. A currency that no value is in passes nothing.
    """
    if mixed.stated_by is None or limit.dated:
        return None
    stated_by = Column(kind=column.kind, attribute=mixed.stated_by)
    said = limit.unit or _named_behind(reading, limit.end, mixed)
    factors = {each: factor for each in mixed.units if (factor := _factor(said, each))}
    if not factors and said and all(map(names_money, filter(None, mixed.units))):
        code = _currency(said)
        factors = {code: 1.0} if code else {}
    parts = tuple(
        AllTests(
            parts=(
                Compare(left=stated_by, comparator="=", value=unit),
                test_of(column, _multiplied(limit, factor), None),
            )
        )
        for unit, factor in factors.items()
    )
    return None if not parts else parts[0] if len(parts) == 1 else AnyTest(parts=parts)


def _factor(said: str, unit: str) -> float | None:
    """Return how much of a column's unit one of the said one is; None where they do not convert."""
    if not said or not unit:
        return None
    if said == unit == "%":
        return 0.01
    code = _currency(unit)
    if code is not None:
        return 1.0 if _currency(said, code) == code else None
    one = "1" if said == unit.casefold() else converted("1", said, unit.casefold())
    return float(one) if one is not None else None


def _currency(written: str, wanted: str = "") -> str | None:
    """Return the code of a currency; the tokens of a question have codes in lower case."""
    upper = written.upper()
    return upper if is_code(upper) else currency_of(written, wanted)


def _named_behind(reading: Reading, at: int, mixed: MixedUnits) -> str:
    """Return the currency of some values that stands behind an amount, and use its words."""
    for end in range(min(at + _LONGEST, len(reading.tokens)), at, -1):
        words = reading.words(at, end)
        code = next((each for each in mixed.units if each and _factor(words, each)), None)
        if code is not None and names_money(words):
            reading.use(at, end)
            return code
    return ""


def _multiplied(limit: Limit, factor: float) -> Limit:
    values = tuple(f"{float(each) * factor:.12g}" for each in limit.values)
    return replace(limit, values=values, unit="")
