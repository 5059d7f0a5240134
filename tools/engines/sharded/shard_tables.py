"""What a sharded corpus keeps in files: Parquet tables of each shard, vocabulary, embedder."""

import io
import tempfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import TypeAdapter
from xxhash import xxh3_64_hexdigest

from agent.corpus_view import FieldValue
from agent.english import stems
from agent.errors import CorpusDamaged
from tools.corpus.checksums import sealed, unsealed
from tools.corpus.documents import Document, distinct
from tools.corpus.embeddings.lsa import LsaEmbedder
from tools.corpus.words.tokenizer import words
from tools.engines.sharded.daft_session import Place
from tools.engines.sharded.shard_manifest import Shard

VALUES: TypeAdapter[dict[str, FieldValue]] = TypeAdapter(dict[str, FieldValue])
_ROWS = 8192
"""Rows of a Parquet row group: what a search for a word reads at least of each shard."""
MOST_TOGETHER = 2 * 10**9
"""Bytes of a vocabulary or an embedder, whatever an archive says."""


def shard_tables(
    name: str, documents: Sequence[Document], unreadable: Sequence[tuple[str, str]] = ()
) -> tuple[dict[str, bytes], Shard]:
    """Return the tables of the documents of one shard, by folder, as Parquet, and its receipt.

    Documents and chunks are numbered within the shard. A word's `chunks`, `counts` and `lengths`
    are little-endian uint32 arrays of one length: the chunks that hold it, ascending, how often,
    and how many words each of them has.
    """
    texts = [each.text[chunk.start : chunk.end] for each in documents for chunk in each.chunks]
    counted = [Counter(words(text)) for text in texts]
    lengths = np.array([counts.total() for counts in counted], dtype="<u4")
    keys = Counter(key for each in documents for key in each.fields)
    frames = {
        "documents": _documents(name, documents),
        "chunks": _chunk_table(name, documents, texts),
        "words": _postings(name, counted, lengths),
    }
    tables = {folder: parquet(columns) for folder, columns in frames.items()}
    receipt = Shard(
        name=name,
        documents=len(documents),
        chunks=len(texts),
        words=int(lengths.sum()),
        chars=sum(len(each.text) for each in documents),
        keys=dict(sorted(keys.items())),
        unreadable=tuple(unreadable),
        sums={folder: xxh3_64_hexdigest(table) for folder, table in tables.items()},
    )
    return tables, receipt


def vectors_table(name: str, rows: Any) -> bytes:
    """Return the table of a shard's vectors, (n, d) float32, as Parquet."""
    import pyarrow as pa

    flat = pa.array(np.ascontiguousarray(rows, dtype=np.float32).reshape(-1))
    listed = pa.FixedSizeListArray.from_arrays(flat, rows.shape[1])
    chunks = pa.array(np.arange(len(rows), dtype=np.uint32))
    return parquet({"shard": [name] * len(rows), "chunk": chunks, "vector": listed})


