"""Writing the document and chunk tables."""

from collections.abc import Sequence
from itertools import accumulate, chain, pairwise

import numpy as np

from tools.corpus.chunker import Chunk
from tools.corpus.entry import Entry, distinct
from tools.corpus.fields import dump_values, save_catalogue
from tools.corpus.layout import Generation

__all__ = ("byte_spans", "save_tables")


def save_tables(entries: Sequence[Entry], generation: Generation) -> list[str]:
    """Write both tables, the texts and the catalogue; return the chunks' texts in order."""
    save_catalogue([entry.document.fields for entry in entries], generation.fields)
    sizes = _save_documents(entries, generation)
    starts = [0, *accumulate(sizes)]
    np.save(generation.starts, np.asarray(starts, dtype=np.int64))
    return _save_chunks(entries, starts, generation)


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


def _save_documents(entries: Sequence[Entry], generation: Generation) -> list[int]:
    """Write the document table and the texts; return the texts' sizes in bytes."""
    import polars as pl

    table = {
        "name": distinct([entry.document.name for entry in entries]),
        "path": [entry.document.path for entry in entries],
        "title": [entry.document.title for entry in entries],
        "fields": [dump_values(entry.document.fields) for entry in entries],
    }
    frame = pl.DataFrame(table, schema=dict.fromkeys(table, pl.String))
    frame.write_ipc(generation.documents, compression="uncompressed")
    with generation.text.open("wb") as file:
        return [file.write(entry.document.text.encode("utf-8")) for entry in entries]


def _save_chunks(
    entries: Sequence[Entry], starts: Sequence[int], generation: Generation
) -> list[str]:
    import polars as pl

    chunks = [chunk for entry in entries for chunk in entry.chunks]
    texts = [
        entry.document.text[chunk.start : chunk.end] for entry in entries for chunk in entry.chunks
    ]
    spans = [
        (first + starts[place], last + starts[place])
        for place, entry in enumerate(entries)
        for first, last in byte_spans(entry.document.text, entry.chunks)
    ]
    owners = [place for place, entry in enumerate(entries) for _ in entry.chunks]
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
    frame.write_ipc(generation.chunks, compression="uncompressed")
    return texts
