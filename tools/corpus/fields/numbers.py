"""The numbers of metadata fields: the values of one field are read together."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from agent.corpus import FieldValue
from tools.corpus.fields.catalogue import fold
from tools.corpus.fields.items import stated
from tools.corpus.fields.values import parse_numbers

__all__ = ("read_together",)

_Place = tuple[int, str, FieldValue]
"""A document, a key of it and its value there."""


def read_together(documents: Iterable[dict[str, FieldValue]]) -> list[dict[str, FieldValue]]:
    """Return the documents' values, each number read by the marks of its whole field.

    A value of several items keeps what it has; a document of which nothing changes is the one
    given.
    """
    read = list(documents)
    places: defaultdict[str, list[_Place]] = defaultdict(list)
    for document, values in enumerate(read):
        for key, value in values.items():
            if ("." in value.raw or "," in value.raw) and len(value.items) == 1:
                places[key].append((document, key, value))
    for having in _by_fold(places):
        numbers = parse_numbers([stated(value.raw, value.items) for _, _, value in having])
        for (document, key, value), number in zip(having, numbers, strict=True):
            if number != value.number:
                read[document] = read[document] | {key: replace(value, number=number)}
    return read


def _by_fold(places: Mapping[str, list[_Place]]) -> Iterable[list[_Place]]:
    """Return what stands under one key, however it is spelt, together."""
    together: defaultdict[str, list[_Place]] = defaultdict(list)
    for key, having in places.items():
        together[fold(key)] += having
    return together.values()
