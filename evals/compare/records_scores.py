"""How well records were read, and whether questions over them were answered exactly."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from agent.answer import Answer
from agent.records.record import Cell, Record
from agent.records.record_schema import Attribute, CellValue, Kind, Schema
from evals.metrics import is_exact, normalised_error
from evals.names import normal_name
from evals.questions import Record as Question
from tools.records.record_values import same_value

__all__ = ("Reading", "count_error", "is_right", "paired", "reading")

_NAMED: Final = frozenset({"list", "argmax", "argmin", "top-k", "most common"})
_COUNTED: Final = frozenset({"count", "count distinct"})
_COVERED: Final = 0.5
_NEAR: Final = 1e-4

Cells = Mapping[tuple[str, str], Sequence[CellValue]]
"""By document and attribute, the values."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read against what was drawn."""

    covered: int
    """Attributes of which at least half of the values were read."""
    attributes: int
    right: int
    """Values read as they were drawn."""
    read: int
    """Values read in the columns that stand for drawn attributes."""
    drawn: int

    @property
    def precision(self) -> float | None:
        """Share of the values read that are right."""
        return self.right / self.read if self.read else None

    @property
    def recall(self) -> float | None:
        """Share of the drawn values that were read right."""
        return self.right / self.drawn if self.drawn else None


def reading(drawn: Iterable[Record], read: Iterable[Record], gold: Schema) -> Reading:
    """Compare records; the columns of another schema are paired with the drawn attributes first."""
    by_kind: dict[str, list[Record]] = defaultdict(list)
    for record in drawn:
        by_kind[record.kind].append(record)
    found = list(read)
    total = Counter[str]()
    for name, records in by_kind.items():
        kind = gold.kind(name)
        if kind is not None:
            total.update(_of_kind(kind, records, found))
    return Reading(**{name: total[name] for name in Reading.__slots__})


def _of_kind(kind: Kind, drawn: Sequence[Record], read: Sequence[Record]) -> Counter[str]:
    documents = {each.document for each in drawn}
    true, found = _cells(drawn), _cells(each for each in read if each.document in documents)
    columns = paired(kind, true, found)
    total = Counter(attributes=len(kind.attributes))
    for attribute in kind.attributes:
        places = [place for place in true if place[1] == attribute.name]
        column = columns.get(attribute.name)
        right = sum(_alike(true[each], found.get((each[0], column or "")), attribute)
                    for each in places)  # fmt: skip
        wanted = sum(len(true[each]) for each in places)
        total.update(
            right=right,
            drawn=wanted,
            read=sum(len(values) for (_, name), values in found.items() if name == column),
            covered=int(bool(wanted) and right >= _COVERED * wanted),
        )
    return total


def paired(kind: Kind, true: Cells, found: Cells) -> dict[str, str]:
    """Return the column that holds each attribute: of one name, else the one most like it.

    Columns are given to attributes by how many values they share, the most first, each once.
    """
    names = {name for _, name in found}
    taken = {each.name: each.name for each in kind.attributes if each.name in names}
    likeness = Counter({
        (attribute.name, name): sum(
            _alike(true[document, attribute.name], values, attribute)
            for (document, column), values in found.items()
            if column == name and (document, attribute.name) in true
        )
        for attribute in kind.attributes
        for name in sorted(names - set(taken.values()))
        if attribute.name not in taken
    })  # fmt: skip
    for (attribute, name), shared in likeness.most_common():
        if shared and attribute not in taken and name not in taken.values():
            taken[attribute] = name
    return taken


def _cells(records: Iterable[Record]) -> dict[tuple[str, str], list[CellValue]]:
    found: dict[tuple[str, str], list[CellValue]] = defaultdict(list)
    for record in records:
        for cell in record.cells:
            if _stated(cell):
                found[record.document, cell.attribute].append(cell.value)
    return dict(found)


def _stated(cell: Cell) -> bool:
    return cell.value is not None


def _alike(
    one: Sequence[CellValue], other: Sequence[CellValue] | None, attribute: Attribute
) -> int:
    """Return how many values two lists share, each counted once."""
    left = list(other or ())
    shared = 0
    for value in one:
        at = next((at for at, each in enumerate(left) if same_value(value, each, attribute)), None)
        if at is not None:
            shared += 1
            del left[at]
    return shared


def is_right(question: Question, groups: Mapping[str, float] | None, answer: Answer | None) -> bool:
    """Tell whether an answer is exactly the true one: the number, the names, or all groups."""
    if answer is None or answer.status == "needs_clarification":
        return False
    if groups is not None:
        return _same_groups(groups, answer.value)
    if question.aggregation in _NAMED:
        return {normal_name(each) for each in question.answer or ()} == _names(question, answer)
    if isinstance(answer.value, dict) or question.gold is None:
        return False
    return is_exact(answer.value, question.gold, measured=question.aggregation not in _COUNTED)


def count_error(question: Question, answer: Answer | None) -> float | None:
    """Return NACE of a count, None for other questions; no answer counts as 0."""
    if question.aggregation not in _COUNTED or question.gold is None:
        return None
    value = None if answer is None or isinstance(answer.value, dict) else answer.value
    return normalised_error(value, question.gold)


def _names(question: Question, answer: Answer) -> set[str]:
    """Return the names that were answered; a group's name where the answer is by group."""
    true = {normal_name(each) for each in question.answer or ()}
    if isinstance(answer.value, dict):
        return {normal_name(each) for each in answer.value}
    named = set()
    for entity in answer.entities:
        known = [normal_name(name) for name in (entity.name, *entity.aliases)]
        named.add(next((name for name in known if name in true), known[0]))
    return named


def _same_groups(true: Mapping[str, float], value: object) -> bool:
    if not isinstance(value, dict):
        return False
    told = {normal_name(str(name)): number for name, number in value.items()}
    wanted = {normal_name(name): number for name, number in true.items()}
    return told.keys() == wanted.keys() and all(
        math.isclose(told[name], number, rel_tol=_NEAR) for name, number in wanted.items()
    )
