"""A sharded corpus, opened: what is known of the whole, and where each shard's chunks begin.

Chunks are numbered 0 to N - 1 over the shards in their order, documents 0 to D - 1.
"""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
from numpy.typing import NDArray
from pyroaring import BitMap

from agent.errors import CorpusDamaged, CorpusUnreachable
from tools.corpus.checksums import unsealed
from tools.corpus.embeddings.lsa import LsaEmbedder
from tools.corpus.fields.field_values import fold
from tools.corpus.words.lexicon import Vocabulary
from tools.engines.sharded.daft_session import MANIFEST, Place, daft, damaged, failures_explained
from tools.engines.sharded.shard_tables import MOST_TOGETHER, Shard, ShardedManifest, fetch_embedder
from tools.filters.searchable import bitmap

_COLUMNS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "chunks": {"string": ("shard", "text"), "uint32": ("chunk", "start", "end")},
    "documents": {"string": ("shard", "name", "fields"), "uint32": ("first", "chunks")},
    "words": {
        "string": ("shard", "word", "languages"),
        "uint32": ("held",),
        "binary": ("chunks", "counts", "lengths"),
    },
}
"""The columns of each table that are read, by Daft's name of their type."""


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


def is_sharded(root: str | Path) -> bool:
    """Return whether a location is a sharded corpus's: a URL, or a folder with its manifest."""
    place = Place.of(root)
    return place.is_remote or (place.folder / MANIFEST).is_file()


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

    def frame(self, table: str) -> Any:
        """Return the rows of `chunks` or `vectors` that the job looks at: whole shards."""
        return read(self.corpus, table, list(self.parts))

    def texts(self, *columns: str) -> dict[int, dict[str, Any]]:
        """Return columns of the snapshot's chunks, and of no other, by the chunk's number."""
        if not self.parts:
            return {}
        inside = {name: part.serialize() for name, part in self.parts.items()}
        with failures_explained(self.corpus.place.root):
            frame = self.frame("chunks").where(yielding(_within(inside), "bool", "shard", "chunk"))
            rows = frame.select("shard", "chunk", *columns).to_pylist()
        return {self.corpus.starts[row["shard"]] + row["chunk"]: row for row in rows}


def joined(corpus: ShardedCorpus, found: Mapping[str, NDArray[Any]]) -> BitMap:
    """Return chunks given within their shards as one set of the corpus's chunks."""
    parts = (bitmap(chunks).shift(corpus.starts[name]) for name, chunks in found.items())
    return BitMap.union(BitMap(), *parts)


def _within(parts: Mapping[str, bytes]) -> Any:
    """Return the function that tells which chunks are in the sets of their shards."""

    def within(shard: Any, chunk: Any) -> Any:
        sets = {name: BitMap.deserialize(part) for name, part in parts.items()}
        pairs = zip(shard.to_pylist(), chunk.to_pylist(), strict=True)
        return pa.array([number in sets[name] for name, number in pairs], pa.bool_())

    return within
