"""Joining the fields of all documents: the catalogue, and the values a field after another.

The values stay in columns: a corpus may have millions, and thousands of fields, for each of which a
call of Polars would take its while.
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from agent.corpus import Field
from tools.corpus.fields.catalogue import WITHOUT_NONE, field_of, names_of, ranked
from tools.corpus.fields.numbers import marked_numbers
from tools.corpus.fields.value_rows import items_of
from tools.corpus.fields.written import Written, saying_none
from tools.corpus.processes.collection import uncollected

if TYPE_CHECKING:
    import polars as pl

__all__ = ("CATALOGUE", "join_fields", "starts_of")

CATALOGUE: TypeAdapter[tuple[Field, ...]] = TypeAdapter(tuple[Field, ...])
"""How the catalogue is written."""
_NOWHERE = -1
"""The place of what is no value of a field: another spelling, or that there is none."""


def join_fields(rows: "pl.DataFrame", catalogued: Path, values: Path) -> "pl.DataFrame":
    """Write the catalogue of the documents' fields and its values; return the documents' rows.

    The numbers of a field are read together: in the rows that are returned, too.
    """
    import polars as pl

    with uncollected():
        names, own = _numbered(rows["key"].to_list())
        numbered = rows.with_columns(pl.Series("field", own)).with_row_index("row")
        grouped = numbered.sort("field", maintain_order=True)
        written = _written(grouped)
        read = _read_together(written, starts_of(grouped["field"].to_numpy(), len(names)))
        catalogue, places = _catalogued(names, grouped, written)
        changed = np.fromiter(read, np.int64, len(read))
        numbers = pl.Series(list(read.values()), dtype=pl.Float64)
        table = _table(_with(grouped, changed, numbers), places)
    catalogued.write_bytes(CATALOGUE.dump_json(catalogue))
    table.write_ipc(values, compression="uncompressed")
    return _with(rows, grouped["row"].to_numpy()[changed], numbers)


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
        numbers = marked_numbers(written.part(start, end))
        read |= {start + place: number for place, number in numbers.items()}
    return read


def _with(
    rows: "pl.DataFrame", places: NDArray[np.integer[Any]], numbers: "pl.Series"
) -> "pl.DataFrame":
    """Return rows of which those at the places have these numbers."""
    return rows.with_columns(rows["number"].scatter(places, numbers))


def _catalogued(
    names: Sequence[str], rows: "pl.DataFrame", written: Written
) -> tuple[tuple[Field, ...], NDArray[np.int32]]:
    """Return the catalogue, and each row's field's place there; `_NOWHERE` where it says none.

    Args:
        names: the fields' names.
        rows: with `field`, which of them is theirs, ascending, and documents ascending in it.
        written: their values.
    """
    fields = rows["field"].to_numpy()
    first = _first(fields, rows["document"].to_numpy())
    once = written if len(first) == len(written) else written.at(first.tolist())
    spans = list(pairwise(starts_of(fields[first], len(names))))
    found = [
        field_of(name, once.part(start, end))
        for name, (start, end) in zip(names, spans, strict=True)
    ]
    catalogue = ranked(found)
    by_name = {field.name: place for place, field in enumerate(catalogue)}
    own = np.array([by_name[name] for name in names], np.int32)[fields[first]]
    for field, (start, end) in zip(found, spans, strict=True):
        if field.type in WITHOUT_NONE and (none := saying_none(once.raws[start:end])):
            own[start:end][[raw in none for raw in once.raws[start:end]]] = _NOWHERE
    places = np.full(len(fields), _NOWHERE, np.int32)
    places[first] = own
    return catalogue, places


def _first(fields: NDArray[np.int32], documents: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the first row of each field and document, whose rows lie together."""
    again = (fields[1:] == fields[:-1]) & (documents[1:] == documents[:-1])
    return np.flatnonzero(np.concatenate((np.ones(min(1, len(fields)), bool), ~again)))


def _table(rows: "pl.DataFrame", places: NDArray[np.int32]) -> "pl.DataFrame":
    """Return the table of the fields' values, a field after another, by document."""
    import polars as pl

    kept = rows.drop("row", "key", "field").insert_column(0, pl.Series("field", places))
    if (places == _NOWHERE).any():
        kept = kept.filter(pl.col("field") != _NOWHERE)
    return kept.sort("field", maintain_order=True)
