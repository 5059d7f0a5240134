"""The metadata fields on disk: the catalogue, and the values by field and by document."""

from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sequence, ValuesView
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from agent.corpus_view import Field, FieldValue
from tools.corpus.fields.catalogue import CATALOGUE, join_fields, starts_of
from tools.corpus.fields.field_values import fold, save_rows, values_of
from tools.corpus.generations import Generation
from tools.corpus.mapped_files import mapped_table

if TYPE_CHECKING:
    import polars as pl

Piece = tuple[str, int, int]
"""Some documents' fields: the file that holds their rows, the first document, and the stop."""
_OPEN = 8


class FieldColumn(Mapping[int, FieldValue]):
    """A field's values by document index; which documents have it is known without them."""

    def __init__(self, rows: "pl.DataFrame") -> None:
        self._rows = rows

    def __len__(self) -> int:
        """Return how many documents have the field."""
        return len(self._rows)

    def __iter__(self) -> Iterator[int]:
        """Iterate over the documents that have it, ascending."""
        return iter(self._rows["document"].to_list())

    def __getitem__(self, document: int) -> FieldValue:
        """Return a document's value; raises KeyError where it has none."""
        return self._values[document]

    def values(self) -> ValuesView[FieldValue]:
        """Return the values in the documents' order."""
        return self._values.values()

    def items(self) -> ItemsView[int, FieldValue]:
        """Return the documents with their values."""
        return self._values.items()

    @cached_property
    def _values(self) -> dict[int, FieldValue]:
        return dict(zip(self, values_of(self._rows), strict=True))


class FieldTable:
    """The fields of a corpus and their values by document."""

    def __init__(
        self, fields: tuple[Field, ...], values: "pl.DataFrame", rows: "pl.DataFrame"
    ) -> None:
        self.fields = fields
        """The catalogue, most widespread first."""
        self._values = values
        self._starts = starts_of(values["field"].to_numpy(), len(fields))
        self._places = {fold(field.name): place for place, field in enumerate(fields)}
        self._columns: dict[int, FieldColumn] = {}
        self._rows = rows
        self._documents = rows["document"].to_numpy()

    @classmethod
    def load(cls, catalogued: Path, values: Path, rows: Path) -> "FieldTable":
        """Read the catalogue; map the values by field, and those by document, which are `rows`."""
        fields = CATALOGUE.validate_json(catalogued.read_bytes())
        return cls(fields, mapped_table(values), mapped_table(rows))

    @property
    def stop(self) -> int:
        """The index behind the last document that has a field; 0 where none has."""
        return int(self._documents[-1]) + 1 if len(self._documents) else 0

    def find(self, name: str) -> Field | None:
        """Return the field of that name, whatever its case, spaces and hyphens."""
        place = self._places.get(fold(name))
        return None if place is None else self.fields[place]

    def of(self, document: int) -> dict[str, FieldValue]:
        """Return one document's values by key as it writes them."""
        bounds = np.array([document, document + 1], np.int32)
        start, end = np.searchsorted(self._documents, bounds).tolist()
        own = self._rows.slice(start, end - start)
        return dict(zip(own["key"].to_list(), values_of(own), strict=True))

    def values(self, name: str) -> FieldColumn:
        """Return a field's values by document index; empty where there is no such field."""
        place = self._places.get(fold(name))
        if place is None:
            return FieldColumn(self._values.clear())
        if place not in self._columns:
            start, end = self._starts[place : place + 2]
            self._columns[place] = FieldColumn(self._values.slice(start, end - start))
        return self._columns[place]

    def items(self, name: str) -> Sequence[str]:
        """Return the items of a field's values, each once, in the documents' order."""
        place = self._places.get(fold(name))
        if place is None:
            return ()
        items, starts = self._items
        return items[starts[place] : starts[place + 1]]

    @cached_property
    def _items(self) -> tuple[list[str], list[int]]:
        """The items of all fields, a field's after another's, and where each field's begin.

        Of all at once: a corpus may have thousands of fields, and each call of Polars takes its
        while.
        """
        pairs = self._values.select("field", "items").explode("items").drop_nulls("items")
        pairs = pairs.unique(maintain_order=True)
        return pairs["items"].to_list(), starts_of(pairs["field"].to_numpy(), len(self.fields))


def write_fields(pieces: Iterable[Piece], generation: Generation) -> None:
    """Write the fields of the pieces' documents, one piece after another."""
    rows = join_fields(_concatenated(pieces), generation.fields, generation.values)
    save_rows(rows, generation.written)


def _concatenated(pieces: Iterable[Piece]) -> "pl.DataFrame":
    """Return the rows of the pieces' documents, these numbered anew."""
    import polars as pl

    opened = lru_cache(maxsize=_OPEN)(_opened)
    taken, documents, count = [], [], 0
    for file, first, stop in pieces:
        rows, own = opened(file)
        start, end = np.searchsorted(own, np.array([first, stop], np.int32)).tolist()
        taken.append(rows.slice(start, end - start))
        documents.append(own[start:end] + np.int32(count - first))
        count += stop - first
    rows = pl.concat(taken, rechunk=True)
    return rows.with_columns(pl.Series("document", np.concatenate(documents)))


def _opened(file: str) -> "tuple[pl.DataFrame, NDArray[np.int32]]":
    """Map rows; return them and their documents, ascending."""
    rows = mapped_table(Path(file))
    return rows, rows["document"].to_numpy()
