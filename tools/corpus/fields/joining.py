"""Joining the fields of all documents: the catalogue, and the values a field after another.

The values stay in columns: a corpus may have millions, and thousands of fields, for each of which a
call of Polars would take its while.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from agent.corpus import Field
from tools.corpus.fields.catalogue import WITHOUT_NONE, field_of, names_of, ranked
from tools.corpus.fields.numbers import marked_numbers
from tools.corpus.fields.value_rows import items_of
from tools.corpus.fields.written import Written, are_given
from tools.corpus.processes.collection import uncollected

if TYPE_CHECKING:
    import polars as pl

__all__ = ("CATALOGUE", "join_fields", "starts_of")

CATALOGUE: TypeAdapter[tuple[Field, ...]] = TypeAdapter(tuple[Field, ...])
"""How the catalogue is written."""


def join_fields(rows: "pl.DataFrame", catalogued: Path, values: Path) -> "pl.DataFrame":
    """Write the catalogue of the documents' fields and its values; return the documents' rows.

    The numbers of a field are read together: in the rows that are returned, too.
    """
    with uncollected():
        names, fields = _numbered(rows["key"].to_list())
        order = np.argsort(fields, kind="stable")
        fields = fields[order]
        written = _written(rows.select("raw", "items", "start")[order])
        numbers = _read_together(written, starts_of(fields, len(names)))
        read = rows.with_columns(_with(rows["number"], order, numbers))
        first = _first(fields, rows["document"].to_numpy()[order])
        catalogue, places = _catalogued(names, fields[first], written.at(first.tolist()))
        table = _by_field(read, order[first], places)
    catalogued.write_bytes(CATALOGUE.dump_json(catalogue))
    table.write_ipc(values, compression="uncompressed")
    return read


def starts_of(fields: NDArray[np.int32], count: int) -> list[int]:
    """Return where each of so many fields' rows begin, and behind the last field's their number."""
    starts: list[int] = np.searchsorted(fields, np.arange(count + 1, dtype=np.int32)).tolist()
    return starts


def _numbered(keys: Sequence[str]) -> tuple[list[str], NDArray[np.int32]]:
    """Return the fields' names, and of each key which of them is its field's."""
    names = names_of(keys)
    places = {name: place for place, name in enumerate(dict.fromkeys(names.values()))}
    own = {key: places[name] for key, name in names.items()}
    return list(places), np.fromiter(map(own.__getitem__, keys), np.int32, len(keys))


def _written(rows: "pl.DataFrame") -> Written:
    return Written(rows["raw"].to_list(), items_of(rows), rows["start"].is_not_null().to_list())


def _read_together(written: Written, starts: Sequence[int]) -> dict[int, float | None]:
    """Return by row the numbers that the marks of the whole field decide."""
    read: dict[int, float | None] = {}
    for start, end in pairwise(starts):
        numbers = marked_numbers(written.raws[start:end], written.items[start:end])
        read |= {start + place: number for place, number in numbers.items()}
    return read


def _with(
    numbers: "pl.Series", order: NDArray[np.int64], read: Mapping[int, float | None]
) -> "pl.Series":
    """Return the numbers of rows, those by field that were read together as they were read."""
    places = order[np.fromiter(read, np.int64, len(read))]
    return numbers.scatter(places, list(read.values()))


def _first(fields: NDArray[np.int32], documents: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the first row of each field and document, whose rows lie together."""
    again = (fields[1:] == fields[:-1]) & (documents[1:] == documents[:-1])
    return np.flatnonzero(np.concatenate((np.ones(min(1, len(fields)), bool), ~again)))


def _catalogued(
    names: Sequence[str], fields: NDArray[np.int32], written: Written
) -> tuple[tuple[Field, ...], NDArray[np.int32]]:
    """Return the catalogue, and of each value its field's place there; -1 where it says none.

    Args:
        names: the fields' names.
        fields: which of them is each value's, ascending, (V,).
        written: the values, one a field and document.
    """
    spans = list(pairwise(starts_of(fields, len(names))))
    found = [
        field_of(name, written.part(start, end))
        for name, (start, end) in zip(names, spans, strict=True)
    ]
    catalogue = ranked(found)
    by_name = {field.name: place for place, field in enumerate(catalogue)}
    places = np.array([by_name[name] for name in names], np.int32)[fields]
    for field, (start, end) in zip(found, spans, strict=True):
        if field.type in WITHOUT_NONE:
            places[start:end][~np.array(are_given(written.raws[start:end]))] = -1
    return catalogue, places


def _by_field(
    rows: "pl.DataFrame", order: NDArray[np.int64], places: NDArray[np.int32]
) -> "pl.DataFrame":
    """Return the table of the fields' values, a field after another, by document.

    Args:
        rows: those of the documents.
        order: rows by field and document, (V,).
        places: the place of each one's field; -1 leaves it out, (V,).
    """
    import polars as pl

    kept = np.flatnonzero(places >= 0)
    kept = kept[np.argsort(places[kept], kind="stable")]
    table = rows.drop("key")[order[kept]]
    return table.insert_column(0, pl.Series("field", places[kept]))
