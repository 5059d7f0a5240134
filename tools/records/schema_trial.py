"""Faults of a schema that a trial of it shows: attributes whose values do not agree.

Values agree when they fit the type, come in one unit, are stated at all and have one form. What is
looked for is what makes a column useless for computing, not every oddity.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from agent.records.induction import Disagreement, Trouble
from agent.records.record import Cell, Record
from agent.records.record_schema import Attribute, Kind, Schema, are_versions
from agent.value import counted

_FEW: Final = 4
"""Values below which nothing can be said of their form."""
_RARE: Final = 0.1
"""An attribute that fewer of the records state is as good as empty."""
_UNTYPED: Final = 0.2
"""The share of values that may be refused, and two of them in any case while others are taken: a
slip or an odd value is null with its reason, and no fault of the type."""
_ODD: Final = 2
_MIXED: Final = 0.2
"""The share that a second form or unit must have to be more than a slip."""
_SHOWN: Final = 6
_LONGEST_FORM: Final = 4
Shares = Mapping[str, int]


def disagreements(
    schema: Schema, records: Sequence[Record], unread: Sequence[str] = ()
) -> tuple[Disagreement, ...]:
    """Return the troubles of a schema, the kinds in order.

    Args:
        schema: what was read by.
        records: of documents that had no part in drawing it up.
        unread: documents in which nothing was found.
    """
    found = [each for kind in schema.kinds for each in _of_kind(kind, records)]
    if unread and schema.kinds:
        found.append(_nothing_found(schema.kinds[0].name, unread))
    return tuple(found)


def _of_kind(kind: Kind, records: Sequence[Record]) -> Iterator[Disagreement]:
    own = [each for each in records if each.kind == kind.name]
    if not own:
        return
    for attribute in kind.attributes:
        held = [
            [cell for cell in record.cells if cell.attribute == attribute.name] for record in own
        ]
        trouble = _trouble(attribute, [each for cells in held for each in cells], len(own))
        if trouble is not None:
            filled = sum(any(cell.value is not None for cell in cells) for cells in held)
            yield trouble.model_copy(
                update={"kind": kind.name, "filled": filled, "records": len(own)}
            )


def _trouble(attribute: Attribute, cells: Sequence[Cell], records: int) -> Disagreement | None:
    """Return the gravest trouble of an attribute."""
    given = [each for each in cells if each.value is not None]
    refused = [each for each in cells if each.value is None and each.original.strip()]
    if records >= _FEW and len(cells) < _RARE * records:
        return _told(attribute, "empty", cells, "hardly any record states it")
    if len(refused) > (max(_ODD, _UNTYPED * len(cells)) if len(refused) < len(given) else 1):
        reasons = "; ".join(dict.fromkeys(each.reason for each in refused[:3]))
        why = (
            f"{len(refused)} of {counted(len(cells), 'value')} cannot be taken as {attribute.type}"
        )
        return _told(attribute, "untyped", refused, f"{why}: {reasons}")
    if attribute.type == "number" and are_versions(each.original for each in given):
        return _told(attribute, "untyped", given, "they are versions: 3.10 is another than 3.1")
    if len(given) < _FEW:
        return None
    return _unlike(attribute, given)


def _told(attribute: Attribute, trouble: Trouble, cells: Sequence[Cell], why: str) -> Disagreement:
    shown = (f"{each.original} {each.unit or ''}".strip() for each in cells)
    values = tuple(dict.fromkeys(shown))[:_SHOWN]
    return Disagreement(kind="", attribute=attribute.name, trouble=trouble, values=values, why=why)


def _unlike(attribute: Attribute, given: Sequence[Cell]) -> Disagreement | None:
    if attribute.type in {"integer", "number"} and attribute.unit is None:
        units = Counter(each.unit or "" for each in given)
        if _mixed(units):
            named = ", ".join(repr(each) if each else "none" for each in units)
            return _told(
                attribute, "units", _one_of_each(given, _unit), f"they come in units: {named}"
            )
    if attribute.type == "text":
        forms = Counter(_form(str(each.value)) for each in given)
        if _mixed(forms) and len(forms) <= _FEW:
            named = ", ".join(forms)
            shown = _one_of_each(given, lambda each: _form(str(each.value)))
            return _told(attribute, "forms", shown, f"they have unlike forms: {named}")
    return None


def _mixed(shares: Shares) -> bool:
    """Tell whether a second form or unit is too frequent for a slip."""
    total = sum(shares.values())
    return total - max(shares.values()) >= max(2, _MIXED * total)


def _one_of_each(cells: Sequence[Cell], key: Callable[[Cell], str]) -> list[Cell]:
    ordered = sorted(cells, key=key)
    return [cell for _, group in groupby(ordered, key) for cell in list(group)[:2]]


def _unit(cell: Cell) -> str:
    return cell.unit or ""


def _nothing_found(kind: str, unread: Sequence[str]) -> Disagreement:
    why = f"nothing was found in {len(unread)} of the documents tried"
    return Disagreement(kind=kind, trouble="unread", values=tuple(unread[:_SHOWN]), why=why)


def _form(value: str) -> str:
    """Return a text value's form: how long it is, and whether it is written as a code or number.

    >>> [_form(each) for each in ("USA", "United States", "42", "12 kg", "one of some more words")]
    ['code', 'words', 'number', 'number with words', 'sentence']
    """
    words = value.split()
    if re.fullmatch(r"[\d.,%+-]+", value):
        return "number"
    if words and re.match(r"\d", words[0]) and len(words) <= _LONGEST_FORM:
        return "number with words"
    if len(words) == 1 and value.isupper() and len(value) <= _LONGEST_FORM:
        return "code"
    return "words" if len(words) <= _LONGEST_FORM else "sentence"
