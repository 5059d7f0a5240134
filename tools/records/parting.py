"""Kinds of rows parted that documents state differently, and kinds left out that none states."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from agent.records.record import Record
from agent.records.record_schema import Kind, Schema
from tools.records.kind_names import unused

__all__ = ("Parted", "found_of", "part")

_UNLIKE: Final = 0.5
"""Rows of one name that share fewer of their attributes in two documents, or stand beside other
kinds there than that share, are of two kinds."""
_BESIDE: Final = 2
"""Other kinds in a document from which on they tell which database it is."""
_LISTED: Final = 3
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
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{', '.join(names[:_LISTED])}{more}"


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
