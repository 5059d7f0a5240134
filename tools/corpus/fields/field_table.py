"""The metadata fields of a corpus: the catalogue, and the values by field and by document."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from heapq import nsmallest
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import TypeAdapter

from agent.corpus_view import Field, FieldType, FieldValue
from agent.english import singular
from agent.errors import SettingsError
from agent.small_files import read_small
from agent.value import counted
from tools.corpus.fields.field_file import Corrected, Corrections
from tools.corpus.fields.field_values import (
    Written,
    fold,
    lists_of,
    read_again,
    save_rows,
    saying_none,
    split_items,
    values_of,
)
from tools.corpus.fields.literals import type_of, units_of
from tools.corpus.generations import Generation
from tools.corpus.mapped_files import mapped_table
from tools.corpus.processes import gc_disabled

WITHOUT_NONE: Final = frozenset({"number", "date", "list"})
"""The types of fields in which `none` alone is no value but says that there is none."""
_VALUES_SHOWN = 200
_SHOWN = 3
_LONGEST = 40
"""Characters of a value that is told."""
CATALOGUE: TypeAdapter[tuple[Field, ...]] = TypeAdapter(tuple[Field, ...])
"""How the catalogue is written."""
_Spans = Mapping[str, tuple[int, int]]
"""By field, its first row and the one behind its last."""
_NOWHERE = -1
"""The place of what is no value of a field: another spelling, or that there is none."""


def names_of(keys: Iterable[str]) -> dict[str, str]:
    """Return each key's canonical name: of the keys of one fold, or of the same words, the usual.

    A word may be cut short by a full stop, and `No` is a number.

    >>> names_of(["net_rent", "Net rent", "Rent (net)", "net_rent"])["Rent (net)"]
    'net_rent'
    >>> names_of(["Estimated cost", "Estimated cost", "Est. cost", "Permit No."])["Est. cost"]
    'Estimated cost'
    """
    counts = Counter(keys)
    cut = {key: _CUT.search(key) is not None for key in counts}
    frequent_first = sorted(counts, key=lambda key: (cut[key], -counts[key], key))
    best: dict[str, str] = {}
    worded: dict[tuple[str, ...], str] = {}
    for key in frequent_first:
        told = _WORDS.findall(key.casefold())
        words = tuple(sorted("number" if each.rstrip(".") in _NUMBER else each for each in told))
        if any(word.endswith(".") for word in words):  # others are the same only if they are equal
            usual = islice(worded, _COMPARED)
            words = next((each for each in usual if _same(words, each)), words)
        best.setdefault(fold(key), worded.setdefault(words, key) if len(words) > 1 else key)
    return {key: best[fold(key)] for key in frequent_first}


def names_in(rows: pl.DataFrame) -> dict[str, str]:
    """Return each key's canonical name among rows of documents, by `key` and `document`.

    A name and its plural are one where no document has both: `Editor` of one, `Editors` of several.
    """
    keys: list[str] = rows["key"].to_list()
    names, counts = names_of(keys), Counter(keys)
    singly: dict[str, list[str]] = {}
    for name in sorted(set(names.values()), key=lambda each: (-counts[each], each)):
        *words, last = _WORDS.findall(name.casefold()) or [name]
        singly.setdefault(fold(" ".join([*words, singular(last)])), []).append(name)
    for usual, *others in singly.values():
        for other in others:
            own = [{key for key, name in names.items() if name == each} for each in (usual, other)]
            told = [rows.filter(rows["key"].is_in(list(each)))["document"] for each in own]
            if set(told[0].to_list()).isdisjoint(told[1].to_list()):
                names |= dict.fromkeys(own[1], usual)
    return names


_WORDS = re.compile(r"[^\W_]+\.?")
_COMPARED = 1_000
"""Of the keys, the most usual first, so many are tried for one that is cut short."""
_CUT = re.compile(r"\w\.(?!\w)")
_NUMBER = frozenset({"no", "nr", "num", "number"})


def _same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Tell whether the words of a key are those of another, some of them cut short."""
    if not len(one) == len(other) > 1 or one[-1][0] != other[-1][0]:
        return False
    return all(
        each == full or (each.endswith(".") and full.startswith(each[:-1]))
        for each, full in zip(one, other, strict=True)
    )


