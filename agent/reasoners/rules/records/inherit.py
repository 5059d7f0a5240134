"""What the rows of a document take from it: the attribute that tells one document from another."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from agent.reasoners.rules.records.names import attribute_name, plain_label
from agent.reasoners.rules.records.shapes import common_shape
from agent.reasoners.rules.records.sketch import KindSketch, Trait
from agent.records.record_replies import CellReply
from agent.records.record_schema import Kind

__all__ = ("inherited", "with_identifiers")

_OF: Final = "(of the document) "
_DIFFERENT: Final = 0.9
_FILLED: Final = 0.8
_LONGEST: Final = 60
_FEWEST: Final = 3


def with_identifiers(kinds: Sequence[KindSketch]) -> list[KindSketch]:
    """Return the kinds, those of rows with what tells the documents apart that they stand in.

    Without it rows of different documents could not be told apart, nor linked to their document.
    """
    for own in (each for each in kinds if each.grain == "document"):
        key = _identifier(own)
        if key is None:
            continue
        for kind in kinds:
            if kind.grain == "row" and len(kind.documents & own.documents) >= _FEWEST:
                _give(kind, key)
    return list(kinds)


def inherited(
    kind: Kind, stated: Mapping[str, CellReply], known: Mapping[str, str]
) -> Iterator[CellReply]:
    """Yield what a row takes from its document.

    Args:
        kind: of the row.
        stated: the document's cells by attribute.
        known: the document's attributes by plain label.
    """
    for attribute in kind.attributes:
        for label in attribute.labels:
            cell = stated.get(known.get(plain_label(label.removeprefix(_OF)), ""))
            if label.startswith(_OF) and cell is not None:
                quote = cell.value if cell.value in cell.quote else ""
                yield cell.model_copy(update={"attribute": attribute.name, "quote": quote})


def _identifier(kind: KindSketch) -> Trait | None:
    """Return the first attribute whose values differ between nearly all documents."""
    found = (each for each in kind.traits if _identifies(each, len(kind.documents)))
    return next(found, None)


def _identifies(trait: Trait, documents: int) -> bool:
    values = trait.values
    if trait.many or trait.unit or len(values) < max(_FEWEST, _FILLED * documents):
        return False
    type_, unit = common_shape(values)
    short = sum(len(value) <= _LONGEST for value in values) >= _DIFFERENT * len(values)
    plain = type_ in {"text", "integer"} and unit is None
    return plain and short and len(set(values)) >= _DIFFERENT * len(values)


def _give(kind: KindSketch, key: Trait) -> None:
    name = key.name or attribute_name(key.labels[0])
    taken = {each.name or attribute_name(each.labels[0]) for each in kind.traits}
    if name and name not in taken:
        told = "The same as the document's it stands in."
        kind.traits.append(Trait([f"{_OF}{key.labels[0]}"], key.values, name=name, told=told))
