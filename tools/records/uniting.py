"""Schemas put together: replies brought into form, groups' kinds joined, unlike ones parted."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from agent.records.record import Record
from agent.records.replies import AttributeReply, InduceReply, KindReply
from agent.records.schema import Attribute, Kind, Schema

__all__ = ("difference", "found_of", "name_of", "part", "schema_from", "unite")

_LONGEST: Final = 60
_SAME_NAME: Final = 0.25
_ANY_NAME: Final = 0.6
"""Shares of the attributes of the smaller kind that two kinds of one name, of any names, must have
in common to be one kind."""
_UNLIKE: Final = 0.5
"""Rows of one name that share fewer of their attributes in two documents are of two kinds."""


def schema_from(reply: InduceReply) -> Schema:
    """Return the schema of a reply: names in form, none twice, kinds without attributes left out.

    Two kinds of one name become one; of two attributes of one name the first counts.
    """
    kinds: dict[str, Kind] = {}
    for told in reply.kinds:
        kind = _kind(told)
        if kind is None:
            continue
        known = kinds.get(kind.name)
        kinds[kind.name] = kind if known is None else _joined(known, kind)
    return Schema(kinds=tuple(kinds.values()))


def _kind(told: KindReply) -> Kind | None:
    attributes: dict[str, Attribute] = {}
    for each in told.attributes:
        name = name_of(each.name)
        if name:
            attributes.setdefault(name, _attribute(name, each))
    if not attributes:
        return None
    return Kind(
        name=name_of(told.name) or "record",
        description=told.description.strip(),
        grain=told.grain,
        attributes=tuple(attributes.values()),
    )


def _attribute(name: str, told: AttributeReply) -> Attribute:
    return Attribute(
        name=name,
        type=told.type,
        description=told.description.strip(),
        unit=(told.unit or "").strip() or None,
        examples=_distinct(told.examples),
        labels=_distinct(told.labels),
        many=told.many,
    )


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.strip() for each in values if each.strip()))


def name_of(told: str) -> str:
    """Return a name in form: lower-case Latin letters, digits, underscores, a letter first.

    >>> name_of("Größe (m²)"), name_of("2023 Revenue"), name_of("  ")
    ('grosse_m2', 'revenue', '')
    """
    plain = unicodedata.normalize("NFKD", told.casefold())
    words = re.findall(
        "[a-z0-9]+", "".join(each for each in plain if not unicodedata.combining(each))
    )
    return re.sub(r"^[0-9_]+", "", "_".join(words))[:_LONGEST].rstrip("_")


def difference(
    before: Schema | None, after: Schema
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return what was added, removed and changed, each as `kind.attribute`.

    Examples and labels do not count as a change.
    """
    old, new = _flat(before or Schema()), _flat(after)
    added = tuple(name for name in new if name not in old)
    removed = tuple(name for name in old if name not in new)
    changed = tuple(name for name in new if name in old and new[name] != old[name])
    return added, removed, changed


def _flat(schema: Schema) -> dict[str, object]:
    flat: dict[str, object] = {}
    for kind in schema.kinds:
        for each in kind.attributes:
            what = each.model_copy(update={"examples": (), "labels": ()})
            flat[f"{kind.name}.{each.name}"] = (kind.grain, what)
    return flat


def unite(drafts: Sequence[Schema]) -> Schema:
    """Return one schema of the groups' schemas: kinds that are the same are joined.

    Two kinds of one grain are the same where they share enough attributes; others of one name get
    a number behind it.
    """
    kinds: list[Kind] = []
    for draft in drafts:
        before = list(kinds)
        for kind in draft.kinds:
            at = next((n for n, known in enumerate(before) if _same(known, kind)), None)
            if at is None:
                taken = {each.name for each in kinds}
                kinds.append(kind.model_copy(update={"name": _unused(kind.name, taken)}))
            else:
                kinds[at] = _joined(kinds[at], kind)
    return Schema(kinds=tuple(kinds))


