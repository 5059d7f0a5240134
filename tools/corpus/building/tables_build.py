"""Writing the document and chunk tables, from documents in memory or from sections on disk."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from tools.corpus.building.document_rows import rows_of
from tools.corpus.building.origin import Origin, Section
from tools.corpus.building.texts_build import join_texts, stay
from tools.corpus.chunking.chunker import Chunk
from tools.corpus.documents.entry import Entry
from tools.corpus.fields.value_rows import save_rows, value_rows
from tools.corpus.storage.arrow_file import mapped_bytes, mapped_table
from tools.corpus.storage.chunk_file import ChunkFile
from tools.corpus.storage.layout import Generation
from tools.corpus.storage.text_views import moved, views_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ("byte_spans", "join_tables", "save_tables")

_OPEN = 8
"""Origins that are open at a time."""


def save_tables(entries: Sequence[Entry], place: Generation) -> list[str]:
    """Write both tables and the texts of documents; return the chunks' texts in order."""
    _save_rows(rows_of(entries), place)
    save_rows(value_rows([entry.document.fields for entry in entries]), place.written)
    with place.text.open("wb") as file:
        written = [entry.document.text.encode("utf-8") for entry in entries]
        file.writelines(written)
    starts = [0, *accumulate(map(len, written))]
    _save_spans(
        np.column_stack((starts[:-1], starts[1:])),
        np.fromiter(map(crc32, written), np.uint32, len(written)),
        place,
    )
    return _save_chunks(entries, starts, place)


def join_tables(
    sections: Sequence[Section], documents: "pl.DataFrame", generation: Generation
) -> None:
    """Write both tables and the texts of the sections' documents, in their order.

    Args:
        sections: the documents.
        documents: their rows.
        generation: where the tables go.
    """
    _save_rows(documents, generation)
    spans = join_texts(sections, generation, staying=stay(sections))
    sums = [each.origin.sums[each.first : each.stop] for each in sections]
    _save_spans(np.concatenate(spans), np.concatenate(sums), generation)
    with ChunkFile(generation.chunks) as file:
        for frame in _moved(sections, spans):
            file.append(frame)
    _save_views(sections, generation)


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


def _save_rows(documents: "pl.DataFrame", place: Generation) -> None:
    documents.write_ipc(place.documents, compression="uncompressed")


def _save_spans(spans: NDArray[np.int64], sums: NDArray[np.uint32], place: Generation) -> None:
    np.save(place.spans, np.asarray(spans, dtype=np.int64).reshape(-1, 2))
    np.save(place.sums, sums)


def _moved(
    sections: Sequence[Section], spans: Sequence[NDArray[np.int64]]
) -> "Iterator[pl.DataFrame]":
    """Yield the sections' chunks, numbered and placed as in the corpus to be built."""
    import polars as pl

    opened = lru_cache(maxsize=_OPEN)(Origin.chunks)
    documents = 0
    for each, now in zip(sections, spans, strict=True):
        rows = opened(each.origin).slice(each.chunks.start, len(each.chunks))
        own = rows["document"].to_numpy()
        further = pl.Series((now[:, 0] - each.spans[:, 0])[own - each.first])
        yield rows.with_columns(
            pl.Series("document", own + np.int32(documents - each.first), dtype=pl.Int32),
            rows["first_byte"] + further,
            rows["last_byte"] + further,
        )
        documents += len(each)


def _save_views(sections: Sequence[Section], generation: Generation) -> None:
    views = [each.origin.views[each.chunks.start : each.chunks.stop] for each in sections]
    first = mapped_table(generation.chunks)["first_byte"].to_numpy()
    np.save(generation.views, moved(np.concatenate(views), first))


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
            "headings": _lists([chunk.headings for chunk in chunks]),
        }
    )
    with ChunkFile(place.chunks) as file:
        file.append(frame)
    first, last = np.asarray(spans, dtype=np.int64).reshape(-1, 2).T
    np.save(place.views, views_of(mapped_bytes(place.text), first, last))
    return texts


def _lists(values: Sequence[tuple[str, ...]]) -> "pl.Series":
    """Return the values as lists; each different one is made once, which takes Polars long."""
    import polars as pl

    places = {value: place for place, value in enumerate(dict.fromkeys(values))}
    each = pl.Series([list(value) for value in places], dtype=pl.List(pl.String))
    return each.gather([places[value] for value in values])
