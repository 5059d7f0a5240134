"""The numbers of metadata fields: the values of one field are read together."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from agent.corpus import FieldValue
from tools.corpus.catalogue import fold
from tools.corpus.items import stated
from tools.corpus.values import parse_numbers

__all__ = ("read_together",)


def read_together(documents: Iterable[dict[str, FieldValue]]) -> list[dict[str, FieldValue]]:
    """Return the documents' values, each number read by the marks of its whole field.

    A value of several items keeps what it has.
    """
    read = [dict(each) for each in documents]
    places: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for document, values in enumerate(read):
        for key, value in values.items():
            if len(value.items) == 1 and any(mark in value.raw for mark in ".,"):
                places[fold(key)].append((document, key))
    for having in places.values():
        column = [read[document][key] for document, key in having]
        numbers = parse_numbers([stated(value.raw, value.items) for value in column])
        for (document, key), value, number in zip(having, column, numbers, strict=True):
            if number != value.number:
                read[document][key] = replace(value, number=number)
    return read
