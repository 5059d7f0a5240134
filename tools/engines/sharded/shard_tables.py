"""What a sharded corpus keeps in files: manifest, tables of shards, vocabulary, embedder."""

import io
import tempfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import Field, TypeAdapter
from xxhash import xxh3_64_hexdigest

from agent.corpus_view import FieldValue
from agent.errors import CorpusDamaged, CorpusMissing
from agent.languages import main_first, stems
from agent.value import Value
from tools.corpus.build_settings import BuildSettings
from tools.corpus.checksums import sealed, unsealed
from tools.corpus.documents import Document, distinct
from tools.corpus.embeddings.lsa import LsaEmbedder
from tools.corpus.words.tokenizer import words
from tools.engines.sharded.daft_session import MANIFEST, Place

FORMAT = 6
"""Raised with every change of the files or of what readers and chunker make of the same bytes."""
VALUES: TypeAdapter[dict[str, FieldValue]] = TypeAdapter(dict[str, FieldValue])
_ROWS = 8192
"""Rows of a Parquet row group: what a search for a word reads at least of each shard."""
MOST_TOGETHER = 2 * 10**9
"""Bytes of a vocabulary or an embedder, whatever an archive says."""


_Name = Annotated[str, Field(pattern=r"^[0-9a-zA-Z-]{1,64}$")]
"""What may be part of a file's name, whoever wrote the manifest."""


class Shard(Value):
    """One shard: the receipt that its building leaves."""

    name: _Name
    """The digest of what it was made of; its files carry it."""
    documents: int
    chunks: int
    words: int
    """Words in all chunks, repeats counted."""
    chars: int
    """Characters of its documents."""
    keys: dict[str, int]
    """The metadata keys as written, with their document counts."""
    languages: dict[str, int]
    """How many documents are in each language; empty where it is not certain."""
    unreadable: tuple[tuple[str, str], ...]
    """Path and reason of every file or row that could not be read."""
    sums: dict[str, str]
    """The checksum of the file of each of its tables."""


class ShardedManifest(Value):
    """Everything an engine must know before it reads a shard."""

    format: int
    settings: BuildSettings
    sources: tuple[str, ...]
    shards: tuple[Shard, ...]
    vocabulary: _Name
    """The digest that names the vocabulary."""
    embedder: _Name
    """The digest that names the embedder and the vectors."""
    dimensions: int
    """The length of a vector."""
    vectors: dict[str, str]
    """The checksum of each file of vectors, by its place."""

    @property
    def chunks(self) -> int:
        """The number of chunks, N."""
        return sum(shard.chunks for shard in self.shards)

    @property
    def documents(self) -> int:
        """The number of documents, D."""
        return sum(shard.documents for shard in self.shards)

    @property
    def spoken(self) -> Counter[str]:
        """How many documents are in each language; under "" those of which none is sure."""
        counts: Counter[str] = Counter()
        for shard in self.shards:
            counts.update(shard.languages)
        return counts

    @property
    def languages(self) -> tuple[str, ...]:
        """The documents' languages, that of most of them first."""
        return main_first(self.spoken)

    @property
    def keys(self) -> dict[str, int]:
        """The metadata keys as written with their document counts, most widespread first."""
        counts: Counter[str] = Counter()
        for shard in self.shards:
            counts.update(shard.keys)
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def files(self, table: str) -> dict[str, tuple[str, str]]:
        """Return the place and the checksum of each shard's file of a table, by the shard."""
        if table != "vectors":
            return {
                each.name: (f"{table}/{each.name}.parquet", each.sums.get(table, ""))
                for each in self.shards
            }
        held = [each.name for each in self.shards if each.chunks]
        files = {name: f"vectors/{self.embedder}/{name}.parquet" for name in held}
        return {name: (file, self.vectors.get(file, "")) for name, file in files.items()}

    @classmethod
    def load(cls, place: Place) -> "ShardedManifest":
        """Read the manifest at a place; raises CorpusMissing, CorpusDamaged, CorpusUnreachable."""
        data = place.read(MANIFEST)
        if data is None:
            raise CorpusMissing(
                f"there is no sharded corpus at {place.root!r}: make one with "
                f"`headcount index PATH --into {place.root} --engine daft`"
            )
        try:
            manifest = cls.model_validate_json(unsealed(data))
        except ValueError as error:
            raise CorpusDamaged(
                f"the manifest at {place.root!r} is broken or of an earlier version "
                f"({str(error).splitlines()[0]}): index anew"
            ) from error
        if manifest.format != FORMAT:
            raise CorpusDamaged(
                f"the corpus at {place.root!r} has format {manifest.format}, this version reads "
                f"{FORMAT}: index it anew"
            )
        return manifest


