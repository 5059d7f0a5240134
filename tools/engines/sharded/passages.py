"""The passages of some chunks, fetched from their shards."""

from bisect import bisect_right
from collections import defaultdict
from typing import Any

from pyroaring import BitMap

from tools.engines.passage import Passage
from tools.engines.sharded.corpus import ShardedCorpus
from tools.engines.sharded.reading import read
from tools.engines.sharded.selection import Selection
from tools.engines.sharded.session import failures_told

__all__ = ("sharded_passages",)


def sharded_passages(corpus: ShardedCorpus, chunks: BitMap) -> list[Passage]:
    """Return the passages of the chunks in the order of their numbers.

    The documents' names of every shard that they lie in are read: it is meant for a few.
    """
    chosen = Selection.of(corpus, chunks)
    if not chosen.parts:
        return []
    with failures_told(corpus.place.root):
        frame = chosen.frame("chunks").select("shard", "chunk", "start", "end", "text")
        rows = frame.to_pylist()
        names = _names(read(corpus, "documents", list(chosen.parts)))
    found = {corpus.starts[row["shard"]] + row["chunk"]: row for row in rows}
    return [_passage(found[chunk], names) for chunk in chunks]


def _names(frame: Any) -> dict[str, list[tuple[int, str]]]:
    """Return each shard's documents with a chunk: the first of their chunks and their name."""
    names: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for row in frame.select("shard", "name", "first", "chunks").to_pylist():
        if row["chunks"]:
            names[row["shard"]].append((row["first"], row["name"]))
    return {shard: sorted(own) for shard, own in names.items()}


def _passage(row: dict[str, Any], names: dict[str, list[tuple[int, str]]]) -> Passage:
    own = names[row["shard"]]
    place = bisect_right(own, row["chunk"], key=lambda pair: pair[0]) - 1
    return Passage(document=own[place][1], start=row["start"], end=row["end"], text=row["text"])
