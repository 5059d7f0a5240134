"""The type and unit of a column, from its values as documents write them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from agent.records.schema import Attribute, AttributeType
from tools.records.amounts import Amount, read_amount
from tools.records.booleans import read_boolean
from tools.records.conversion import is_share
from tools.records.currencies import currency_of
from tools.records.dates import date_order, read_date
from tools.records.units import parse_unit
from tools.records.values import is_absent

__all__ = ("infer_type",)

_SHARE: Final = 0.9
_FEW_UNITS: Final = 3
_ANY: Final = Attribute(name="any", type="number")


def infer_type(values: Sequence[str]) -> tuple[AttributeType, str | None]:
    """Return the type that at least nine in ten values have, and the unit that they share.

    Values that say there is none are left out. Only words make a boolean: a column of 1 and 0 is
    of whole numbers. Years alone are whole numbers, since nothing tells them from counts; they are
    dates beside a date that is more precise. Codes with leading zeros are text. A unit is returned
    where at least half of the numbers carry one, and nine in ten of these measure the same: the
    most frequent one, a currency by its code.

    >>> infer_type(["$1.2M", "USD 300,000", "n/a"]), infer_type(["12 km", "900 m", "3 km"])
    (('integer', 'USD'), ('integer', 'km'))
    >>> infer_type(["yes", "No"]), infer_type(["3 May 2020", "2021"]), infer_type(["0042", "0043"])
    (('boolean', None), ('date', None), ('text', None))
    """
    texts = [text for each in values if not is_absent(text := " ".join(each.split()), _ANY)]
    if not texts:
        return "text", None
    if _shared(read_boolean(text) is not None and not text.isdigit() for text in texts):
        return "boolean", None
    if _are_dates(texts):
        return "date", None
    unit = _unit(_amounts(texts, ""))
    amounts = _amounts(texts, unit or "")
    if len(amounts) < _SHARE * len(texts) or _differ(amounts):
        return "text", None
    share = unit is not None and is_share(unit)
    whole = all(each.number == each.number.to_integral_value() for each in amounts)
    return ("integer" if whole and not share else "number"), unit


def _shared(tests: Iterable[bool]) -> bool:
    """Tell whether nine in ten hold."""
    found = list(tests)
    return sum(found) >= _SHARE * len(found)


def _are_dates(texts: Sequence[str]) -> bool:
    order = date_order(texts)
    precise = any(not text.isdigit() and read_date(text, order)[0] for text in texts)
    return precise and _shared(read_date(text, order)[0] is not None for text in texts)


def _amounts(texts: Sequence[str], wanted: str) -> list[Amount]:
    """Return what can be read as amounts, once it is known what they measure."""
    found = (read_amount(text, wanted=wanted) for text in texts)
    return [each for each in found if isinstance(each, Amount) and _plausible(each)]


def _plausible(amount: Amount) -> bool:
    """Tell whether the words behind a number may be a unit: no title, no rest of an address."""
    unit = parse_unit(amount.unit) if amount.unit else None
    return unit is None or not unit.counted or amount.unit.islower()


def _differ(amounts: Sequence[Amount]) -> bool:
    """Tell whether the words behind the numbers are no units: the rest of addresses or titles."""
    words = {each.unit.casefold() for each in amounts if each.unit}
    return len(words) > max(_FEW_UNITS, len(amounts) // 4)


def _unit(amounts: Sequence[Amount]) -> str | None:
    """Return the unit that the amounts share."""
    written = [currency_of(each.unit) or each.unit for each in amounts if each.unit]
    if not written or len(written) < len(amounts) / 2:
        return None
    first, _ = Counter(written).most_common(1)[0]
    if is_share(first):
        return "%" if _shared(is_share(each) for each in written) else None
    target = parse_unit(first)
    if target is None:
        return first if _shared(each == first for each in written) else None
    return first if _shared(_bases(each) == target.bases for each in written) else None


def _bases(unit: str) -> tuple[tuple[str, int], ...] | None:
    parsed = parse_unit(unit)
    return parsed.bases if parsed else None
