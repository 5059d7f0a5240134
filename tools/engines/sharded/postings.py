"""The postings of word forms, gathered from all shards in one job, and how many there are."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
from pyroaring import BitMap

from agent.errors import CorpusUnreachable
from tools.engines.sharded.corpus import ShardedCorpus
from tools.engines.sharded.reading import read
from tools.engines.sharded.session import daft, failures_told
from tools.filters.bitmaps import bitmap

__all__ = ("check_postings", "postings", "postings_frame", "word_counts")


def postings(corpus: ShardedCorpus, words: Iterable[str]) -> dict[str, BitMap]:
    """Return the chunks that hold each of the word forms; those of no chunk are left out."""
    known = {word for word in words if corpus.lexical.held(word)}
    if not known:
        return {}
    with failures_told(corpus.place.root):
        rows = postings_frame(corpus, known).select("shard", "word", "chunks").to_pydict()
    held = {word: BitMap() for word in known}
    for shard, word, chunks in zip(rows["shard"], rows["word"], rows["chunks"], strict=True):
        own = bitmap(np.frombuffer(chunks, dtype="<u4"))
        held[word] |= own.shift(corpus.starts[shard])
    check_postings(corpus, {word: len(chunks) for word, chunks in held.items()})
    return held


def postings_frame(corpus: ShardedCorpus, words: Iterable[str]) -> Any:
    """Return a frame of the words' rows in all shards; nothing is read yet."""
    names = [shard.name for shard in corpus.shards if shard.chunks]
    frame = read(corpus, "words", names)
    return frame.where(frame["word"].is_in(sorted(words)))


def check_postings(corpus: ShardedCorpus, found: dict[str, int]) -> None:
    """Raise CorpusUnreachable where words were found in more or fewer chunks than hold them."""
    wanted = Counter({word: corpus.lexical.held(word) for word in found})
    wrong = [word for word in found if found[word] != wanted[word]]
    if wrong:
        raise CorpusUnreachable(
            f"the sharded corpus at {corpus.place.root!r} holds {wrong[0]!r} in "
            f"{wanted[wrong[0]]} chunks, but {found[wrong[0]]} were found: ask again, and index "
            "anew if it stays so"
        )


def word_counts(corpus: ShardedCorpus) -> dict[str, int]:
    """Return in how many chunks each word form stands."""
    names = [shard.name for shard in corpus.shards if shard.chunks]
    if not names:
        return {}
    held = daft().col("held").sum().alias("held")
    with failures_told(corpus.place.root):
        found = read(corpus, "words", names).groupby("word").agg(held).to_pydict()
    return dict(zip(found["word"], found["held"], strict=True))
