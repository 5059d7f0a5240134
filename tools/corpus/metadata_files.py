"""Metadata that people keep as files: a table for a folder, a file beside a file.

What such a file holds, not its name alone, decides whether it is metadata, and no document. What it
says goes with each file that it names to where that is read.
"""

import csv
import io
import posixpath
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, product
from pathlib import PurePosixPath
from typing import NamedTuple

from agent.errors import DocumentUnreadable
from agent.value import counted
from tools.corpus.documents import file_bytes
from tools.corpus.fields.field_values import NAMING_KEYS, fold, split_items
from tools.corpus.fields.header import yaml_entries
from tools.corpus.readers import SUFFIXES, read_as
from tools.corpus.readers.extracted import decode, suffix_of
from tools.corpus.readers.rows import LONGEST_CELL, Row, json_values, parsed_json, table_documents
from tools.corpus.source_files import FileBelow, Metadata

ReadRows = Callable[[FileBelow], Sequence[Row]]
"""Returns the rows of a table as `table_rows` does; raises DocumentUnreadable."""
_NEARLY_ALL = 0.8
"""The share of a table's rows that name a file, at least, if it is metadata."""
_SHOWN = 3
_FIELDS = 8
_TABLES = frozenset({"csv", "tsv", "jsonl", "sheets"})
_BESIDE = (".json", ".yaml", ".yml")
_MOST_BYTES = 65_536
"""Of a file beside a file; front matter has no more."""
_LONGEST = 2_000
"""Characters of an item in `x.json` beside `x.pdf`, at most: a longer one is a text."""
_TEXTS = frozenset({"text", "content", "body"})


class _Row(NamedTuple):
    """What is said of some files."""

    written: str
    """How they are named."""
    targets: Sequence[FileBelow]
    metadata: Metadata


class _Source(NamedTuple):
    """A file of metadata; one beside a file has one row."""

    file: FileBelow
    rows: Sequence[_Row]


_Names = Mapping[str, Mapping[str, Sequence[FileBelow]]]


def described(files: Iterable[FileBelow], read_rows: ReadRows) -> tuple[list[FileBelow], list[str]]:
    """Take the files of metadata out of the files below the sources, and give their values.

    Return the documents' files, each with what is said of it, and a line for each source of
    metadata and for each file that might be one and is none.
    """
    given, told = list(files), list[str]()
    names = _names(given)
    tables = [each for file in given if (each := _table(file, names, read_rows, told))]
    documents = _without(given, tables)
    names = _names(documents)
    refused = defaultdict[str, list[str]](list)
    beside = [each for file in documents if (each := _file_beside(file, names, refused))]
    told += [f"{_first(own)}: no metadata of a file beside: {why}" for why, own in refused.items()]
    documents = _without(documents, beside)
    said = defaultdict[str, list[Metadata]](list)
    for row in chain.from_iterable(source.rows for source in (*beside, *tables)):
        for target in row.targets:
            said[target.file].append(row.metadata)
    joined = {own: _joined(said[own]) for own in {*said, *(each.file for each in documents)}}
    if beside:
        count = len({target.file for each in beside for target in each.rows[0].targets})
        shown = _first([each.file.path for each in beside])
        from_them = f"from files beside them: {shown}{_fields_of(beside)}"
        told.append(f"metadata of {counted(count, 'document')} {from_them}")
    told += [_summary(each, documents) for each in tables]
    if differing := [each.path for each in documents if joined[each.file][1]]:
        keys = sorted({key for _, own in joined.values() for key in own})
        several = f"{counted(len(differing), 'document')} ({_first(differing)})"
        told.append(f"metadata says different things of {several}, all are kept: {_first(keys)}")
    return [replace(each, metadata=joined[each.file][0]) for each in documents], told


def _without(files: Sequence[FileBelow], sources: Iterable[_Source]) -> list[FileBelow]:
    taken = {each.file.file for each in sources}
    return [each for each in files if each.file not in taken]


def _joined(said: Iterable[Metadata]) -> tuple[Metadata, Sequence[str]]:
    """Return all that is said of a file, by key, and the keys that have more than is said first.

    Keys that differ only in case, spaces and the like are one.
    """
    found = defaultdict[str, list[tuple[str, str | Sequence[str]]]](list)
    for key, value in chain.from_iterable(each.items() for each in said):
        found[fold(key)].append((key, value))
    joined: dict[str, str | Sequence[str]] = {}
    differing: list[str] = []
    for (name, first), *others in found.values():
        joined[name] = first
        if all(value == first for _, value in others):
            continue
        items = dict.fromkeys(_items(name, first))
        for _, value in others:
            items |= dict.fromkeys(_items(name, value))
        joined[name] = tuple(items)
        if len(items) > len(_items(name, first)):
            differing.append(name)
    return joined, differing


