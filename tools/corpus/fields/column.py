"""One metadata field's values, a column of the table of all fields' values."""

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from functools import cached_property
from typing import TYPE_CHECKING

from agent.corpus import FieldValue
from tools.corpus.fields.value_rows import values_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ("FieldColumn",)


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