def field_of(
    name: str, written: Written, said: FieldType | None = None, aliases: Sequence[str] = ()
) -> Field:
    """Return what the catalogue tells of the field; `said` is what a person says its values are."""
    given = written.given()
    kind = said or type_of(given.raws, several=given.several, name=name)
    values = given if kind in WITHOUT_NONE else written
    spellings = Counter(chain.from_iterable(values.items))
    folded = ({item.casefold() for item in own} for own in values.items)
    documents = Counter(chain.from_iterable(folded))
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
        aliases=tuple(aliases),
    )


def _most_frequent(spellings: Mapping[str, int], folded: Collection[str]) -> dict[str, str]:
    """Return the most frequent spelling of each of these items."""
    of_these = [pair for pair in spellings.items() if pair[0].casefold() in folded]
    spelt: dict[str, str] = {}
    for item, _ in sorted(of_these, key=_frequent_first):
        spelt.setdefault(item.casefold(), item)
    return spelt


def _frequent_first(counted: tuple[str, int]) -> tuple[int, str]:
    return -counted[1], counted[0]


def join_fields(
    rows: pl.DataFrame, said: Corrected | None = None
) -> tuple[tuple[Field, ...], pl.DataFrame, pl.DataFrame]:
    """Return the catalogue, the table of the fields' values, and the documents' rows.

    The values of a field are read together: in the rows that are returned, too. Those hold also
    what a person says to ignore, and items as recognised. A document that has two spellings of a
    key counts once, with its first.
    """
    keys = rows["key"].to_list()
    said = said or Corrected(names_in(rows), {})
    names = list(dict.fromkeys(filter(None, said.names.values())))
    places = {name: place for place, name in enumerate(names)}
    ignored = len(names)
    by_key = {key: places.get(name or "", ignored) for key, name in said.names.items()}
    own = np.fromiter(map(by_key.__getitem__, keys), np.int32, len(keys))
    numbered = rows.with_columns(pl.Series("field", own)).with_row_index("row")
    alone = numbered.sort("field", maintain_order=True)
    starts = starts_of(alone["field"].to_numpy(), ignored)
    spans = dict(zip(names, pairwise(starts), strict=True))
    grouped, written = _read_again(alone, spans)
    read = rows if grouped is alone else grouped.sort("row").drop("row", "field")
    if (last := starts[-1]) < len(grouped):
        grouped, written = grouped.head(last), written.part(0, last)
    grouped, written = _items_as_said(grouped, written, spans, said)
    catalogue, table = _catalogued(names, grouped, written, said)
    said.misfits += _misfits(spans, grouped, said)
    return catalogue, table, read


def _items_as_said(
    rows: pl.DataFrame, written: Written, spans: _Spans, said: Corrected
) -> tuple[pl.DataFrame, Written]:
    """Return rows in which a value of what is said to be text is one item, and a list's several."""
    wholes = {name: kind == "text" for name, kind in said.types.items() if kind in {"text", "list"}}
    changed = wholes.keys() & spans.keys()
    if not changed:
        return rows, written
    items = list(written.items)
    for name in changed:
        for place in range(*spans[name]):
            if wholes[name] or len(items[place]) < 2:
                items[place] = split_items(written.raws[place], whole=wholes[name])
    return rows.with_columns(lists_of(items).alias("items")), replace(written, items=items)


def _misfits(spans: _Spans, rows: pl.DataFrame, said: Corrected) -> Iterator[str]:
    """Name the values that are not what a person says that the field's are."""
    for name, (start, end) in spans.items():
        if (kind := said.types.get(name)) in {"number", "date"}:
            own = rows.slice(start, end - start)
            raws = own.filter(own[kind].is_null())["raw"].to_list()
            none = saying_none(raws)
            if wrong := [" ".join(raw.split())[:_LONGEST] for raw in raws if raw not in none]:
                shown = ", ".join(map(repr, dict.fromkeys(wrong[:_SHOWN])))
                yield f"{name!r}: {counted(len(wrong), 'value')} no {kind}: {shown}"


