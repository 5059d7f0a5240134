"""The metadata fields on disk: the catalogue, the values by field, and each document's as JSON."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from pydantic import TypeAdapter

from agent.corpus import Field, FieldValue
from tools.corpus.fields.catalogue import WITHOUT_NONE, by_field, fields_of, fold
from tools.corpus.fields.column import FieldColumn, values_table
from tools.corpus.fields.numbers import read_together
from tools.corpus.processes.collection import uncollected
from tools.corpus.storage.arrow_file import mapped_table
from tools.placeholders import is_placeholder

if TYPE_CHECKING:
    import polars as pl

__all__ = ("FieldTable", "dump_values", "join_fields", "load_values")

_VALUES: TypeAdapter[dict[str, FieldValue]] = TypeAdapter(dict[str, FieldValue])
_CATALOGUE: TypeAdapter[tuple[Field, ...]] = TypeAdapter(tuple[Field, ...])


class FieldTable:
    """The fields of a corpus and their values by document."""

    def __init__(
        self, fields: tuple[Field, ...], values: "pl.DataFrame", written: "pl.Series"
    ) -> None:
        self.fields = fields
        """The catalogue, most widespread first."""
        self._values = values
        self._starts = _starts(values["field"], len(fields))
        self._places = {fold(field.name): place for place, field in enumerate(fields)}
        self._columns: dict[int, FieldColumn] = {}
        self._written = written

    @classmethod
    def load(cls, catalogued: Path, values: Path, written: Path) -> "FieldTable":
        """Read the catalogue; map the values and each document's as JSON, which is `written`."""
        fields = _CATALOGUE.validate_json(catalogued.read_bytes())
        return cls(fields, mapped_table(values), mapped_table(written)["fields"])

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self._written)

    def find(self, name: str) -> Field | None:
        """Return the field of that name, whatever its case, spaces and hyphens."""
        place = self._places.get(fold(name))
        return None if place is None else self.fields[place]

    def of(self, document: int) -> dict[str, FieldValue]:
        """Return one document's values by key as it writes them."""
        return load_values(self._written[document])

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
        return pairs["items"].to_list(), _starts(pairs["field"], len(self.fields))


def dump_values(fields: Mapping[str, FieldValue]) -> str:
    """Return one document's values as JSON."""
    return _VALUES.dump_json(dict(fields)).decode()


def load_values(written: str) -> dict[str, FieldValue]:
    """Return one document's values from JSON."""
    return _VALUES.validate_json(written)


def join_fields(written: Sequence[str], catalogued: Path, values: Path) -> list[str]:
    """Write the catalogue of the documents' fields and its values; return each document's as JSON.

    The numbers of a field are read together: a document of which they change nothing keeps its
    JSON.
    """
    with uncollected():
        given = [load_values(each) for each in written]
        read = read_together(given)
        columns, _ = by_field(read)
        fields = fields_of(columns)
        table = values_table([_stated(field, columns[field.name]) for field in fields])
    catalogued.write_bytes(_CATALOGUE.dump_json(fields))
    table.write_ipc(values, compression="uncompressed")
    every = zip(written, given, read, strict=True)
    return [kept if old is new else dump_values(new) for kept, old, new in every]


def _starts(places: "pl.Series", fields: int) -> list[int]:
    """Return where each field's rows begin, and behind the last field's their number."""
    starts: list[int] = np.searchsorted(places.to_numpy(), np.arange(fields + 1)).tolist()
    return starts


def _stated(field: Field, column: Mapping[int, FieldValue]) -> Mapping[int, FieldValue]:
    """Return a field's values without those that say that there is none, such as `none`."""
    if field.type not in WITHOUT_NONE:
        return column
    return {
        document: value
        for document, value in column.items()
        if not is_placeholder(value.raw, amounts=True)
    }
