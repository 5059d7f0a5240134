"""The kinds that the entries of sample documents show: one record a document, or many."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    PRONOUNS,
    RELATIVES,
)
from agent.reasoners.rules.records.lists import list_items, lists_items
from agent.reasoners.rules.records.names import attribute_name, kind_name, plain_label, unused
from agent.reasoners.rules.records.sketch import KindSketch, Trait
from agent.reasoners.rules.records.structure.entry import head_of
from agent.reasoners.rules.records.structure.groups import Column, Group, with_alike_joined
from agent.reasoners.rules.records.synonyms import same_columns

__all__ = ("ENTRY_NAME", "kinds_of")

ENTRY_NAME: Final = "(name of the entry)"
"""The label of an attribute whose value is what the text calls the entry itself."""

_NO_LABELS: Final = AUXILIARIES | CONJUNCTIONS | DETERMINERS | PRONOUNS | RELATIVES
_ONE_EACH: Final = 0.7
_SHARE: Final = 0.25
_MADE_OF: Final = 0.6
_RARE: Final = 0.1
_PROSE_WORDS: Final = 25
_SENTENCE: Final = re.compile(r"(?:\S+\s+){5,}\S+[.!?][\"”')]*\Z")


def kinds_of(groups: Sequence[Group], covered: Mapping[str, float]) -> list[KindSketch]:
    """Return the kinds that groups of entries show in a sample of documents.

    Key lines that stand once in each document are one record a document, all groups of them
    together where they share documents; else each entry is a record. Of several documents a
    quarter must show a kind, or one that is made of such entries.

    Args:
        groups: entries alike.
        covered: for each document of the sample the share of its text that stands in entries.
    """
    rows: list[KindSketch] = []
    single: list[Group] = []
    groups = with_alike_joined(groups, _one_each)
    for group in groups:
        columns = _columns(group)
        if not _is_kind(group, columns, len(covered)) or not _is_shown(group, covered):
            continue
        if _one_each(group):
            single.append(group)
        else:
            name = unused(_name_of(group) or "entry", [each.name for each in rows])
            rows.append(_row_kind(group, columns, name))
    return [*_document_kinds(single), *rows]


def _is_kind(group: Group, columns: Sequence[tuple[str, Column]], documents: int) -> bool:
    """Tell whether a group recurs enough to be more than chance."""
    if not columns:
        return False
    if group.form == "pairs":
        return group.numbered > 0 or (group.size >= 2 and len(columns) >= 2)
    if group.form == "table":
        return True
    if len(columns) < 2:
        return len(group.entries) >= max(3, documents // 2)
    return group.size >= 2 or documents == 1


def _is_shown(group: Group, covered: Mapping[str, float]) -> bool:
    """Tell whether enough documents show a group, or one that consists of entries."""
    if len(group.entries) >= max(2, math.ceil(_SHARE * len(covered))):
        return True
    return len(covered) == 1 or any(covered[each] >= _MADE_OF for each in group.entries)


def _one_each(group: Group) -> bool:
    """Tell whether a document has one such entry as a rule."""
    if group.form == "table" or (group.form == "pairs" and group.numbered):
        return False
    alone = sum(count == 1 for count in group.entries.values())
    return alone >= _ONE_EACH * len(group.entries)


def _columns(group: Group) -> list[tuple[str, Column]]:
    """Return the columns that recur and hold values, no sentences."""
    return [(key, column) for key, column in group.columns.items() if _is_column(group, column)]


def _is_column(group: Group, column: Column) -> bool:
    key = plain_label(column.label)
    if key in _NO_LABELS or not column.values or not attribute_name(key):
        return False
    if group.form != "keys":
        return True
    if group.size > 3 and column.entries < max(2, _RARE * group.size):
        return False
    prose = sum(_is_prose(value) for value in column.values)
    return 2 * prose <= len(column.values)


def _is_prose(value: str) -> bool:
    return len(value.split()) > _PROSE_WORDS or _SENTENCE.match(value) is not None


def _name_of(group: Group) -> str:
    """Return a row kind's name from what its entries are called, or the heading above them."""
    hint, count = group.hints.most_common(1)[0]
    common = 2 * count > group.size
    return kind_name(hint) if common and hint else ""


def _row_kind(group: Group, columns: Sequence[tuple[str, Column]], name: str) -> KindSketch:
    traits = [_trait(column) for _, column in columns]
    own = _own_name(group)
    if own is not None:
        traits.insert(0, own)
    told = f"One {_FORMS[group.form]} about one {name.replace('_', ' ')}."
    return KindSketch(name, "row", traits, told, frozenset(group.entries))


_FORMS: Final = {"pairs": "sentence", "keys": "block of lines", "table": "row of a table"}


def _own_name(group: Group) -> Trait | None:
    """Return an attribute of the entries' own names, where they differ and are no mere numbers."""
    labels = [label for label in group.labels if label]
    different = set(labels)
    if group.form == "table" or 2 * len(different) <= len(group.labels) or len(different) < 2:
        return None
    heads = {head_of(label) for label in labels}
    if 2 * len(heads) <= len(different):
        return None
    return Trait([ENTRY_NAME], labels, name="name", told="What the text calls it.")


def _trait(column: Column) -> Trait:
    """Return the attribute of a column; a list where entries repeat it or its values list items."""
    values, listed = column.values, lists_items(column.values)
    many = listed or 3 * column.repeated > column.entries
    if many:
        values = [item for value in values for item in list_items(value)]
    return Trait([column.label], values, many=many)


def _document_kinds(groups: Sequence[Group]) -> list[KindSketch]:
    """Join the groups that share documents; each join is a kind of documents."""
    joined: list[tuple[set[str], list[Group]]] = []
    for group in groups:
        documents = set(group.entries)
        apart = [each for each in joined if not each[0] & documents]
        touching = [each for each in joined if each[0] & documents]
        members = [member for each in touching for member in each[1]]
        joined = [*apart, (documents.union(*(each[0] for each in touching)), [*members, group])]
    return [
        KindSketch("document", "document", list(_document_traits(members)), "", frozenset(found))
        for found, members in joined
    ]


def _document_traits(groups: Sequence[Group]) -> Iterator[Trait]:
    """Yield the attributes of groups, those under one label and under labels alike once."""
    columns: dict[str, Column] = {}
    for group in groups:
        for key, column in _columns(group):
            columns.setdefault(key, column)
    documents: set[str] = set().union(*(group.entries for group in groups))
    for same in same_columns(list(columns.values()), len(documents)):
        traits = [_trait(column) for column in same]
        yield Trait(
            [label for each in traits for label in each.labels],
            [value for each in traits for value in each.values],
            many=any(each.many for each in traits),
        )
