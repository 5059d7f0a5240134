"""Whether two values of a column are the same, however they were written or computed."""

import math
import re
import unicodedata
from decimal import Decimal
from typing import Final

from agent.records.record import Cell
from agent.records.record_schema import Attribute, CellValue
from tools.records.column_units import value_unit
from tools.records.conversion import converted
from tools.records.values import column_unit, normalise

__all__ = ("same_cell", "same_value")

_NEAR: Final = 1e-6
_WORD: Final = re.compile(r"[^\W_]+")
_ARTICLES: Final = frozenset({"the", "a", "an"})


def same_cell(left: Cell, right: Cell, attribute: Attribute) -> bool:
    """Tell whether two cells of an attribute state the same value, in whatever unit.

    Where the attribute has no unit each number is in its own: 1 kg is 1000 g, 5 EUR is not 5 JPY.
    A number without a unit may be in the other's.
    """
    one, other = value_unit(left.unit), value_unit(right.unit)
    if attribute.type == "text" or column_unit(attribute) or not one or not other or one == other:
        return same_value(left.value, right.value, attribute)
    if not isinstance(left.value, int | float) or not isinstance(right.value, int | float):
        return same_value(left.value, right.value, attribute)
    result = converted(Decimal(repr(right.value)), other, one)
    return not isinstance(result, str) and math.isclose(left.value, result, rel_tol=_NEAR)


def same_value(left: CellValue, right: CellValue, attribute: Attribute) -> bool:
    """Tell whether two values are the same one of an attribute.

    A text in a column of another type is normalised first, and is no value where that fails. Whole
    numbers, yes and no, and dates must be equal, a date in its precision too; other numbers to one
    in a million. Text is compared by its words, without case, accents, punctuation and an article
    in front. No value is the same as no value only.

    >>> price = Attribute(name="price", type="number", unit="USD")
    >>> same_value("$1.2M", 1_200_000.0, price), same_value(None, 0, price)
    (True, False)
    >>> same_value("The Grand-Hôtel", "grand hotel", Attribute(name="name", type="text"))
    True
    """
    one, two = _typed(left, attribute), _typed(right, attribute)
    if one is None or two is None:
        return one is two
    if isinstance(one, str) and isinstance(two, str):
        return one == two or (attribute.type == "text" and _words(one) == _words(two))
    if isinstance(one, str) or isinstance(two, str):
        return False
    if attribute.type != "number":
        return one == two
    return math.isclose(one, two, rel_tol=_NEAR, abs_tol=1e-12)


def _typed(value: CellValue, attribute: Attribute) -> CellValue:
    if isinstance(value, str):
        return normalise(value, attribute).value
    if attribute.type == "text" and value is not None:
        return str(value)
    return value


def _words(text: str) -> list[str]:
    """Return the words of a text, folded; a text without words stands for itself."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    words = _WORD.findall("".join(each for each in plain if not unicodedata.combining(each)))
    kept = words[1:] if len(words) > 1 and words[0] in _ARTICLES else words
    return kept or [text]
