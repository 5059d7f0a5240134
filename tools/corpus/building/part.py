"""A part of a build: some files read, chunked and their words counted, written to disk.

It is named by what its files look like from outside, and appears whole or not at all, even where
the power fails: a killed build takes up the parts that it had finished.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, chain, pairwise
from operator import attrgetter
from pathlib import Path
from typing import BinaryIO

import numpy as np
import polars as pl
from numpy.typing import NDArray

from agent.errors import CorpusDamaged, DocumentUnreadable
from agent.small_files import read_small
from agent.value import Value
from tools.corpus.build_settings import BuildSettings, FileLimits
from tools.corpus.checksums import damaged, save_sums
from tools.corpus.chunking.chunker import Chunk
from tools.corpus.document_table import SourceFile, save_chunks
from tools.corpus.documents import Document, cut, distinct, read_file
from tools.corpus.fields.field_values import lists_of, save_rows, value_rows
from tools.corpus.generations import Generation, flush
from tools.corpus.manifest import FORMAT, Unreadable, row_path
from tools.corpus.mapped_files import mapped_bytes, mapped_table, views_of
from tools.corpus.processes import gc_disabled, limited
from tools.corpus.source_files import FileBelow, path_text
from tools.corpus.words.lexical import Run, count_words

_COPIED = 1 << 24
_TOLD = ("path", "title", "digest", "reader", "encoding", "language")


def rows_of(documents: Sequence[Document]) -> pl.DataFrame:
    """Return the rows of documents, a column each of what is known of them.

    `read_as` is a document's name as read; in `name`, those that two sources share are numbered.
    """
    names = [each.name for each in documents]
    return pl.DataFrame(
        {
            "name": names,
            "read_as": names,
            **{name: list(map(attrgetter(name), documents)) for name in _TOLD},
            "chars": [len(each.text) for each in documents],
            "chunks": [len(each.chunks) for each in documents],
            "warnings": [list(each.warnings) for each in documents],
        },
        schema={
            **dict.fromkeys(("name", "read_as", *_TOLD), pl.String),
            "chars": pl.Int64,
            "chunks": pl.Int32,
            "warnings": pl.List(pl.String),
        },
    )


def concatenated(pieces: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Return the rows of the pieces, one after another, named so that a name means one document."""
    rows = pl.concat(pieces, rechunk=True)
    return rows.with_columns(
        pl.Series("name", distinct(rows["read_as"].to_list()), dtype=pl.String)
    )


class Origin:
    """Documents on disk, read and chunked, with the counts of their words."""

    def __init__(self, place: Generation, *, before: bool = False) -> None:
        self.place = place
        self.before = before
        """Whether it is the generation before, whose vectors may be carried over."""

    @cached_property
    def documents(self) -> pl.DataFrame:
        """The table of its documents, mapped."""
        return mapped_table(self.place.documents)

    @cached_property
    def first_chunks(self) -> NDArray[np.int64]:
        """The first chunk of each document and, last, how many there are, (D + 1,)."""
        sizes = self.documents["chunks"].to_numpy()
        return np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """Documents that follow one another in the corpus to be built."""

    origin: Origin
    first: int
    """The index of its first document in the origin."""
    stop: int
    """The index in the origin behind its last document."""

    def __len__(self) -> int:
        return self.stop - self.first

    def documents(self) -> pl.DataFrame:
        """Return the rows of its documents."""
        return self.origin.documents.slice(self.first, len(self))

    @property
    def chunks(self) -> range:
        """Its chunks, numbered as in the origin."""
        bounds = self.origin.first_chunks
        return range(int(bounds[self.first]), int(bounds[self.stop]))

    @property
    def run(self) -> Run:
        """Its chunks as a run of word counts."""
        return Run(self.origin.place.lexical, self.chunks.start, self.chunks.stop)


def _copy(file: Path, first: int, last: int, into: BinaryIO) -> None:
    """Copy the bytes of a file from one offset to another."""
    with file.open("rb") as texts:
        texts.seek(first)
        left = last - first
        while left:
            left -= into.write(texts.read(min(left, _COPIED)))


_OPEN = 8
"""Origins that are open at a time."""
_RECORD = "part.json"
_MILLION = 1_000_000
Tell = Callable[[int], None]
"""Hears which of a task's files is being read; -1 when all are."""


