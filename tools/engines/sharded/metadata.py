"""Metadata predicates over shards: each document is tested where its fields lie."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from pyroaring import BitMap

from agent.corpus import FieldValue
from agent.predicates import NAME_FIELD, name_value, satisfies
from agent.question import Predicate
from tools.corpus.fields.field_values import fold
from tools.engines.sharded.corpus import ShardedCorpus
from tools.engines.sharded.fields_json import load_values
from tools.engines.sharded.reading import gather, read, yielding
from tools.engines.sharded.selection import Selection
from tools.filters.metadata import MetadataArguments, field_tests

__all__ = ("keep_metadata",)


def keep_metadata(corpus: ShardedCorpus, snapshot: BitMap, asked: MetadataArguments) -> BitMap:
    """Return the chunks of the snapshot whose document satisfies the predicates.

    Raises:
        ToolArgumentError: the corpus has no such field, or a comparison lacks its values.
    """
    tests = field_tests(corpus.field_names, asked)
    touched = Selection.of(corpus, snapshot).parts
    if not touched:
        return BitMap()
    is_field = any(name == NAME_FIELD for name in corpus.field_names)
    spans = _spans(tests, every=asked.match == "all", is_field=is_field)
    frame = read(corpus, "documents", list(touched))
    yields = {"spans": yielding(spans, "uint64", "name", "fields", "first", "chunks")}
    rows = {shard.name: shard.documents for shard in corpus.shards if shard.name in touched}
    found = gather(corpus, frame, yields, rows)["spans"]
    kept = BitMap()
    for name, own in found.items():
        for span in own.tolist():
            first = corpus.starts[name] + (span >> 32)
            kept.add_range(first, first + (span & 0xFFFFFFFF))
    return kept & snapshot


def _spans(tests: Sequence[Predicate], *, every: bool, is_field: bool) -> Any:
    """Return the function that yields a document's first chunk and its chunks in 64 bits.

    Args:
        tests: of one field each.
        every: whether a document must satisfy all of them, not any.
        is_field: whether the documents' name is shadowed by a field called so.
    """

    def spans(name: Any, fields: Any, first: Any, chunks: Any) -> Any:
        import pyarrow as pa

        kept = [
            _holds(_values(written, called, is_field=is_field), tests, every=every)
            for called, written in zip(name.to_pylist(), fields.to_pylist(), strict=True)
        ]
        starts = first.to_arrow().to_numpy().astype(np.uint64)
        packed = (starts << np.uint64(32)) | chunks.to_arrow().to_numpy().astype(np.uint64)
        return pa.array(packed, mask=~np.array(kept, dtype=bool))

    return spans


def _values(written: str, name: str, *, is_field: bool) -> dict[str, FieldValue]:
    """Return a document's values by folded key; of two spellings the first counts."""
    values: dict[str, FieldValue] = {}
    for key, value in load_values(written).items():
        values.setdefault(fold(key), value)
    return values if is_field else values | {fold(NAME_FIELD): name_value(name)}


def _holds(values: Mapping[str, FieldValue], tests: Sequence[Predicate], *, every: bool) -> bool:
    held = (satisfies(values.get(fold(test.field)), test) for test in tests)
    return all(held) if every else any(held)