def starts_of(fields: NDArray[np.int32], count: int) -> list[int]:
    """Return where each of so many fields' rows begin, and behind the last field's their number."""
    starts: list[int] = np.searchsorted(fields, np.arange(count + 1, dtype=np.int32)).tolist()
    return starts


def _read_again(rows: pl.DataFrame, spans: _Spans) -> tuple[pl.DataFrame, Written]:
    """Return rows, grouped by field, with what the other values of the field tell of each."""
    items: list[Sequence[str]] = rows["items"].to_list()
    written = Written(rows["raw"].to_list(), items, rows["start"].is_not_null().to_list())
    numbers: dict[int, float | None] = {}
    dates: dict[int, str | None] = {}
    several: dict[int, tuple[str, ...]] = {}
    for name, (start, end) in spans.items():
        own = read_again(name, written.part(start, end))
        numbers |= {start + place: number for place, number in own[0].items()}
        dates |= {start + place: date for place, date in own[1].items()}
        several |= {start + place: each for place, each in own[2].items()}
    if numbers or dates:
        rows = rows.with_columns(
            rows["number"].scatter(list(numbers), list(numbers.values())),
            rows["date"].scatter(list(dates), list(dates.values())),
        )
    changed = {place: each for place, each in several.items() if tuple(items[place]) != each}
    for place, each in changed.items():
        items[place] = each
    if changed:
        rows = rows.with_columns(lists_of(items).alias("items"))
    return rows, written


def _catalogued(
    names: Sequence[str], rows: pl.DataFrame, written: Written, said: Corrected
) -> tuple[tuple[Field, ...], pl.DataFrame]:
    """Return the catalogue, and the table of the fields' values, a field after another."""
    fields = rows["field"].to_numpy()
    first = _first(fields, rows["document"].to_numpy())
    once = written if len(first) == len(written) else written.at(first.tolist())
    spans = list(pairwise(starts_of(fields[first], len(names))))
    found = [
        field_of(name, once.part(start, end), said.types.get(name), said.aliases.get(name, ()))
        for name, (start, end) in zip(names, spans, strict=True)
    ]
    catalogue = tuple(sorted(found, key=lambda field: (-field.documents, field.name)))
    by_name = {field.name: place for place, field in enumerate(catalogue)}
    own = np.array([by_name[name] for name in names], np.int32)[fields[first]]
    for field, (start, end) in zip(found, spans, strict=True):
        if field.type in WITHOUT_NONE and (none := saying_none(once.raws[start:end])):
            own[start:end][[raw in none for raw in once.raws[start:end]]] = _NOWHERE
    places = np.full(len(fields), _NOWHERE, np.int32)
    places[first] = own
    table = rows.drop("row", "key", "field").insert_column(0, pl.Series("field", places))
    told = table.filter(pl.col("field") != _NOWHERE)
    return catalogue, told.sort("field", maintain_order=True)


