"""Values of records: what a document writes, brought to a column's type and unit."""

import re
import unicodedata
from decimal import Decimal
from functools import lru_cache
from typing import Final

from agent.currencies import currency_of, names_money
from agent.records.record_schema import Attribute, CellValue
from agent.value import Value
from tools.placeholders import PLACEHOLDERS
from tools.records.amounts import Amount, read_amount
from tools.records.booleans import read_boolean
from tools.records.conversion import converted, is_share
from tools.records.dates import date_order, read_date
from tools.records.units import parse_unit, split_scale

__all__ = ("Normalised", "column_unit", "is_absent", "normalise")

_ABSENT: Final = frozenset(
    {*PLACEHOLDERS, "?", "not available", "not applicable", "not stated", "not specified",
     "not reported", "not disclosed", "not given"}
)  # fmt: skip
_ABSENT_AMOUNT: Final = _ABSENT | {"none", "unknown", "na", "tbd", "tba", "to be determined"}
_DECIMALS: Final = re.compile(r"\d[.,]\d{1,2}(?![\d.,])")
_LARGEST: Final = 2**63 - 1


class Normalised(Value):
    """A value as a column holds it, or the reason why there is none."""

    value: CellValue
    original: str
    """As written."""
    unit: str | None = None
    """As written, a currency by its code; None where none is written."""
    reason: str = ""
    """Why there is no value; empty where there is one."""
    note: str = ""
    """What is uncertain about a value: `said to be approximate`; empty for most."""


def normalise(written: str, attribute: Attribute, unit: str | None = None) -> Normalised:
    """Return the value that a text states, in the attribute's type and unit, or the reason why not.

    Numbers: 1M, 1,000,000, 1.000.000 and `one million` are the same (rules for marks:
    `tools.records.digits`). Shares are fractions: `41%` is 0.41; in a column of percent a number
    without a sign is the fraction itself, and from 1 on it is refused, since 1 and 41 may be
    either. Units are converted (`tools.records.conversion`), currencies never. An attribute without
    a unit has the one that all its examples measure in, if they do; a plain number stays. Money
    has no thousandths: `1.234` is refused in a column of money, unless its examples have decimals.
    Bounds, ranges and several numbers are refused. Dates: ISO in the precision that is certain
    (`tools.records.dates`); day and month are told apart by the attribute's examples. Text: in
    Unicode's composed form, single spaces.

    Args:
        written: one value; a list attribute's values come one by one.
        attribute: whose type, unit and examples decide.
        unit: the unit of the number as written where it stands apart from it, as in the heading of
            a column, scale included (`USD million`); a unit beside the number goes before it.
    """
    text = " ".join(unicodedata.normalize("NFC", written).split())
    if is_absent(text, attribute):
        return _none(written, unit, "the text states no value")
    match attribute.type:
        case "text":
            return Normalised(value=text, original=written, unit=unit)
        case "boolean":
            return _boolean(written, text)
        case "date":
            date, note = read_date(text, date_order(attribute.examples))
            if date is None:
                return _none(written, None, note)
            return Normalised(value=date, original=written, note=note)
        case _:
            return _number(written, text, attribute, unit or "")


def column_unit(attribute: Attribute) -> str:
    """Return the unit that numbers are converted to: declared, or that of all examples; or none."""
    return attribute.unit or _shown(attribute.examples)


def is_absent(text: str, attribute: Attribute) -> bool:
    """Tell whether a text only says that there is no value; `none` may be a text's own word."""
    low = text.casefold()
    return low in (_ABSENT if attribute.type == "text" else _ABSENT_AMOUNT)


def _none(written: str, unit: str | None, reason: str) -> Normalised:
    return Normalised(value=None, original=written, unit=unit, reason=reason)


def _boolean(written: str, text: str) -> Normalised:
    value = read_boolean(text)
    if value is None:
        return _none(written, None, f"{text!r} is neither yes nor no")
    return Normalised(value=value, original=written)


def _number(written: str, text: str, attribute: Attribute, apart: str) -> Normalised:
    wanted = column_unit(attribute)
    whole = attribute.type == "integer" and not is_share(wanted)
    amount = read_amount(
        text, wanted=wanted or apart, whole=whole, money=not whole and _cents(attribute, apart)
    )
    if isinstance(amount, str):
        return _none(written, apart or None, amount)
    unit = amount.unit or _apart(text, apart)
    named = currency_of(unit, wanted) or unit or None
    number = _in_unit(amount, unit, wanted)
    if isinstance(number, str):
        return _none(written, named, number)
    value, reason = _typed(number, attribute)
    note = "said to be approximate" if amount.about and not reason else ""
    return Normalised(value=value, original=written, unit=named, reason=reason, note=note)


@lru_cache(maxsize=4096)
def _shown(examples: tuple[str, ...]) -> str:
    """Return the unit that every example is written in, empty where they differ or one has none."""
    read = [read_amount(" ".join(each.split())) for each in examples]
    units = [each.unit if isinstance(each, Amount) else "" for each in read]
    parsed = [parse_unit(each) if each else None for each in units]
    bases = {each.bases if each else () for each in parsed}
    if len(bases) != 1 or not all(bases):
        return ""
    return currency_of(units[0]) or units[0]


def _cents(attribute: Attribute, apart: str) -> bool:
    """Tell whether a bare number is money in its own unit: no millions, and no rate."""
    scale, unit = split_scale(apart or column_unit(attribute))
    decimals = any(_DECIMALS.search(each) for each in attribute.examples)
    return scale == 1 and names_money(unit) and not decimals


def _in_unit(amount: Amount, unit: str, wanted: str) -> Decimal | str:
    if wanted and is_share(wanted) and not unit and abs(amount.number) >= 1:
        return f"{amount.number} without % may be percent or a factor: write it with %"
    if not unit and not amount.scaled:
        return amount.number
    return converted(amount.number, unit, wanted)


def _apart(text: str, apart: str) -> str:
    """Return the unit that stands apart, without a scale that the text itself has."""
    if re.search(r"\d", text) and not re.search(r"\d\s*[^\W\d_]", text):
        return apart
    return split_scale(apart)[1]


def _typed(number: Decimal, attribute: Attribute) -> tuple[CellValue, str]:
    value = float(number)
    if abs(value) > 1e300:
        return None, "larger than any number that can be held"
    if attribute.type == "number":
        return value + 0.0, ""
    if number != number.to_integral_value():
        return None, f"{value:.15g} is not a whole number"
    if abs(number) > _LARGEST:
        return None, "larger than any whole number that can be held"
    return int(number), ""
