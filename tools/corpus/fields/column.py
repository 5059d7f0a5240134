"""One metadata field's values, a column of the table of all fields' values."""

from collections.abc import ItemsView, Iterator, Mapping, Sequence, ValuesView
from functools import cached_property
from itertools import accumulate, chain
from typing import TYPE_CHECKING

import numpy as np

from agent.corpus import FieldValue

if TYPE_CHECKING:
    import polars as pl

__all__ = ("FieldColumn", "values_table")


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
        columns = self._rows.drop("field").to_dict(as_series=False)
        documents, raws, items, *others = columns.values()
        return {
            document: FieldValue(
                raw=raw, items=tuple(own), number=number, date=date, start=start, end=end
            )
            for document, raw, own, number, date, start, end in zip(
                documents, raws, items, *others, strict=True
            )
        }


def values_table(columns: Sequence[Mapping[int, FieldValue]]) -> "pl.DataFrame":
    """Return the table of the fields' values, a field after another, by document index."""
    import polars as pl

    values = [value for column in columns for value in column.values()]
    return pl.DataFrame(
        {
            "field": np.repeat(np.arange(len(columns)), [len(column) for column in columns]),
            "document": [document for column in columns for document in column],
            "raw": [value.raw for value in values],
            "items": _lists([value.items for value in values]),
            "number": [value.number for value in values],
            "date": [value.date for value in values],
            "start": [value.start for value in values],
            "end": [value.end for value in values],
        },
        schema={
            "field": pl.Int32,
            "document": pl.Int32,
            "raw": pl.String,
            "items": pl.List(pl.String),
            "number": pl.Float64,
            "date": pl.String,
            "start": pl.Int32,
            "end": pl.Int32,
        },
    )


def _lists(rows: Sequence[Sequence[str]]) -> "pl.Series":
    """Return lists of strings as a series: Polars itself would make a series of each."""
    import polars as pl
    import pyarrow as pa

    starts = [0, *accumulate(map(len, rows))]
    strings = pa.array(list(chain.from_iterable(rows)), pa.large_string())
    lists = pa.LargeListArray.from_arrays(pa.array(starts, pa.int64()), strings)
    return pl.Series(pl.from_arrow(lists))