def _items(key: str, value: str | Sequence[str]) -> Sequence[str]:
    if isinstance(value, str):
        return split_items(value, whole=fold(key) in NAMING_KEYS)
    return value


def _names(files: Sequence[FileBelow]) -> _Names:
    """Return by root and path the file, else those that have the path but for their suffix."""
    names: defaultdict[str, dict[str, list[FileBelow]]] = defaultdict(dict)
    for each in files:
        bare = each.path.removesuffix(suffix_of(each.path))
        names[each.root].setdefault(bare, []).append(each)
    for each in files:
        names[each.root][each.path] = [each]
    return names


def table_rows(file: FileBelow, encoding: str | None) -> list[Row]:
    """Return the rows of a table, all columns by name; of a `.dat` that is no load file, nothing.

    A row that cannot be read has no columns. Raises DocumentUnreadable, SettingsError.
    """
    if not _is_load_file(file.path):
        found = read_as(PurePosixPath(file.path).name, file_bytes(file), encoding)[1]
        return [each.row for each in found]
    begins = _load_file_encoding(file_bytes(file, first=8))
    return [] if begins is None else _load_file_rows(file_bytes(file))


def _is_load_file(path: str) -> bool:
    """Tell whether a file may be one, by its name."""
    return suffix_of(path).lower() == ".dat"


def _load_file_encoding(head: bytes) -> str | None:
    """Return the encoding of a load file by its first bytes; None where it is none."""
    own = "cp1252" if head.startswith(b"\xfe") else "utf-8-sig"
    own = "utf-16" if head[:2] in {b"\xfe\xff", b"\xff\xfe"} else own
    return own if head[:8].decode(own, "replace").startswith("þ") else None


def _load_file_rows(data: bytes) -> list[Row]:
    """Return the rows of a load file, all columns by name; raises DocumentUnreadable."""
    csv.field_size_limit(LONGEST_CELL)
    try:
        text = io.StringIO(data.decode(_load_file_encoding(data) or "utf-8"), newline="")
        read = list(csv.reader(text, delimiter="\x14", quotechar="þ"))
    except (UnicodeDecodeError, csv.Error) as error:
        raise DocumentUnreadable(f"damaged load file ({error}); save it as UTF-8") from error
    cells = [[cell.replace("®", "\n") for cell in row] for row in read if row]
    return [each.row for each in table_documents(cells, None)]


def _folders_of(table: str) -> list[str]:
    """Return what the paths begin with that a table may be about: what lies at or below its folder.

    A load file lies in a folder of its own beside those of its documents: the folders above, too.
    """
    above = [str(each) for each in PurePosixPath(table).parents]
    within = ["" if each == "." else f"{each}/" for each in above]
    return within if _is_load_file(table) else within[:1]


def _columns_naming(
    table: str, rows: Sequence[Row], names: Mapping[str, Sequence[FileBelow]]
) -> tuple[str, int, list[list[Sequence[FileBelow]]]]:
    r"""Return the column that names the most files, in how many rows, and what columns name.

    The files lie at or below a folder of the table; `\` parts folders, too. Where a column names
    files in nearly all rows, so does what others name, of whose values nearly all are such names.
    """
    folders = _folders_of(table)

    @cache
    def named(written: str) -> Sequence[FileBelow]:
        name = written.strip().replace("\\", "/").lstrip("/")
        for within in folders if name else ():
            path = posixpath.normpath(within + name) if "/" in name else within + name
            if path.startswith(within) and (found := names.get(path)):
                return found
        return ()

    columns = dict.fromkeys(chain.from_iterable(rows))
    found = {key: [named(row.get(key, "")) for row in rows] for key in columns}
    hits = {key: sum(map(bool, each)) for key, each in found.items()}
    best = max(hits, key=lambda key: hits[key], default="")
    if not hits.get(best) or hits[best] < _NEARLY_ALL * len(rows):
        return best, hits.get(best, 0), []
    filled = {key: sum(bool(row.get(key, "").strip()) for row in rows) for key in columns}
    naming = [each for key, each in found.items() if hits[key] >= max(1, _NEARLY_ALL * filled[key])]
    return best, hits[best], naming


