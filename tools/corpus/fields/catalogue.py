"""The catalogue of a corpus: its metadata fields, their types and their frequent values."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from heapq import nsmallest
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from agent.corpus_view import Field, FieldValue
from tools.corpus.fields.field_values import (
    Items,
    Written,
    fold,
    items_of,
    lists_of,
    read_again,
    saying_none,
    value_rows,
    values_of,
)
from tools.corpus.fields.literals import type_of, units_of
from tools.corpus.processes import gc_disabled

if TYPE_CHECKING:
    import polars as pl

WITHOUT_NONE: Final = frozenset({"number", "date", "list"})
"""The types of fields in which `none` alone is no value but says that there is none."""
_VALUES_SHOWN = 200
CATALOGUE: TypeAdapter[tuple[Field, ...]] = TypeAdapter(tuple[Field, ...])
"""How the catalogue is written."""
_NOWHERE = -1
"""The place of what is no value of a field: another spelling, or that there is none."""


def catalogue(
    documents: Sequence[Mapping[str, FieldValue]],
) -> tuple[tuple[Field, ...], dict[str, str]]:
    """Return the documents' fields, most widespread first, and each raw key's canonical name.

    Keys that differ only in case, spaces, hyphens and the like are one field, named as written most
    often. A document that has two spellings counts once, with its first.
    """
    return _joined(value_rows(documents))[0], names_of(chain.from_iterable(documents))


def read_together(documents: Iterable[Mapping[str, FieldValue]]) -> list[dict[str, FieldValue]]:
    """Return the documents' values as those of the same field tell to read them."""
    given = list(documents)
    rows = _joined(value_rows(given))[2]
    read: list[dict[str, FieldValue]] = [{} for _ in given]
    placed = zip(rows["document"].to_list(), rows["key"].to_list(), values_of(rows), strict=True)
    for document, key, value in placed:
        read[document][key] = value
    return read


def names_of(keys: Iterable[str]) -> dict[str, str]:
    """Return each key's canonical name: of the keys of one fold the most frequent."""
    counts = Counter(keys)
    frequent_first = sorted(counts, key=lambda key: (-counts[key], key))
    best: dict[str, str] = {}
    for key in frequent_first:
        best.setdefault(fold(key), key)
    return {key: best[fold(key)] for key in frequent_first}


def ranked(fields: Iterable[Field]) -> tuple[Field, ...]:
    """Return the fields, most widespread first."""
    return tuple(sorted(fields, key=lambda field: (-field.documents, field.name)))


def field_of(name: str, written: Written) -> Field:
    """Return what the catalogue tells of the field that has these values."""
    given = written.given()
    kind = type_of(given.raws, several=given.several, name=name)
    values = given if kind in WITHOUT_NONE else written
    spellings, documents = _counted(values.items)
    shown = nsmallest(_VALUES_SHOWN, documents.items(), key=_frequent_first)
    spelt = _most_frequent(spellings, {item for item, _ in shown})
    return Field(
        name=name,
        type=kind,
        documents=len(values),
        distinct=len(documents),
        values=tuple((spelt[item], count) for item, count in shown),
        written=any(values.placed),
        units=units_of(values.raws) if kind == "number" else (),
    )


def _counted(items: Sequence[Items]) -> tuple[Counter[str], Counter[str]]:
    """Return how often each item is written, and by item without case how many values have it."""
    spellings = Counter([own for own in items if isinstance(own, str)])
    values: Counter[str] = Counter()
    for item, count in spellings.items():
        values[item.casefold()] += count
    for own in items:
        if not isinstance(own, str):
            spellings.update(own)
            values.update({item.casefold() for item in own})
    return spellings, values


def _most_frequent(spellings: Mapping[str, int], folded: Collection[str]) -> dict[str, str]:
    """Return the most frequent spelling of each of these items."""
    of_these = [pair for pair in spellings.items() if pair[0].casefold() in folded]
    spelt: dict[str, str] = {}
    for item, _ in sorted(of_these, key=_frequent_first):
        spelt.setdefault(item.casefold(), item)
    return spelt


def _frequent_first(counted: tuple[str, int]) -> tuple[int, str]:
    return -counted[1], counted[0]


def join_fields(rows: "pl.DataFrame", catalogued: Path, values: Path) -> "pl.DataFrame":
    """Write the catalogue of the documents' fields and its values; return the documents' rows.

    The values of a field are read together: in the rows that are returned, too.
    """
    with gc_disabled():
        catalogue, table, read = _joined(rows)
    catalogued.write_bytes(CATALOGUE.dump_json(catalogue))
    table.write_ipc(values, compression="uncompressed")
    return read


def _joined(
    rows: "pl.DataFrame",
) -> "tuple[tuple[Field, ...], pl.DataFrame, pl.DataFrame]":
    """Return the catalogue, the table of the fields' values, and the documents' rows read again."""
    import polars as pl

    names, own = _numbered(rows["key"].to_list())
    numbered = rows.with_columns(pl.Series("field", own)).with_row_index("row")
    alone = numbered.sort("field", maintain_order=True)
    grouped, written = _read_again(alone, names)
    catalogue, places = _catalogued(names, grouped, written)
    read = rows if grouped is alone else grouped.sort("row").drop("row", "field")
    return catalogue, _table(grouped, places), read


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


def _read_again(rows: "pl.DataFrame", names: Sequence[str]) -> "tuple[pl.DataFrame, Written]":
    """Return rows, grouped by field, with what the other values of the field tell of each."""
    items = items_of(rows)
    written = Written(rows["raw"].to_list(), items, rows["start"].is_not_null().to_list())
    numbers: dict[int, float | None] = {}
    dates: dict[int, str | None] = {}
    several: dict[int, tuple[str, ...]] = {}
    bounds = starts_of(rows["field"].to_numpy(), len(names))
    for name, (start, end) in zip(names, pairwise(bounds), strict=True):
        own = read_again(name, written.part(start, end))
        numbers |= {start + place: number for place, number in own.numbers.items()}
        dates |= {start + place: date for place, date in own.dates.items()}
        several |= {start + place: each for place, each in own.items.items()}
    if numbers or dates:
        rows = rows.with_columns(
            rows["number"].scatter(list(numbers), list(numbers.values())),
            rows["date"].scatter(list(dates), list(dates.values())),
        )
    changed = {place: each for place, each in several.items() if _all(items[place]) != each}
    for place, each in changed.items():
        items[place] = each[0] if len(each) == 1 else each
    if changed:
        rows = rows.with_columns(lists_of(list(map(_all, items))).alias("items"))
    return rows, written


def _all(items: Items) -> tuple[str, ...]:
    return (items,) if isinstance(items, str) else tuple(items)


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
