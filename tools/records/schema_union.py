"""Schemas from replies, one schema of several: names in form, kinds that are the same joined."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

from agent.records.record_replies import AttributeReply, InduceReply, KindReply
from agent.records.record_schema import Attribute, Kind, Schema

_LONGEST: Final = 60
_SAME: Final = 0.25
"""The share of the attributes of the smaller kind that two kinds of one name must have in common to
be one kind."""


def schema_from(reply: InduceReply) -> Schema:
    """Return the schema of a reply: names in form, none twice, kinds without attributes left out.

    Two kinds of one name become one; of two attributes of one name the first counts.
    """
    kinds: dict[str, Kind] = {}
    for kind in map(_kind, reply.kinds):
        if kind.attributes:
            known = kinds.get(kind.name)
            kinds[kind.name] = kind if known is None else _joined(known, kind)
    return Schema(kinds=tuple(kinds.values()))


def revised(before: Schema, reply: InduceReply) -> Schema:
    """Return a schema with the kinds of a reply, each in the place of its namesake.

    It has the namesake's examples. A kind that the reply names without attributes is taken out.
    """
    told = {kind.name: kind for kind in schema_from(reply).kinds}
    gone = {_name_of(each.name) for each in reply.kinds} - told.keys()
    kept = [
        told.pop(kind.name, kind).model_copy(update={"documents": kind.documents})
        for kind in before.kinds
        if kind.name not in gone
    ]
    return Schema(kinds=(*kept, *told.values()))


def _kind(told: KindReply) -> Kind:
    attributes: dict[str, Attribute] = {}
    for each in told.attributes:
        if name := _name_of(each.name):
            attributes.setdefault(name, _attribute(name, each))
    return Kind(
        name=_name_of(told.name) or "record",
        description=told.description.strip(),
        grain=told.grain,
        attributes=tuple(attributes.values()),
    )


def _name_of(told: str) -> str:
    """Return a name in form: lower-case Latin letters, digits, underscores, a letter first."""
    plain = unicodedata.normalize("NFKD", told.casefold())
    bare = "".join(each for each in plain if not unicodedata.combining(each))
    words = re.findall("[a-z0-9]+", bare)
    return re.sub(r"^[0-9_]+", "", "_".join(words))[:_LONGEST].rstrip("_")


def _attribute(name: str, told: AttributeReply) -> Attribute:
    bare = {
        "name": name,
        "description": told.description.strip(),
        "unit": (told.unit or "").strip() or None,
        "examples": _distinct(told.examples),
        "labels": _distinct(told.labels),
    }
    return Attribute.model_validate({**told.model_dump(), **bare})


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.strip() for each in values if each.strip()))


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


def alike(one: Schema, other: Schema) -> bool:
    """Tell whether two schemas differ in examples and labels at most."""
    return _flat(one) == _flat(other)


def _flat(schema: Schema) -> dict[str, object]:
    flat: dict[str, object] = {}
    for kind in schema.kinds:
        for each in kind.attributes:
            what = each.model_copy(update={"examples": (), "labels": ()})
            flat[f"{kind.name}.{each.name}"] = (kind.grain, what)
    return flat


def unite(drafts: Sequence[Schema]) -> Schema:
    """Return one schema of the groups' schemas.

    Two kinds of one name and grain are the same where they share enough attributes. Others of one
    name get a number behind it.
    """
    kinds: list[Kind] = []
    for draft in drafts:
        before = list(kinds)
        for kind in draft.kinds:
            at = next((n for n, known in enumerate(before) if _same(known, kind)), None)
            if at is None:
                name = _unused(kind.name, (each.name for each in kinds))
                kinds.append(kind.model_copy(update={"name": name}))
            else:
                kinds[at] = _joined(kinds[at], kind)
    return Schema(kinds=tuple(kinds))


def _same(one: Kind, other: Kind) -> bool:
    if (one.name, one.grain) != (other.name, other.grain):
        return False
    left, right = ({each.name for each in kind.attributes} for kind in (one, other))
    return len(left & right) >= _SAME * min(len(left), len(right))


def _unused(name: str, taken: Iterable[str]) -> str:
    """Return the name; where it is taken, with the next number behind it: `customer_3`."""
    known = set(taken)
    if name not in known:
        return name
    bare = re.sub(r"_\d+$", "", name)[: _LONGEST - 5]
    return next(new for n in range(2, 10_000) if (new := f"{bare}_{n}") not in known)
