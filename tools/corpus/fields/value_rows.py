"""The values of documents' fields as rows of a table, a document after another."""

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agent.corpus import FieldValue
from tools.corpus.fields.field_values import Items

if TYPE_CHECKING:
    import polars as pl

__all__ = ("items_of", "lists_of", "save_rows", "value_rows", "values_of")


def value_rows(documents: Sequence[Mapping[str, FieldValue]]) -> "pl.DataFrame":
    """Return a row a value, with its document's index and its key as the document writes it."""
    import polars as pl

    values = [value for fields in documents for value in fields.values()]
    sizes = [len(fields) for fields in documents]
    return pl.DataFrame(
        {
            "document": np.repeat(np.arange(len(documents), dtype=np.int32), sizes),
            "key": list(chain.from_iterable(documents)),
            "raw": [value.raw for value in values],
            "items": lists_of([value.items for value in values]),
            "number": [value.number for value in values],
            "date": [value.date for value in values],
            "start": [value.start for value in values],
            "end": [value.end for value in values],
        },
        schema={
            "document": pl.Int32,
            "key": pl.String,
            "raw": pl.String,
            "items": pl.List(pl.String),
            "number": pl.Float64,
            "date": pl.String,
            "start": pl.Int32,
            "end": pl.Int32,
        },
    )


def save_rows(rows: "pl.DataFrame", place: Path) -> None:
    """Write the rows; a number beyond all bounds is none of the document's."""
    import polars as pl

    number = pl.col("number")
    bounded = rows.with_columns(pl.when(number.is_finite()).then(number))
    bounded.write_ipc(place, compression="uncompressed")


def values_of(rows: "pl.DataFrame") -> list[FieldValue]:
    """Return the rows' values."""
    columns = rows.select("raw", "items", "number", "date", "start", "end")
    raws, items, *others = columns.to_dict(as_series=False).values()
    return [
        FieldValue(raw=raw, items=tuple(own), number=number, date=date, start=start, end=end)
        for raw, own, number, date, start, end in zip(raws, items, *others, strict=True)
    ]


def items_of(rows: "pl.DataFrame") -> list[Items]:
    """Return each row's items; Polars itself would make a series of each row."""
    every = rows["items"].explode(empty_as_null=False).to_list()
    ends = rows["items"].list.len().to_numpy().cumsum().tolist()
    return [
        every[start] if end - start == 1 else every[start:end]
        for start, end in pairwise([0, *ends])
    ]


def lists_of(rows: Sequence[Sequence[str]]) -> "pl.Series":
    """Return lists of strings as a series: Polars itself would make a series of each."""
    import polars as pl
    import pyarrow as pa

    starts = [0, *accumulate(map(len, rows))]
    strings = pa.array(list(chain.from_iterable(rows)), pa.large_string())
    lists = pa.LargeListArray.from_arrays(pa.array(starts, pa.int64()), strings)
    return pl.Series(pl.from_arrow(lists))