def save_tables(documents: Sequence[Document], place: Generation) -> list[str]:
    """Write both tables and the texts of documents; return the chunks' texts in order."""
    rows_of(documents).write_ipc(place.documents, compression="uncompressed")
    save_rows(value_rows([each.fields for each in documents]), place.written)
    written = [each.text.encode("utf-8") for each in documents]
    with place.text.open("wb") as file:
        file.writelines(written)
    begins = accumulate(map(len, written), initial=0)
    spans = [
        (first + begin, last + begin)
        for each, begin in zip(documents, begins, strict=False)
        for first, last in byte_spans(each.text, each.chunks)
    ]
    chunks = [chunk for each in documents for chunk in each.chunks]
    owners = [number for number, each in enumerate(documents) for _ in each.chunks]
    frame = pl.DataFrame(
        {
            "document": pl.Series(owners, dtype=pl.Int32),
            "start": pl.Series([chunk.start for chunk in chunks], dtype=pl.Int32),
            "end": pl.Series([chunk.end for chunk in chunks], dtype=pl.Int32),
            "tokens": pl.Series([chunk.tokens for chunk in chunks], dtype=pl.Int32),
            "first_byte": pl.Series([first for first, _ in spans], dtype=pl.Int64),
            "last_byte": pl.Series([last for _, last in spans], dtype=pl.Int64),
            "headings": lists_of([chunk.headings for chunk in chunks]),
        }
    )
    save_chunks(frame, place.chunks)
    return [each.text[chunk.start : chunk.end] for each in documents for chunk in each.chunks]


def join_tables(
    sections: Sequence[Section], documents: pl.DataFrame, generation: Generation
) -> None:
    """Write both tables and the texts of the sections' documents, in their order."""
    documents.write_ipc(generation.documents, compression="uncompressed")
    chunks = pl.concat(_joined(sections, generation.text))
    save_chunks(chunks, generation.chunks)
    first, last = (chunks[each].to_numpy() for each in ("first_byte", "last_byte"))
    np.save(generation.views, views_of(mapped_bytes(generation.text), first, last))


def byte_spans(text: str, chunks: Sequence[Chunk]) -> list[tuple[int, int]]:
    """Return where the chunks lie in the text's UTF-8 bytes.

    >>> byte_spans("é. b", [Chunk(0, 2, 1, ()), Chunk(2, 4, 1, ())])
    [(0, 3), (3, 5)]
    """
    if text.isascii():
        return [(chunk.start, chunk.end) for chunk in chunks]
    places = sorted({0, *chain.from_iterable((chunk.start, chunk.end) for chunk in chunks)})
    lengths = (len(text[start:end].encode()) for start, end in pairwise(places))
    offsets = dict(zip(places, accumulate(lengths, initial=0), strict=True))
    return [(offsets[chunk.start], offsets[chunk.end]) for chunk in chunks]


def _joined(sections: Sequence[Section], text: Path) -> Iterator[pl.DataFrame]:
    """Write the sections' texts; yield their chunks, numbered and placed as in this corpus."""
    opened = lru_cache(maxsize=_OPEN)(mapped_table)
    documents = 0
    with text.open("wb") as into:
        for each in sections:
            rows = opened(each.origin.place.chunks).slice(each.chunks.start, len(each.chunks))
            first = int(rows["first_byte"][0])  # chunks cover their texts, which lie side by side
            further = into.tell() - first
            _copy(each.origin.place.text, first, int(rows["last_byte"][-1]), into)
            own = rows["document"].to_numpy()
            yield rows.with_columns(
                pl.Series("document", own + np.int32(documents - each.first), dtype=pl.Int32),
                rows["first_byte"] + further,
                rows["last_byte"] + further,
            )
            documents += len(each)


class PartFile(Value):
    """What became of one file."""

    source: SourceFile | None
    """None where nothing of it could be read."""
    unreadable: tuple[Unreadable, ...]


