"""The vectors of a sharded corpus: a space fitted on a sample, then every shard embedded by Daft.

Up to 100,000 chunks the space is fitted on all of them, above on a sample of that size.
"""

import io
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pyroaring import BitMap

from tools.corpus.embeddings.embedder import Embedder
from tools.corpus.embeddings.lsa import LsaEmbedder
from tools.corpus.words.lexical_build import build_lexical
from tools.engines.sharded.corpus import ShardedCorpus
from tools.engines.sharded.embedder_file import embedder_file, unpack_embedder
from tools.engines.sharded.jobs import each_shard
from tools.engines.sharded.place import Place
from tools.engines.sharded.selection import Selection
from tools.engines.sharded.session import failures_told
from tools.engines.sharded.tables import vectors_table
from tools.filters.bitmaps import bitmap

__all__ = ("embed_shards", "fit_embedder")

_SAMPLE = 100_000
_SEED = 0
_BATCH = 8192


def fit_embedder(corpus: ShardedCorpus) -> Embedder:
    """Return an LSA space fitted on a sample of the chunks."""
    texts = _texts(corpus, _sample(corpus.chunk_count))
    with tempfile.TemporaryDirectory() as folder:
        return LsaEmbedder.fit(build_lexical(texts, Path(folder) / "lexical"))


def embed_shards(place: Place, digest: str, names: Sequence[str], *, apart: bool) -> Iterator[str]:
    """Write the vectors of the shards by the embedder of that digest; yield shards as done."""
    inputs = {name: (f"chunks/{name}.parquet", embedder_file(digest)) for name in names}
    for name, _ in each_shard(
        place,
        dict.fromkeys(names, digest),
        _embedded,
        [f"vectors/{digest}"],
        inputs=inputs,
        apart=apart,
    ):
        yield name


def _sample(chunks: int) -> BitMap:
    if chunks <= _SAMPLE:
        return BitMap(range(chunks))
    return bitmap(np.random.default_rng(_SEED).choice(chunks, _SAMPLE, replace=False))


def _texts(corpus: ShardedCorpus, chunks: BitMap) -> list[str]:
    """Return the chunks' texts in the order of their numbers."""
    if not chunks:
        return []
    with failures_told(corpus.place.root):
        frame = Selection.of(corpus, chunks).frame("chunks")
        rows = frame.select("shard", "chunk", "text").to_pydict()
    starts = [corpus.starts[shard] for shard in rows["shard"]]
    places = [start + chunk for start, chunk in zip(starts, rows["chunk"], strict=True)]
    found = dict(zip(places, rows["text"], strict=True))
    return [found[chunk] for chunk in chunks]


def _embedded(shard: str, digest: str, chunks: bytes, packed: bytes) -> dict[str, Any]:
    import pyarrow.parquet as pq

    embedder = unpack_embedder(packed)
    texts = pq.read_table(io.BytesIO(chunks), columns=["text"])["text"].to_pylist()
    rows = np.zeros((len(texts), embedder.dimensions), dtype=np.float32)
    for start in range(0, len(texts), _BATCH):
        rows[start : start + _BATCH] = embedder.embed(texts[start : start + _BATCH])
    return {"receipt": shard, f"vectors/{digest}": vectors_table(shard, rows)}