def _table(file: FileBelow, names: _Names, read_rows: ReadRows, told: list[str]) -> _Source | None:
    """Return a table, if nearly all of its rows name files at or below its folder by a column."""
    suffix, reader = suffix_of(file.path), SUFFIXES.get(suffix_of(file.path).lower(), ("",))[0]
    stem = PurePosixPath(file.path).name.removesuffix(suffix).casefold()
    if not _is_load_file(file.path) and not (stem == "metadata" and reader in _TABLES):
        return None
    try:
        rows = read_rows(file)
    except DocumentUnreadable as error:
        told.append(f"{file.path}: cannot be read as metadata: {error}")
        return None
    best, hits, naming = _columns_naming(file.path, rows, names[file.root])
    if hits and not naming:
        share = f"{hits} of {counted(len(rows), 'row')}"
        told.append(f"{file.path}: is no metadata, since {best!r} names files in only {share}")
    if not naming:
        return None
    return _Source(
        file,
        [
            _Row(
                row.get(best, ""),
                list({each.file: each for own in targets for each in own}.values()),
                {key: value for key, value in row.items() if value and key != best},
            )
            for row, *targets in zip(rows, *naming, strict=True)
        ],
    )


def _summary(table: _Source, documents: Sequence[FileBelow]) -> str:
    """Say of how many documents a table tells, and which rows and documents are left."""
    root, targets = table.file.root, [each.path for row in table.rows for each in row.targets]
    folders = _folders_of(table.file.path)
    within = next((each for each in folders if all(t.startswith(each) for t in targets)), "")
    here = [each for each in documents if each.root == root and each.path.startswith(within)]
    below = {each.file: each.path for each in here}
    given = {target.file for row in table.rows for target in row.targets}
    without = [path for file, path in below.items() if file not in given]
    lost = [row.written for row in table.rows if not any(e.file in below for e in row.targets)]
    line = f"metadata of {len(below) - len(without)} of {counted(len(below), 'document')}"
    line += f" from {table.file.path}{_fields_of([table])}"
    if lost:
        verb = "names" if len(lost) == 1 else "name"
        line += f"; {counted(len(lost), 'row')} {verb} no file: {_first(lost)}"
    return f"{line}; without a row: {_first(without)}" if without else line


def _fields_of(sources: Iterable[_Source]) -> str:
    """Name the fields that sources give, and to how many documents, the most widespread first."""
    found = {
        (key, target.file)
        for source in sources
        for row in source.rows
        for key, target in product(row.metadata, row.targets)
    }
    counts = Counter(sorted(key for key, _ in found)).most_common()
    more = f" and {len(counts) - _FIELDS} more" if counts[_FIELDS:] else ""
    told = ", ".join(f"{key}: {count}" for key, count in counts[:_FIELDS])
    return f" ({told}{more})" if told else ""


def _file_beside(
    file: FileBelow, names: _Names, refused: Mapping[str, list[str]]
) -> _Source | None:
    """Return `x.pdf.json` of `x.pdf`, or `x.json` of `x.pdf` where it holds no text of its own."""
    suffix = suffix_of(file.path).lower()
    stem = file.path[: len(file.path) - len(suffix)]
    known = {*SUFFIXES, suffix_of(stem).lower()} - {"", *_BESIDE}
    found = names[file.root].get(stem, ()) if suffix in _BESIDE else ()
    targets = [each for each in found if suffix_of(each.path).lower() in known]
    if not targets:
        return None
    try:
        metadata = _values(file)
        if targets[0].path != stem:
            _refuse_text(metadata)
    except DocumentUnreadable as error:
        refused[str(error)].append(file.path)
        return None
    return _Source(file, [_Row(stem, targets, metadata)])


def _values(file: FileBelow) -> Metadata:
    """Return the values of an object in JSON or YAML, those of nested ones by dotted keys."""
    if file.size > _MOST_BYTES:
        raise DocumentUnreadable(f"it has more than {_MOST_BYTES} bytes")
    text = decode(file_bytes(file))[0]
    if suffix_of(file.path).lower() == ".json":
        found = json_values(parsed_json(text, "it"), "it")
        return {key: (own,) if isinstance(own, str) else own for key, own in found.items() if own}
    if (entries := yaml_entries(text)) is None:
        raise DocumentUnreadable("it is no valid YAML mapping, or too large with its aliases")
    said = ({e.key: e.raw if e.items is None else e.items} for e in entries if e.raw)
    return _joined(said)[0]


def _refuse_text(metadata: Metadata) -> None:
    """Raise DocumentUnreadable where a value is a text that somebody would search, or none is."""
    for key, own in metadata.items():
        called = fold(key.rpartition(".")[2]) in _TEXTS
        if called or max(map(len, _items(key, own)), default=0) > _LONGEST:
            raise DocumentUnreadable(f"{key!r} is a text of its own")
    if not metadata:
        raise DocumentUnreadable("it holds no values")


def _first(names: Sequence[str]) -> str:
    """Return the first of several names, and how many more there are."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(map(repr, names[:_SHOWN])) + more
