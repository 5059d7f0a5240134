"""The numbers of metadata fields: the values of one field are read together."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from agent.corpus import FieldValue
from tools.corpus.fields.catalogue import fold
from tools.corpus.fields.values import parse_numbers
from tools.corpus.fields.written import Written

__all__ = ("marked_numbers", "read_together")

_Place = tuple[int, str, FieldValue]
"""A document, a key of it and its value there."""


def read_together(documents: Iterable[dict[str, FieldValue]]) -> list[dict[str, FieldValue]]:
    """Return the documents' values, each number read by the marks of its whole field.

    A field's values are those under its key, however it is spelt. A document of which nothing
    changes is the one given.
    """
    read = list(documents)
    fields: defaultdict[str, list[_Place]] = defaultdict(list)
    for document, values in enumerate(read):
        for key, value in values.items():
            fields[fold(key)].append((document, key, value))
    for having in fields.values():
        numbers = marked_numbers(Written.of([value for _, _, value in having]))
        for place, number in numbers.items():
            document, key, value = having[place]
            if number != value.number:
                read[document] = read[document] | {key: replace(value, number=number)}
    return read


def marked_numbers(written: Written) -> dict[int, float | None]:
    """Return the numbers, by place in their field, of values whose marks are read together.

    They are those with a point or comma; a value of several items keeps what it has.
    """
    alone = {
        place: item
        for place, (raw, item) in enumerate(zip(written.raws, written.items, strict=True))
        if ("." in raw or "," in raw) and isinstance(item, str)
    }
    if not alone:  # most fields have none, and a corpus may have thousands
        return {}
    return dict(zip(alone, parse_numbers(list(alone.values())), strict=True))
