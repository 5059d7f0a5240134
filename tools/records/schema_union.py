"""Schemas put together: replies brought into form, groups' kinds joined."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from agent.records.record import Record
from agent.records.record_replies import AttributeReply, InduceReply, KindReply
from agent.records.record_schema import Attribute, Kind, Schema
from agent.value import counted

__all__ = (
    "Parted",
    "United",
    "difference",
    "found_of",
    "name_of",
    "part",
    "schema_from",
    "unite",
    "unused",
)

_LONGEST: Final = 60


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


def unused(name: str, taken: Iterable[str]) -> str:
    """Return the name; where it is taken, with the next number behind it.

    >>> unused("customer_2", {"customer", "customer_2"})
    'customer_3'
    """
    known = set(taken)
    if name not in known:
        return name
    bare = re.sub(r"_\d+$", "", name)[: _LONGEST - 5]
    return next(new for n in range(2, 10_000) if (new := f"{bare}_{n}") not in known)


_SAME_NAME: Final = 0.25
_ANY_NAME: Final = 0.6
"""Shares of the attributes of the smaller kind that two kinds of one name, of any names, must have
in common to be one kind."""
_LISTED: Final = 6
"""Attributes that a reason names."""


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


class United(NamedTuple):
    """One schema of several."""

    schema: Schema
    why: tuple[str, ...]
    """Why kinds of two groups are one, and why kinds of one name are two."""


def unite(drafts: Sequence[Schema]) -> United:
    """Return one schema of the groups' schemas: kinds that are the same are joined.

    Two kinds of one grain are the same where they share enough attributes; one that kinds of
    several names have, as an `id`, counts for less. Others of one name get a number behind it.
    """
    weights = _weights(kind for draft in drafts for kind in draft.kinds)
    kinds: list[Kind] = []
    why: list[str] = []
    for draft in drafts:
        before = list(kinds)
        for kind in draft.kinds:
            at = next((n for n, known in enumerate(before) if _same(known, kind, weights)), None)
            if at is None:
                name = unused(kind.name, (each.name for each in kinds))
                kinds.append(kind.model_copy(update={"name": name}))
                why += [_apart(kind, name, before)] if name != kind.name else []
            else:
                why.append(f"{kind.name} joins {kinds[at].name}: {_in_common(kinds[at], kind)}")
                kinds[at] = _joined(kinds[at], kind)
    return United(Schema(kinds=tuple(kinds)), tuple(why))


def _weights(kinds: Iterable[Kind]) -> dict[str, float]:
    """Return what each attribute counts: 1 by the number of kinds' names under which it stands."""
    named: dict[str, set[str]] = {}
    for kind in kinds:
        for attribute in kind.attributes:
            named.setdefault(attribute.name, set()).add(kind.name)
    return {name: 1 / len(kinds_of) for name, kinds_of in named.items()}


def _same(one: Kind, other: Kind, weights: Mapping[str, float]) -> bool:
    if one.grain != other.grain:
        return False
    left, right = ({each.name for each in kind.attributes} for kind in (one, other))
    common, *own = (sum(weights[name] for name in names) for names in (left & right, left, right))
    return common >= min(own) * (_SAME_NAME if one.name == other.name else _ANY_NAME)


def _apart(kind: Kind, name: str, known: Iterable[Kind]) -> str:
    """Say why a kind does not join the one of its name."""
    namesake = next((each for each in known if each.name == kind.name), None)
    if namesake is None:
        return f"{name} stands beside another {kind.name} in one group"
    if namesake.grain != kind.grain:
        return f"{name} is no {kind.name}: one is a document each, of the other one holds many"
    return f"{name} is no {kind.name}: {_in_common(namesake, kind)}"


def _in_common(one: Kind, other: Kind) -> str:
    names = [each.name for each in other.attributes if one.attribute(each.name)]
    fewest = min(len(one.attributes), len(other.attributes))
    listed = f" ({', '.join(names[:_LISTED])}{', …' if len(names) > _LISTED else ''})"
    return f"they share {len(names)} of {counted(fewest, 'attribute')}{listed if names else ''}"


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


