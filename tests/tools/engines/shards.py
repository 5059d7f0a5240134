"""A corpus in memory written as shards, for tests of the sharded engine."""

from pathlib import Path

import numpy as np
import pytest
from xxhash import xxh3_64_hexdigest

from tests.tools.filters.small_corpus import SmallCorpus
from tools.corpus.build_settings import BuildSettings
from tools.corpus.chunking.chunker import Chunk
from tools.corpus.documents import Document
from tools.engines.sharded.daft_session import Place
from tools.engines.sharded.sharded_corpus import (
    FORMAT,
    Shard,
    ShardedCorpus,
    ShardedManifest,
    shard_tables,
    vectors_table,
    vocabulary_table,
)
from tools.engines.sharded.sharded_engine import ShardedEngine, word_counts

NEEDS_DAFT = "Daft is not installed: pip install 'headcount[daft]'"
_DOCUMENTS_A_SHARD = 2


def sharded(corpus: SmallCorpus, folder: Path) -> ShardedEngine:
    """Return the sharded engine over the corpus, of which a shard holds two documents."""
    pytest.importorskip("daft", reason=NEEDS_DAFT)
    place, rows = Place.of(folder), corpus.embedder.embed(corpus.chunk_texts)
    shards: list[Shard] = []
    vectors: dict[str, str] = {}
    for first in range(0, len(corpus.documents), _DOCUMENTS_A_SHARD):
        documents = range(first, min(first + _DOCUMENTS_A_SHARD, len(corpus.documents)))
        name = f"shard-{len(shards)}"
        tables, receipt = shard_tables(name, [_document(corpus, each) for each in documents])
        own = np.isin(corpus.chunk_document, documents)
        for kind, table in tables.items():
            place.write(f"{kind}/{name}.parquet", table)
        table, file = vectors_table(name, rows[own]), f"vectors/bags/{name}.parquet"
        place.write(file, table)
        vectors[file] = xxh3_64_hexdigest(table)
        shards.append(receipt)
    manifest = ShardedManifest(
        format=FORMAT,
        settings=BuildSettings(),
        sources=(),
        shards=tuple(shards),
        vocabulary="all",
        embedder="bags",
        dimensions=rows.shape[1],
        vectors=vectors,
    )
    opened = ShardedCorpus(place, manifest)
    place.write("vocabulary/all.parquet", vocabulary_table(word_counts(opened)))
    vars(opened)["embedder"] = corpus.embedder
    return ShardedEngine(opened)


def _document(corpus: SmallCorpus, document: int) -> Document:
    texts = [
        corpus.chunk_texts[chunk] for chunk in np.flatnonzero(corpus.chunk_document == document)
    ]
    ends = np.cumsum([len(text) for text in texts]).tolist()
    name = corpus.documents[document]
    chunks = [Chunk(end - len(text), end, 1, ()) for text, end in zip(texts, ends, strict=True)]
    return Document(
        name=name,
        path=name,
        text="".join(texts),
        title=name,
        reader="text",
        encoding=None,
        size=sum(len(text.encode()) for text in texts),
        digest=name,
        fields={
            field.name: values[document]
            for field in corpus.fields
            if document in (values := corpus.field_values(field.name))
        },
        warnings=(),
        is_row=False,
        properties={},
        chunks=chunks,
    )