def _first(fields: NDArray[np.int32], documents: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the first row of each field and document, whose rows lie together."""
    again = (fields[1:] == fields[:-1]) & (documents[1:] == documents[:-1])
    return np.flatnonzero(np.concatenate((np.ones(min(1, len(fields)), bool), ~again)))


Piece = tuple[Path, int, int]
"""Some documents' fields: the file that holds their rows, the first document, and the stop."""
_OPEN = 8


class FieldColumn(Mapping[int, FieldValue]):
    """A field's values by document index; which documents have it is known without them."""

    def __init__(self, rows: pl.DataFrame) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[int]:
        return iter(self.rows["document"].to_list())

    def __getitem__(self, document: int) -> FieldValue:
        return self._values[document]

    @cached_property
    def _values(self) -> dict[int, FieldValue]:
        return dict(zip(self, values_of(self.rows), strict=True))


class FieldTable:
    """The fields of a corpus and their values by document."""

    def __init__(self, generation: Generation, corrections: Corrections | None = None) -> None:
        """Read the catalogue; map the values by field, and those by document."""
        self.fields = fields = CATALOGUE.validate_json(read_small(generation.fields))
        """The catalogue, most widespread first."""
        self._values = mapped_table(generation.values)
        self._starts = starts_of(self._values["field"].to_numpy(), len(fields))
        aliased = ((alias, place) for place, field in enumerate(fields) for alias in field.aliases)
        self._places = {fold(alias): place for alias, place in aliased}
        self._places |= {fold(field.name): place for place, field in enumerate(fields)}
        self._columns: dict[int, FieldColumn] = {}
        self._rows = mapped_table(generation.written)
        self._documents = self._rows["document"].to_numpy()
        self._corrections = corrections or {}

    @property
    def stop(self) -> int:
        """The index behind the last document that has a field; 0 where none has."""
        return int(self._documents[-1]) + 1 if len(self._documents) else 0

    def of(self, document: int) -> dict[str, FieldValue]:
        """Return one document's values by key as it writes them, but for what is ignored."""
        bounds = np.array([document, document + 1], np.int32)
        start, end = np.searchsorted(self._documents, bounds).tolist()
        own = self._rows.slice(start, end - start)
        told = zip(own["key"].to_list(), values_of(own), strict=True)
        return {key: value for key, value in told if key not in self._ignored}

    @cached_property
    def _ignored(self) -> Collection[str]:
        """The keys of fields that are ignored."""
        if not any(each.ignore for each in self._corrections.values()):
            return ()
        said = Corrected(names_in(self._rows), self._corrections)
        return {key for key, name in said.names.items() if name is None}

    def values(self, name: str) -> FieldColumn:
        """Return a field's values by document index; empty where there is no such field."""
        place = self._places.get(fold(name))
        if place is None:
            return FieldColumn(self._values.clear())
        if place not in self._columns:
            start, end = self._starts[place : place + 2]
            self._columns[place] = FieldColumn(self._values.slice(start, end - start))
        return self._columns[place]

    def items(self, name: str) -> list[str]:
        """Return the items of a field's values, each once, in the documents' order."""
        items = self.values(name).rows["items"].explode().drop_nulls()
        found: list[str] = items.unique(maintain_order=True).to_list()
        return found


def write_fields(
    pieces: Iterable[Piece],
    generation: Generation,
    corrections: Corrections | None = None,
    *,
    given: bool = False,
) -> list[str]:
    """Write the fields of the pieces' documents, numbered anew, one piece after another.

    Return what is to be told of the corrections: names that no document has, values that do not
    fit. Raises SettingsError: they say two things of one field; or, where they are `given` now,
    they correct one that no document has.
    """

    @lru_cache(maxsize=_OPEN)
    def opened(file: Path) -> tuple[pl.DataFrame, NDArray[np.int32]]:
        held = mapped_table(file)
        return held, held["document"].to_numpy()

    taken, documents, count = [], [], 0
    for file, first, stop in pieces:
        rows, own = opened(file)
        start, end = np.searchsorted(own, np.array([first, stop], np.int32)).tolist()
        taken.append(rows.slice(start, end - start))
        documents.append(own[start:end] + np.int32(count - first))
        count += stop - first
    numbered = pl.Series("document", np.concatenate(documents))
    rows = pl.concat(taken, rechunk=True).with_columns(numbered)
    said = Corrected(names_in(rows), corrections or {})
    unknown = said.unknown(corrections or ())
    if given and unknown:
        raise SettingsError(unknown)
    with gc_disabled():
        catalogue, table, read = join_fields(rows, said)
    generation.fields.write_bytes(CATALOGUE.dump_json(catalogue))
    table.write_ipc(generation.values, compression="uncompressed")
    save_rows(read, generation.written)
    return [*filter(None, [unknown, said.unwritten()]), *said.misfits]
