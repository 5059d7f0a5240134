"""One metadata field of a collection that was found: every document's value."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.corpus_view import Field, FieldValue
from agent.errors import SettingsError
from evals.wording import FUNCTION_WORDS
from tools.corpus.documents import Document
from tools.corpus.fields.catalogue import WITHOUT_NONE, catalogue, read_together
from tools.corpus.fields.field_values import fold
from tools.placeholders import is_placeholder

__all__ = ("Column", "columns_of", "spoken")

_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W_a-zA-Z]+")
"""A word of a field's name: also of `releaseDate`."""


@dataclass(frozen=True)
class Column:
    """A field and its values by the number of the document."""

    field: Field
    values: Mapping[int, FieldValue]
    documents: int
    """How many the collection has."""

    @cached_property
    def name(self) -> str:
        """The field's name in a sentence: `release date`, `MPAA rating`."""
        return spoken(self.field.name)

    @cached_property
    def labels(self) -> Mapping[int, frozenset[str]]:
        """The items of each document in lower case."""
        return {
            document: frozenset(item.casefold() for item in value.items)
            for document, value in self.values.items()
        }

    @cached_property
    def numbers(self) -> Mapping[int, float]:
        """The numbers."""
        return {
            document: value.number
            for document, value in self.values.items()
            if value.number is not None
        }

    @cached_property
    def years(self) -> Mapping[int, int]:
        """The years of the dates."""
        return {document: int(each.date[:4]) for document, each in self.values.items() if each.date}

    @property
    def noun(self) -> bool:
        """Whether its name ends as a noun does, unlike `superseded by`."""
        return self.name.split()[-1] not in FUNCTION_WORDS

    @property
    def share(self) -> float:
        """How many of the documents have it."""
        return len(self.values) / self.documents


def spoken(name: str) -> str:
    """Return a field's name as words; only what is written in capitals keeps them.

    >>> spoken("Python-Version"), spoken("MPAA_Rating"), spoken("releaseDate")
    ('python version', 'MPAA rating', 'release date')
    """
    parts = _PART.findall(name) or [name]
    return " ".join(each if len(each) > 1 and each.isupper() else each.lower() for each in parts)


def columns_of(documents: Sequence[Document], only: Sequence[str]) -> list[Column]:
    """Return the fields that the documents state, in the order in which they first stand.

    What only their files say, such as a size, is not among them. With names in `only`, these fields
    in that order.

    Raises:
        SettingsError: the documents do not state one of these.
    """
    read = read_together([_stated(each) for each in documents])
    fields, names = catalogue(read)
    order: dict[str, None] = {}
    values: dict[str, dict[int, FieldValue]] = {each.name: {} for each in fields}
    for number, own in enumerate(read):
        for key, value in own.items():
            order.setdefault(names[key])
            values[names[key]].setdefault(number, value)
    known = {each.name: each for each in fields}
    found = [_column(known[name], values[name], len(documents)) for name in order]
    if not only:
        return found
    folded = {fold(each.field.name): each for each in found}
    unknown = next((name for name in only if fold(name) not in folded), None)
    if unknown is not None:
        there = ", ".join(each.field.name for each in found) or "none"
        raise SettingsError(f"the documents state no field {unknown!r}; they state {there}")
    return [folded[fold(name)] for name in only]


def _stated(document: Document) -> dict[str, FieldValue]:
    return {key: each for key, each in document.fields.items() if each.start is not None}


def _column(field: Field, values: Mapping[int, FieldValue], documents: int) -> Column:
    if field.type in WITHOUT_NONE:
        values = {
            document: each
            for document, each in values.items()
            if not is_placeholder(each.raw, amounts=True)
        }
    return Column(field, values, documents)