def _same(one: Kind, other: Kind) -> bool:
    if one.grain != other.grain:
        return False
    left, right = ({each.name for each in kind.attributes} for kind in (one, other))
    share = len(left & right) / min(len(left), len(right))
    return share >= (_SAME_NAME if one.name == other.name else _ANY_NAME)


def _joined(one: Kind, other: Kind) -> Kind:
    more = tuple(each for each in other.attributes if one.attribute(each.name) is None)
    examples = (*one.documents, *other.documents) if one.documents and other.documents else ()
    return one.model_copy(
        update={
            "description": one.description or other.description,
            "attributes": (*one.attributes, *more),
            "documents": tuple(dict.fromkeys(examples)),
        }
    )


def _unused(name: str, taken: Iterable[str]) -> str:
    """Return the name; where it is taken, with the next number behind it.

    >>> _unused("customer_2", {"customer", "customer_2"})
    'customer_3'
    """
    known = set(taken)
    if name not in known:
        return name
    bare = re.sub(r"_\d+$", "", name)[: _LONGEST - 5]
    return next(new for n in range(2, 10_000) if (new := f"{bare}_{n}") not in known)


def part(schema: Schema, records: Sequence[Record]) -> Schema:
    """Return the schema with kinds of rows parted that state different things in two documents.

    A `customer` table in one document and another one elsewhere that shares less than half of its
    columns are two kinds; each gets the documents in which it was found and the columns that it
    has there.
    """
    kinds: list[Kind] = []
    for kind in schema.kinds:
        variants = _variants(kind, records) if kind.grain == "row" else []
        if len(variants) < 2:
            kinds.append(kind)
            continue
        for names, documents in variants:
            taken = {each.name for each in (*kinds, *schema.kinds) if each is not kind}
            attributes = tuple(each for each in kind.attributes if each.name in names)
            update = {"attributes": attributes, "documents": tuple(documents)}
            name = _unused(kind.name, taken)
            kinds.append(kind.model_copy(update={**update, "name": name}))
    return schema.model_copy(update={"kinds": tuple(kinds)})


def _variants(kind: Kind, records: Sequence[Record]) -> list[tuple[set[str], list[str]]]:
    """Return the columns and documents of each variant, the one of most documents first.

    A document with a single row, or with rows of a single column, is no reason to part.
    """
    variants: list[tuple[set[str], list[str]]] = []
    columns = _columns(kind, records)
    for document, (rows, names) in columns.items():
        like = max(variants, key=lambda each: _likeness(each[0], names), default=None)
        telling = rows > 1 and len(names) > 1
        if like is None or (telling and _likeness(like[0], names) < _UNLIKE):
            variants.append((set(names), [document]))
        else:
            like[0].update(names)
            like[1].append(document)
    return sorted(variants, key=lambda each: -len(each[1]))


def _columns(kind: Kind, records: Sequence[Record]) -> dict[str, tuple[int, set[str]]]:
    """Return, for each document, how many rows of a kind it has and what they state.

    The documents with the most rows come first.
    """
    stated: dict[str, tuple[int, set[str]]] = {}
    for record in records:
        names = {cell.attribute for cell in record.cells if cell.original}
        if record.kind == kind.name and names:
            rows, known = stated.get(record.document, (0, set()))
            stated[record.document] = (rows + 1, known | names)
    return dict(sorted(stated.items(), key=lambda each: -each[1][0]))


def _likeness(one: set[str], other: set[str]) -> float:
    return len(one & other) / max(len(one), len(other))


def found_of(schema: Schema, records: Iterable[Record]) -> Schema:
    """Return the schema with the kinds of which something was found."""
    found = {record.kind for record in records if record.cells}
    kinds = tuple(kind for kind in schema.kinds if kind.name in found)
    return schema.model_copy(update={"kinds": kinds})