def shard_tables(
    name: str, documents: Sequence[Document], unreadable: Sequence[tuple[str, str]] = ()
) -> tuple[dict[str, bytes], Shard]:
    """Return the tables of the documents of one shard, by folder, as Parquet, and its receipt.

    Documents and chunks are numbered within the shard. A word's `chunks`, `counts` and `lengths`
    are little-endian uint32 arrays of one length: the chunks that hold it, ascending, how often,
    and how many words each of them has; its `languages` are those of their documents.
    """
    texts = [each.text[chunk.start : chunk.end] for each in documents for chunk in each.chunks]
    counted = [Counter(words(text)) for text in texts]
    spoken = [each.language for each in documents for _ in each.chunks]
    lengths = np.array([counts.total() for counts in counted], dtype="<u4")
    keys = Counter(key for each in documents for key in each.fields)
    frames = {
        "documents": _documents(name, documents),
        "chunks": _chunk_table(name, documents, texts),
        "words": _postings(name, counted, lengths, spoken),
    }
    tables = {folder: parquet(columns) for folder, columns in frames.items()}
    receipt = Shard(
        name=name,
        documents=len(documents),
        chunks=len(texts),
        words=int(lengths.sum()),
        chars=sum(len(each.text) for each in documents),
        keys=dict(sorted(keys.items())),
        languages=dict(sorted(Counter(each.language for each in documents).items())),
        unreadable=tuple(unreadable),
        sums={folder: xxh3_64_hexdigest(table) for folder, table in tables.items()},
    )
    return tables, receipt


def vectors_table(name: str, rows: Any) -> bytes:
    """Return the table of a shard's vectors, (n, d) float32, as Parquet."""
    flat = pa.array(np.ascontiguousarray(rows, dtype=np.float32).reshape(-1))
    listed = pa.FixedSizeListArray.from_arrays(flat, rows.shape[1])
    chunks = pa.array(np.arange(len(rows), dtype=np.uint32))
    return parquet({"shard": [name] * len(rows), "chunk": chunks, "vector": listed})


def parquet(columns: Mapping[str, Any]) -> bytes:
    """Return a table as Parquet, compressed by Zstandard."""
    written = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), written, compression="zstd", row_group_size=_ROWS)
    return written.getvalue()


def _documents(name: str, documents: Sequence[Document]) -> dict[str, Any]:
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


def _postings(
    name: str, counted: Sequence[Counter[str]], lengths: Any, spoken: Sequence[str]
) -> dict[str, Any]:
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
        "languages": pa.array(
            [",".join(sorted({spoken[chunk] for chunk in held[form]})) for form in forms],
            pa.string(),
        ),
        "held": pa.array([len(each) for each in chunks], pa.uint32()),
        "chunks": pa.array([each.tobytes() for each in chunks], pa.binary()),
        "counts": pa.array(
            [np.array(times[form], dtype="<u4").tobytes() for form in forms], pa.binary()
        ),
        "lengths": pa.array([lengths[each].tobytes() for each in chunks], pa.binary()),
    }


def vocabulary_table(held: Mapping[str, tuple[int, Sequence[int]]]) -> bytes:
    """Return the table of word forms, chunk counts and languages' places, as Parquet, sealed."""
    forms = sorted(held)
    columns = {
        "word": pa.array(forms, pa.string()),
        "stem": pa.array(stems(forms), pa.string()),
        "held": pa.array([held[form][0] for form in forms], pa.int64()),
        "languages": pa.array([held[form][1] for form in forms], pa.list_(pa.int16())),
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
