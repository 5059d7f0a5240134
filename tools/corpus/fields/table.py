"""The metadata fields on disk: the catalogue, and the values by field and by document."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agent.corpus import Field, FieldValue
from tools.corpus.fields.catalogue import CATALOGUE, starts_of
from tools.corpus.fields.column import FieldColumn
from tools.corpus.fields.field_values import fold
from tools.corpus.fields.value_rows import values_of
from tools.corpus.storage.arrow_file import mapped_table

if TYPE_CHECKING:
    import polars as pl

__all__ = ("FieldTable",)


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