def parquet(columns: Mapping[str, Any]) -> bytes:
    """Return a table as Parquet, compressed by Zstandard."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    written = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), written, compression="zstd", row_group_size=_ROWS)
    return written.getvalue()


def _documents(name: str, documents: Sequence[Document]) -> dict[str, Any]:
    import pyarrow as pa

    stated = [VALUES.dump_json(dict(each.fields)).decode() for each in documents]
    sizes = [len(each.chunks) for each in documents]
    firsts = list(accumulate(sizes, initial=0))[:-1]
    return {
        "shard": pa.array([name] * len(documents), pa.string()),
        "name": pa.array(distinct([each.name for each in documents]), pa.string()),
        "path": pa.array([each.path for each in documents], pa.string()),
        "title": pa.array([each.title for each in documents], pa.string()),
        "digest": pa.array([each.digest for each in documents], pa.string()),
        "fields": pa.array(stated, pa.string()),
        "first": pa.array(firsts, pa.uint32()),
        "chunks": pa.array(sizes, pa.uint32()),
        "text": pa.array([each.text for each in documents], pa.large_string()),
    }


def _chunk_table(name: str, documents: Sequence[Document], texts: Sequence[str]) -> dict[str, Any]:
    import pyarrow as pa

    chunks = [chunk for each in documents for chunk in each.chunks]
    owners = [place for place, each in enumerate(documents) for _ in each.chunks]
    return {
        "shard": pa.array([name] * len(chunks), pa.string()),
        "chunk": pa.array(range(len(chunks)), pa.uint32()),
        "document": pa.array(owners, pa.uint32()),
        "start": pa.array([chunk.start for chunk in chunks], pa.uint32()),
        "end": pa.array([chunk.end for chunk in chunks], pa.uint32()),
        "tokens": pa.array([chunk.tokens for chunk in chunks], pa.uint32()),
        "headings": pa.array([list(chunk.headings) for chunk in chunks], pa.list_(pa.string())),
        "text": pa.array(texts, pa.large_string()),
    }


def _postings(name: str, counted: Sequence[Counter[str]], lengths: Any) -> dict[str, Any]:
    import pyarrow as pa

    held: defaultdict[str, list[int]] = defaultdict(list)
    times: defaultdict[str, list[int]] = defaultdict(list)
    for chunk, counts in enumerate(counted):
        for word, count in counts.items():
            held[word].append(chunk)
            times[word].append(count)
    forms = sorted(held)
    chunks = [np.array(held[form], dtype="<u4") for form in forms]
    return {
        "shard": pa.array([name] * len(forms), pa.string()),
        "word": pa.array(forms, pa.string()),
        "held": pa.array([len(each) for each in chunks], pa.uint32()),
        "chunks": pa.array([each.tobytes() for each in chunks], pa.binary()),
        "counts": pa.array(
            [np.array(times[form], dtype="<u4").tobytes() for form in forms], pa.binary()
        ),
        "lengths": pa.array([lengths[each].tobytes() for each in chunks], pa.binary()),
    }


def vocabulary_table(held: dict[str, int]) -> bytes:
    """Return the table of word forms with their chunk counts, as Parquet, sealed."""
    import pyarrow as pa

    forms = sorted(held)
    columns = {
        "word": pa.array(forms, pa.string()),
        "stem": pa.array(stems(forms), pa.string()),
        "held": pa.array([held[form] for form in forms], pa.int64()),
    }
    return sealed(parquet(columns))


def pack_embedder(embedder: LsaEmbedder) -> bytes:
    """Return what the embedder saves, as an archive, sealed; equal embedders give equal bytes."""
    packed = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder) / "embedder"
        embedder.save(saved)
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(saved.iterdir()):
                archive.writestr(zipfile.ZipInfo(file.name), file.read_bytes())
    return sealed(packed.getvalue())


def embedder_file(digest: str) -> str:
    """Return where the embedder of that digest lies below its place."""
    return f"embedder/{digest}.zip"


def fetch_embedder(place: Place, digest: str) -> LsaEmbedder:
    """Return the embedder of that digest; raises CorpusDamaged where it is not there, or broken."""
    data = place.read(embedder_file(digest), MOST_TOGETHER)
    try:
        return unpack_embedder(data or b"")
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise CorpusDamaged(
            f"the embedder of the corpus at {place.root!r} cannot be read ({error}): index anew"
        ) from error


@lru_cache(maxsize=1)
def unpack_embedder(packed: bytes) -> LsaEmbedder:
    """Return what was packed; the last one is kept, since a node embeds many shards by it."""
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(io.BytesIO(unsealed(packed))) as archive:
            if sum(file.file_size for file in archive.infolist()) > MOST_TOGETHER:
                raise ValueError("it unpacks to more than 2 GB")
            archive.extractall(folder)
        return LsaEmbedder.load(Path(folder))
