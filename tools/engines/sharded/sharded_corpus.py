"""A sharded corpus: what its files hold, and what is known of the whole once it is opened.

Chunks are numbered 0 to N - 1 over the shards in their order, documents 0 to D - 1.
"""

import io
import tempfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from pydantic import Field, TypeAdapter
from pyroaring import BitMap
from xxhash import xxh3_64_hexdigest

from agent.corpus_view import FieldValue
from agent.errors import CorpusDamaged, CorpusMissing, CorpusUnreachable
from agent.languages import main_first, stems
from agent.value import Value
from tools.corpus.build_settings import BuildSettings
from tools.corpus.checksums import sealed, unsealed
from tools.corpus.documents import Document, distinct
from tools.corpus.embeddings.lsa import LsaEmbedder
from tools.corpus.fields.field_values import fold
from tools.corpus.words.lexicon import Vocabulary, words
from tools.engines.sharded.daft_session import MANIFEST, Place, daft, damaged, failures_explained

FORMAT = 7
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
        "documents": _documents(documents),
        "chunks": _chunk_table(documents, texts),
        "words": _postings(counted, lengths, spoken),
    }
    tables = {folder: _shard_table(name, folder, columns) for folder, columns in frames.items()}
    receipt = Shard(
        name=name,
        documents=len(documents),
        chunks=len(texts),
        words=int(lengths.sum()),
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


def _shard_table(name: str, table: str, columns: Mapping[str, Sequence[Any]]) -> bytes:
    """Return a table of a shard as Parquet, its columns of the types that they are read by."""
    kinds = _COLUMNS[table].items()
    types = {column: _ARROW[kind] for kind, named in kinds for column in named}
    whole = {"shard": [name] * len(next(iter(columns.values()))), **columns}
    return parquet({column: pa.array(values, types[column]) for column, values in whole.items()})


def _documents(documents: Sequence[Document]) -> dict[str, Sequence[Any]]:
    sizes = [len(each.chunks) for each in documents]
    return {
        "name": distinct([each.name for each in documents]),
        "fields": [VALUES.dump_json(dict(each.fields)).decode() for each in documents],
        "first": list(accumulate(sizes, initial=0))[:-1],
        "chunks": sizes,
    }


def _chunk_table(documents: Sequence[Document], texts: Sequence[str]) -> dict[str, Sequence[Any]]:
    chunks = [chunk for each in documents for chunk in each.chunks]
    return {
        "chunk": range(len(chunks)),
        "start": [chunk.start for chunk in chunks],
        "end": [chunk.end for chunk in chunks],
        "text": texts,
    }


def _postings(
    counted: Sequence[Counter[str]], lengths: Any, spoken: Sequence[str]
) -> dict[str, Sequence[Any]]:
    held: defaultdict[str, list[int]] = defaultdict(list)
    times: defaultdict[str, list[int]] = defaultdict(list)
    for chunk, counts in enumerate(counted):
        for word, count in counts.items():
            held[word].append(chunk)
            times[word].append(count)
    forms = sorted(held)
    chunks = [np.array(held[form], dtype="<u4") for form in forms]
    return {
        "word": forms,
        "languages": [",".join(sorted({spoken[chunk] for chunk in held[form]})) for form in forms],
        "held": [len(each) for each in chunks],
        "chunks": [each.tobytes() for each in chunks],
        "counts": [np.array(times[form], dtype="<u4").tobytes() for form in forms],
        "lengths": [lengths[each].tobytes() for each in chunks],
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


_COLUMNS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "chunks": {"string": ("shard", "text"), "uint32": ("chunk", "start", "end")},
    "documents": {"string": ("shard", "name", "fields"), "uint32": ("first", "chunks")},
    "words": {
        "string": ("shard", "word", "languages"),
        "uint32": ("held",),
        "binary": ("chunks", "counts", "lengths"),
    },
}
"""The columns of each table, by Daft's name of their type."""
_ARROW = {"string": pa.large_string(), "uint32": pa.uint32(), "binary": pa.binary()}


class ShardedCorpus:
    """The statistics of a sharded corpus; its texts, postings and vectors stay in the shards."""

    def __init__(self, place: Place, manifest: ShardedManifest) -> None:
        self.place = place
        self.manifest = manifest
        self.shards: tuple[Shard, ...] = manifest.shards
        starts = list(accumulate((shard.chunks for shard in self.shards), initial=0))
        self.starts: dict[str, int] = {
            shard.name: start for shard, start in zip(self.shards, starts, strict=False)
        }
        """The first chunk of each shard, by the shard's name."""
        self._sound: set[str] = set()

    @property
    def chunk_count(self) -> int:
        """The number of chunks, N."""
        return self.manifest.chunks

    @cached_property
    def lexical(self) -> Vocabulary:
        """The word forms of all shards; raises CorpusDamaged where they are missing or broken."""
        file = f"vocabulary/{self.manifest.vocabulary}.parquet"
        data = self.place.read(file, MOST_TOGETHER) or b""
        try:
            table = pl.read_parquet(io.BytesIO(unsealed(data)))
            return Vocabulary(table, self.chunk_count, self.manifest.languages)
        except (ValueError, pl.exceptions.PolarsError) as error:
            raise CorpusDamaged(
                f"the vocabulary at {self.place.root!r} cannot be read ({error}): index anew"
            ) from error

    @cached_property
    def embedder(self) -> LsaEmbedder:
        """What embeds a query."""
        return fetch_embedder(self.place, self.manifest.embedder)

    @cached_property
    def field_names(self) -> list[str]:
        """The metadata fields, most widespread first; spellings of one key are one field."""
        names: dict[str, str] = {}
        for key in self.manifest.keys:
            names.setdefault(fold(key), key)
        return list(names.values())

    def checked(self, table: str, shards: Iterable[str]) -> list[str]:
        """Return the places of a table's files of shards, each compared when first asked for."""
        files = self.manifest.files(table)
        sums = dict(files[name] for name in shards)
        fresh = {file: known for file, known in sums.items() if file not in self._sound}
        if wrong := damaged(self.place, fresh):
            raise CorpusDamaged(_damage(self.place, wrong[0]))
        self._sound.update(fresh)
        return list(sums)

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with any of the files."""
        for shared in ("lexical", "embedder"):
            try:
                getattr(self, shared)
            except CorpusDamaged as error:
                yield str(error)
        for table in (*_COLUMNS, "vectors"):
            files = dict(self.manifest.files(table).values())
            yield from (_damage(self.place, wrong) for wrong in damaged(self.place, files))


def _damage(place: Place, file: str) -> str:
    return (
        f"the shard {file!r} of the corpus at {place.root!r} is lost or does not hold the bytes "
        "that were written: run `headcount index` with the same paths and `--engine daft` again"
    )


def open_sharded(root: str | Path) -> ShardedCorpus:
    """Open a sharded corpus; raises as `ShardedManifest.load`, and where Daft is missing."""
    place = Place.of(root)
    return ShardedCorpus(place, ShardedManifest.load(place))


def read(corpus: ShardedCorpus, table: str, shards: Sequence[str]) -> Any:
    """Return a Daft frame over a table's files of some shards, at least one, still unread."""
    module = daft()
    types = module.DataType
    if table == "vectors":
        row = types.fixed_size_list(types.float32(), corpus.manifest.dimensions)
        schema = {"shard": types.string(), "chunk": types.uint32(), "vector": row}
    else:
        kinds = _COLUMNS[table].items()
        schema = {name: getattr(types, kind)() for kind, names in kinds for name in names}
    files = corpus.checked(table, shards)
    with failures_explained(corpus.place.root):
        return module.read_parquet(
            [corpus.place.url(file) for file in files],
            infer_schema=False,
            schema=schema,
            io_config=corpus.place.io(),
        )


def yielding(function: Callable[..., Any], kind: str, *columns: str) -> Any:
    """Return the expression of a function over batches of columns.

    The function takes a Daft series a column and returns an Arrow array as long, null where nothing
    is yielded; `kind` is Daft's name of what it returns, e.g. `uint32`.
    """
    module = daft()
    made = module.func.batch(return_dtype=getattr(module.DataType, kind)())(function)
    return made(*(module.col(column) for column in columns))


def gather(
    corpus: ShardedCorpus, frame: Any, yields: Mapping[str, Any], rows: Mapping[str, int]
) -> dict[str, dict[str, NDArray[Any]]]:
    """Run a job and return what it yields: name → shard → values, distinct and in no order.

    The frame has the column `shard`; nulls are not gathered. Raises CorpusUnreachable: a file
    cannot be read, or a shard had another number of rows.
    """
    module = daft()
    wanted = [expression.alias(name) for name, expression in yields.items()]
    counted = frame.select("shard", module.lit(1).alias("rows"), *wanted).groupby("shard")
    gathered = [module.functions.list_agg_distinct(module.col(name)).alias(name) for name in yields]
    with failures_explained(corpus.place.root):
        found = counted.agg(module.col("rows").sum(), *gathered).to_arrow()
    shards = found["shard"].to_pylist()
    read_rows = dict(zip(shards, found["rows"].to_pylist(), strict=True))
    _check(corpus, {name: count for name, count in rows.items() if count}, read_rows)
    return {
        name: {
            shard: values.values.to_numpy(zero_copy_only=False)
            for shard, values in zip(shards, found[name], strict=True)
        }
        for name in yields
    }


def _check(corpus: ShardedCorpus, wanted: Mapping[str, int], found: Mapping[str, int]) -> None:
    wrong = sorted(name for name in {*wanted, *found} if wanted.get(name, 0) != found.get(name, 0))
    if wrong:
        name = wrong[0]
        raise CorpusUnreachable(
            f"of the sharded corpus at {corpus.place.root!r} {len(wrong)} shards were not read as "
            f"they are: {name!r} gave {found.get(name, 0)} rows, not {wanted.get(name, 0)}; ask "
            "again, and index anew if it stays so"
        )


@dataclass(frozen=True, slots=True)
class Selection:
    """The shards whose rows of a table of chunks a job looks at."""

    corpus: ShardedCorpus
    parts: Mapping[str, BitMap]
    """The snapshot's chunks within each shard that it touches, by the shard's name."""

    @classmethod
    def of(cls, corpus: ShardedCorpus, snapshot: BitMap) -> "Selection":
        """Cut a snapshot into its shards' parts."""
        parts = {}
        for shard in corpus.shards:
            start = corpus.starts[shard.name]
            part = snapshot & BitMap(range(start, start + shard.chunks))
            if part:
                parts[shard.name] = part.shift(-start)
        return cls(corpus, parts)

    @property
    def rows(self) -> dict[str, int]:
        """How many rows of each shard the job looks at."""
        return {each.name: each.chunks for each in self.corpus.shards if each.name in self.parts}

    def texts(self, *columns: str) -> dict[int, dict[str, Any]]:
        """Return columns of the snapshot's chunks, and of no other, by the chunk's number."""
        if not self.parts:
            return {}
        inside = {name: part.serialize() for name, part in self.parts.items()}
        with failures_explained(self.corpus.place.root):
            frame = read(self.corpus, "chunks", list(self.parts))
            frame = frame.where(yielding(_within(inside), "bool", "shard", "chunk"))
            rows = frame.select("shard", "chunk", *columns).to_pylist()
        return {self.corpus.starts[row["shard"]] + row["chunk"]: row for row in rows}


def _within(parts: Mapping[str, bytes]) -> Any:
    """Return the function that tells which chunks are in the sets of their shards."""

    def within(shard: Any, chunk: Any) -> Any:
        sets = {name: BitMap.deserialize(part) for name, part in parts.items()}
        pairs = zip(shard.to_pylist(), chunk.to_pylist(), strict=True)
        return pa.array([number in sets[name] for name, number in pairs], pa.bool_())

    return within
