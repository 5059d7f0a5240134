"""Writing the document and chunk tables, from documents in memory or from sections on disk."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from tools.corpus.chunk_file import ChunkFile
from tools.corpus.chunker import Chunk
from tools.corpus.entry import Entry, distinct
from tools.corpus.field_numbers import read_together
from tools.corpus.fields import dump_values, load_values, save_catalogue
from tools.corpus.layout import Generation
from tools.corpus.origin import Origin, Section

if TYPE_CHECKING:
    import polars as pl

__all__ = ("byte_spans", "join_tables", "save_tables")

_COPIED = 1 << 24
_OPEN = 8
"""Origins that are open at a time."""


def save_tables(entries: Sequence[Entry], place: Generation) -> list[str]:
    """Write both tables and the texts of documents; return the chunks' texts in order."""
    _save_documents(
        place,
        name=[entry.document.name for entry in entries],
        path=[entry.document.path for entry in entries],
        title=[entry.document.title for entry in entries],
        fields=[dump_values(entry.document.fields) for entry in entries],
    )
    with place.text.open("wb") as file:
        sizes = [file.write(entry.document.text.encode("utf-8")) for entry in entries]
    starts = [0, *accumulate(sizes)]
    np.save(place.starts, np.asarray(starts, dtype=np.int64))
    return _save_chunks(entries, starts, place)


def join_tables(sections: Sequence[Section], generation: Generation) -> None:
    """Write both tables, the texts and the catalogue of the sections' documents, in their order."""
    entries = [entry for section in sections for entry in section.entries]
    fields = [
        each for section in sections for each in section.origin.fields[section.first : section.stop]
    ]
    documents = read_together(load_values(each) for each in fields)
    save_catalogue(documents, generation.fields)
    _save_documents(
        generation,
        name=distinct([entry.name for entry in entries]),
        path=[entry.path for entry in entries],
        title=[entry.title for entry in entries],
        fields=[dump_values(each) for each in documents],
    )
    sizes = [np.diff(each.origin.starts[each.first : each.stop + 1]) for each in sections]
    np.save(generation.starts, np.cumsum(np.concatenate([np.zeros(1, np.int64), *sizes])))
    _join_texts(sections, generation)
    with ChunkFile(generation.chunks) as file:
        for frame in _moved(sections):
            file.append(frame)


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


def _save_documents(place: Generation, **columns: Sequence[str]) -> None:
    import polars as pl

    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    frame.write_ipc(place.documents, compression="uncompressed")


def _join_texts(sections: Sequence[Section], generation: Generation) -> None:
    with generation.text.open("wb") as into:
        for section in sections:
            with section.origin.place.text.open("rb") as file:
                file.seek(section.bytes.start)
                left = len(section.bytes)
                while left:
                    left -= into.write(file.read(min(left, _COPIED)))


def _moved(sections: Sequence[Section]) -> "Iterator[pl.DataFrame]":
    """Yield the sections' chunks, numbered and placed as in the corpus to be built."""
    import polars as pl

    opened = lru_cache(maxsize=_OPEN)(Origin.chunks)
    documents = size = 0
    for each in sections:
        further = documents - each.first, size - each.bytes.start
        yield (
            opened(each.origin)
            .slice(each.chunks.start, len(each.chunks))
            .with_columns(
                (pl.col("document") + further[0]).cast(pl.Int32),
                pl.col("first_byte", "last_byte") + further[1],
            )
        )
        documents += len(each.entries)
        size += len(each.bytes)


def _save_chunks(entries: Sequence[Entry], starts: Sequence[int], place: Generation) -> list[str]:
    import polars as pl

    chunks = [chunk for entry in entries for chunk in entry.chunks]
    texts = [
        entry.document.text[chunk.start : chunk.end] for entry in entries for chunk in entry.chunks
    ]
    spans = [
        (first + starts[number], last + starts[number])
        for number, entry in enumerate(entries)
        for first, last in byte_spans(entry.document.text, entry.chunks)
    ]
    owners = [number for number, entry in enumerate(entries) for _ in entry.chunks]
    frame = pl.DataFrame(
        {
            "document": pl.Series(owners, dtype=pl.Int32),
            "start": pl.Series([chunk.start for chunk in chunks], dtype=pl.Int32),
            "end": pl.Series([chunk.end for chunk in chunks], dtype=pl.Int32),
            "tokens": pl.Series([chunk.tokens for chunk in chunks], dtype=pl.Int32),
            "first_byte": pl.Series([first for first, _ in spans], dtype=pl.Int64),
            "last_byte": pl.Series([last for _, last in spans], dtype=pl.Int64),
            "headings": pl.Series(
                [list(chunk.headings) for chunk in chunks], dtype=pl.List(pl.String)
            ),
            "text": pl.Series(texts, dtype=pl.String),
        }
    )
    with ChunkFile(place.chunks) as file:
        file.append(frame)
    return texts