_UNLIKE: Final = 0.5
"""Rows of one name that share fewer of their attributes in two documents, or stand beside other
kinds there than that share, are of two kinds."""
_BESIDE: Final = 2
"""Other kinds in a document from which on they tell which database it is."""
_LISTED_parting: Final = 3
"""Documents and kinds that a reason names."""


class Parted(NamedTuple):
    """A schema with kinds parted."""

    schema: Schema
    why: tuple[str, ...]
    """Of each kind that was parted, where each part stands and beside what."""


def part(schema: Schema, records: Sequence[Record]) -> Parted:
    """Return the schema with kinds of rows parted that state different things in two documents.

    A `customer` table in one document and another one elsewhere that shares less than half of its
    columns are two kinds; so are two that stand beside other tables, as in two databases: their
    rows may even be the same ones, and are not to be counted twice. Each gets the documents in
    which it was found and the columns that it has there.
    """
    beside = _kinds_in(schema, records)
    kinds: list[Kind] = []
    why: list[str] = []
    for kind in schema.kinds:
        variants = _variants(kind, records, beside) if kind.grain == "row" else []
        if len(variants) < 2:
            kinds.append(kind)
            continue
        made: dict[str, _Variant] = {}
        for variant in variants:
            taken = {each.name for each in (*kinds, *schema.kinds) if each is not kind}
            attributes = tuple(each for each in kind.attributes if each.name in variant.columns)
            update = {"attributes": attributes, "documents": tuple(variant.documents)}
            name = unused(kind.name, taken)
            kinds.append(kind.model_copy(update={**update, "name": name}))
            made[name] = variant
        why.append(_reason(kind.name, made))
    return Parted(schema.model_copy(update={"kinds": tuple(kinds)}), tuple(why))


def _reason(kind: str, made: Mapping[str, "_Variant"]) -> str:
    """Say where each of the kinds that one was parted into stands."""
    told = (
        f"{name} of {_listed(each.documents)}"
        + (f" beside {_listed(sorted(each.beside))}" if each.beside else "")
        for name, each in made.items()
    )
    return f"{kind} is {len(made)} kinds: {'; '.join(told)}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED_parting} more" if len(names) > _LISTED_parting else ""
    return f"{', '.join(names[:_LISTED_parting])}{more}"


def _kinds_in(schema: Schema, records: Sequence[Record]) -> dict[str, set[str]]:
    """Return the kinds of rows that each document holds."""
    rows = {kind.name for kind in schema.kinds if kind.grain == "row"}
    found: dict[str, set[str]] = {}
    for record in records:
        if record.kind in rows and record.cells:
            found.setdefault(record.document, set()).add(record.kind)
    return found


@dataclass(slots=True)
class _Variant:
    """What a kind of rows is in some of the documents."""

    columns: set[str]
    documents: list[str]
    beside: set[str]
    """The other kinds of rows in these documents."""

    def may_hold(self, beside: set[str]) -> bool:
        """Tell whether rows that stand beside some kinds may be of this variant.

        A document with few other kinds is no reason to part: it may leave some out.
        """
        fewest = min(len(beside), len(self.beside))
        return fewest < _BESIDE or len(beside & self.beside) >= _UNLIKE * fewest


def _variants(
    kind: Kind, records: Sequence[Record], kinds_in: Mapping[str, set[str]]
) -> list[_Variant]:
    """Return the variants of a kind, the one of most documents first.

    A document with a single row, or with rows of a single column, is no reason to part.
    """
    variants: list[_Variant] = []
    for document, (rows, names) in _columns(kind, records).items():
        beside = kinds_in[document] - {kind.name}
        near = [each for each in variants if each.may_hold(beside)]
        like = max(near, key=lambda each: _likeness(each.columns, names), default=None)
        telling = rows > 1 and len(names) > 1
        if like is None or (telling and _likeness(like.columns, names) < _UNLIKE):
            variants.append(_Variant(set(names), [document], beside))
        else:
            like.columns |= names
            like.beside |= beside
            like.documents.append(document)
    return sorted(variants, key=lambda each: -len(each.documents))


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