class _Contents(Value):
    files: tuple[PartFile, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A finished part."""

    files: Sequence[PartFile]
    """In the order in which they were given; their documents follow one another."""
    origin: Origin


def part_name(files: Sequence[FileBelow], settings: BuildSettings, limits: FileLimits) -> str:
    """Return the name of the part of these files: other files, settings or limits, another name."""
    seen = [
        (path_text(each.file), path_text(each.root), each.name, each.seen, each.metadata_digest)
        for each in files
    ]
    how = settings.reading, settings.ocr, astuple(limits)
    told = json.dumps([FORMAT, *how, seen], ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()[:32]


def load_part(place: Path) -> Part | None:
    """Open a part; None where it was never finished, or is damaged: it is read again then."""
    if damaged(place):
        return None
    try:
        with gc_disabled():
            contents = _Contents.model_validate_json(read_small(place / _RECORD))
    except (CorpusDamaged, ValueError):
        return None
    return Part(contents.files, Origin(Generation(place)))


def write_part(
    files: Sequence[FileBelow],
    settings: BuildSettings,
    place: Path,
    limits: FileLimits,
    *,
    refused: Mapping[int, str],
    tell: Tell,
    apart: bool,
) -> None:
    """Read the files, each within the limits, chunk them, count their words and write the part.

    The files that are `refused` are not read but listed, each with its reason. Chunking and
    counting have the time of one more file for each million characters. With `apart` each file is
    chunked and counted by itself first, so that one with which that fails is found.
    """
    drafted = Generation(place.with_name(f"{place.name}.new"))
    read: list[tuple[PartFile, Sequence[Document]]] = []
    for number, file in enumerate(files):
        tell(number)
        if number in refused:
            read.append(_unreadable(file, refused[number]))
            continue
        with limited(limits.seconds, limits.memory_mb << 20):
            read.append(_read(file, settings, limits))
        if apart:
            _index(read[-1][1], settings, drafted, limits.seconds)
    tell(-1)
    documents = [each for _, own in read for each in own]
    _index(documents, settings, drafted, 0.0 if apart else limits.seconds)
    contents = _Contents(files=tuple(file for file, _ in read))
    (drafted.root / _RECORD).write_text(contents.model_dump_json(), encoding="utf-8")
    save_sums(drafted.root)
    flush(drafted.root)
    shutil.rmtree(place, ignore_errors=True)
    drafted.root.replace(place)


def _index(
    documents: Sequence[Document], settings: BuildSettings, drafted: Generation, seconds: float
) -> None:
    """Chunk documents, count their words, write both: in so many seconds a million characters."""
    with limited(seconds * (1 + _characters(documents) // _MILLION)):
        chunked = cut(documents, settings)
        shutil.rmtree(drafted.root, ignore_errors=True)
        drafted.lexical.mkdir(parents=True)
        count_words(save_tables(chunked, drafted)).save(drafted.lexical)


def _characters(documents: Sequence[Document]) -> int:
    return sum(len(each.text) for each in documents)


def digest_of(file: Path) -> str:
    """Return a file's SHA-256, empty where it is no regular file; raises DocumentUnreadable."""
    try:
        if not file.is_file():
            return ""
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise DocumentUnreadable(f"cannot be opened ({error.strerror or error})") from error


def _unreadable(file: FileBelow, reason: str) -> tuple[PartFile, Sequence[Document]]:
    return PartFile(source=None, unreadable=(Unreadable(path=file.path, reason=reason),)), []


def _read(
    file: FileBelow, settings: BuildSettings, limits: FileLimits
) -> tuple[PartFile, Sequence[Document]]:
    path = file.path
    try:
        read = read_file(file, encoding=settings.encoding, ocr=settings.ocr)
    except DocumentUnreadable as error:
        return _unreadable(file, str(error))
    if _characters(read.documents) > limits.text_mb * _MILLION:
        why = f"holds more than {limits.text_mb} million characters; raise HEADCOUNT_FILE_TEXT_MB"
        return _unreadable(file, f"{why} to read it")
    broken = tuple(Unreadable(path=row_path(path, row), reason=why) for row, why in read.broken)
    source = SourceFile(
        path=path,
        name=file.name,
        digest=read.digest,
        documents=len(read.documents),
        stamp=file.stamp,
        metadata=file.metadata_digest,
        ocr=read.ocr,
    )
    return PartFile(source=source, unreadable=broken), read.documents
