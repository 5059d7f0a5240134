"""Cells as what a column holds: values of the attribute's type, or none with the reason."""

import math
import re
from collections.abc import Mapping
from typing import Final

from agent.records.record import Cell, Record
from agent.records.record_schema import Attribute, CellValue, Kind

__all__ = ("fitting",)

_DATE: Final = re.compile(r"-?\d{4}(-\d{2}(-\d{2})?)?\Z")
_LARGEST: Final = 2**63 - 1


def fitting(
    record: Record, kind: Kind
) -> tuple[Record, Mapping[str, CellValue], Mapping[str, list[CellValue]]]:
    """Return a record as it is stored, its row, and the values of its list attributes.

    Of several cells of an attribute of one value the first that has a value counts; the others
    stay beside it as cells. Cells of attributes that the kind does not have are left out of the
    row, and kept as cells.
    """
    cells = tuple(_checked(cell, kind.attribute(cell.attribute)) for cell in record.cells)
    row: dict[str, CellValue] = {}
    lists: dict[str, list[CellValue]] = {}
    for cell in cells:
        attribute = kind.attribute(cell.attribute)
        if attribute is None or cell.value is None:
            continue
        if attribute.many:
            lists.setdefault(attribute.name, []).append(cell.value)
        else:
            row.setdefault(attribute.name, cell.value)
    return record.model_copy(update={"cells": cells}), row, lists


def _checked(cell: Cell, attribute: Attribute | None) -> Cell:
    if attribute is None:
        reason = f"there is no attribute {cell.attribute!r}"
        return cell.model_copy(update={"reason": cell.reason or reason})
    if cell.value is None or _fits(cell.value, attribute):
        return cell
    written = cell.original or str(cell.value)
    return cell.model_copy(
        update={
            "value": None,
            "original": written,
            "reason": f"{written!r} cannot be stored as {attribute.type}",
        }
    )


def _fits(value: CellValue, attribute: Attribute) -> bool:
    match attribute.type:
        case "boolean":
            return isinstance(value, bool)
        case "text":
            return isinstance(value, str) and "\0" not in value
        case "date":
            return isinstance(value, str) and _DATE.match(value) is not None
        case _:
            return _is_number(value, whole=attribute.type == "integer")


def _is_number(value: CellValue, *, whole: bool) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    if isinstance(value, float) and not math.isfinite(value):
        return False
    return abs(value) <= _LARGEST and (not whole or value == int(value))
