"""Rankings over shards: each shard gives its best, the best of those are kept.

Scores are the local engine's: the idf and the mean length are the whole corpus's.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from agent.errors import CorpusUnreachable, SettingsError
from tools.corpus.words.lexical import LexicalIndex
from tools.corpus.words.tokenizer import words
from tools.engines.sharded.daft_session import daft, failures_explained
from tools.engines.sharded.sharded_corpus import Selection, ShardedCorpus, gather, read, yielding
from tools.filters.bm25 import Bm25Arguments
from tools.filters.searchable import best, bitmap, ids
from tools.filters.semantic import SemanticArguments


def postings(corpus: ShardedCorpus, words: Iterable[str]) -> dict[str, BitMap]:
    """Return the chunks that hold each of the word forms; those of no chunk are left out."""
    known = {word for word in words if corpus.lexicon.frequency(word)}
    if not known:
        return {}
    with failures_explained(corpus.place.root):
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
    wanted = Counter({word: corpus.lexicon.frequency(word) for word in found})
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
    with failures_explained(corpus.place.root):
        found = read(corpus, "words", names).groupby("word").agg(held).to_pydict()
    return dict(zip(found["word"], found["held"], strict=True))


def keep_bm25(corpus: ShardedCorpus, snapshot: BitMap, asked: Bm25Arguments) -> BitMap:
    """Return the best of the snapshot by BM25Okapi among those with a word of the query."""
    times = Counter(words(asked.query))
    known = {word: count for word, count in times.items() if corpus.lexicon.frequency(word)}
    if not snapshot or not known:
        return BitMap()
    module = daft()
    columns = ("word", "chunks", "counts", "lengths")
    listed = [module.functions.list_agg(module.col(name)).alias(name) for name in columns]
    rank = module.func(return_dtype=_scored_type(module))(_okapi(corpus, snapshot, known, asked))
    rows = postings_frame(corpus, known).groupby("shard").agg(*listed)
    scored = rank(*(module.col(name) for name in ("shard", *columns))).alias("scored")
    with failures_explained(corpus.place.root):
        found = rows.select(scored).to_pydict()["scored"]
    seen = np.sum([np.frombuffer(each["held"], dtype=np.int64) for each in found], axis=0)
    check_postings(corpus, dict(zip(known, np.atleast_1d(seen).tolist(), strict=False)))
    return _merged(found, count=asked.best, least=asked.min_score)


def keep_semantic(corpus: ShardedCorpus, snapshot: BitMap, asked: SemanticArguments) -> BitMap:
    """Return the nearest of the snapshot; nothing where the embedder knows nothing of the query.

    Raises:
        SettingsError: the corpus was indexed without vectors.
    """
    if corpus.embedder is None:
        raise SettingsError(f"the corpus at {corpus.place.root!r} was indexed without vectors")
    query = corpus.embedder.embed([asked.query])[0]
    chosen = Selection.of(corpus, snapshot)
    if not chosen.parts or not query.any():
        return BitMap()
    near = yielding(_nearest(corpus, snapshot, query, asked), "uint64", "shard", "chunk", "vector")
    found = gather(corpus, chosen.frame("vectors"), {"near": near}, chosen.rows)["near"]
    packed = np.concatenate(list(found.values())).astype(np.uint64)
    chunks = (packed & np.uint64(0xFFFFFFFF)).astype(np.int64)
    cosines = (packed >> np.uint64(32)).astype(np.uint32).view(np.float32)
    order = np.argsort(chunks)
    return best(chunks[order], cosines[order], count=asked.best, least=asked.min_cosine)


def _scored_type(module: Any) -> Any:
    binary = module.DataType.binary()
    return module.DataType.struct({"chunks": binary, "scores": binary, "held": binary})


def _okapi(
    corpus: ShardedCorpus, snapshot: BitMap, times: Mapping[str, int], asked: Bm25Arguments
) -> Any:
    """Return the function that ranks one shard's chunks from its rows of the query's words."""
    k1, b = LexicalIndex.k1, LexicalIndex.b
    total = sum(shard.words for shard in corpus.shards)
    mean = total / corpus.chunk_count if total else 1.0
    idf = {word: float(corpus.lexical.idf[corpus.lexical.column(word)]) for word in times}
    parts = {name: part.serialize() for name, part in Selection.of(corpus, snapshot).parts.items()}
    starts = {name: corpus.starts[name] for name in parts}
    count, least = asked.best, asked.min_score

    def rank(
        shard: str,
        word: list[str],
        chunks: list[bytes],
        counts: list[bytes],
        lengths: list[bytes],
    ) -> dict[str, bytes]:
        row = {each: place for place, each in enumerate(word)}
        held = np.array([len(chunks[row[each]]) // 4 if each in row else 0 for each in times])
        mine = BitMap.deserialize(parts[shard]) if shard in parts else BitMap()
        scores = np.zeros(int(max(mine, default=-1)) + 1)
        reached = np.zeros(len(scores), dtype=bool)
        for each in times:
            if each not in row:
                continue
            place = row[each]
            own = np.frombuffer(chunks[place], dtype="<u4").astype(np.int64)
            size = np.frombuffer(lengths[place], dtype="<u4").astype(np.float64)
            often = np.frombuffer(counts[place], dtype="<u4").astype(np.float64)
            damping = k1 * (1 - b + b * size / mean)
            score = times[each] * idf[each] * (k1 + 1) * often / (often + damping)
            inside = own < len(scores)
            scores[own[inside]] += score[inside]
            reached[own[inside]] = True
        ranked = ids(mine)[reached[ids(mine)]]
        kept = ids(best(ranked, scores[ranked], count=count, least=least))
        placed = (kept + starts.get(shard, 0)).astype("<i8")
        return {
            "chunks": placed.tobytes(),
            "scores": scores[kept].tobytes(),
            "held": held.astype(np.int64).tobytes(),
        }

    return rank


def _merged(
    found: Sequence[Mapping[str, bytes]], *, count: int | None, least: float | None
) -> BitMap:
    """Return the best of the shards' best."""
    chunks = np.concatenate([np.frombuffer(each["chunks"], dtype="<i8") for each in found])
    scores = np.concatenate([np.frombuffer(each["scores"]) for each in found])
    order = np.argsort(chunks)
    return best(chunks[order], scores[order], count=count, least=least)


def _nearest(
    corpus: ShardedCorpus, snapshot: BitMap, query: NDArray[np.float32], asked: SemanticArguments
) -> Any:
    """Return the function that yields a batch's nearest: cosine and chunk packed in 64 bits.

    The product is taken in double precision, so that equal rows have equal cosines wherever they
    stand in a batch.
    """
    inside = snapshot.serialize()
    starts = dict(corpus.starts)
    wide = query.astype(np.float64)
    count, least = asked.best, asked.min_cosine

    def nearest(shard: Any, chunk: Any, vector: Any) -> Any:
        import pyarrow as pa

        first = np.array([starts[name] for name in shard.to_pylist()], dtype=np.int64)
        chunks = first + chunk.to_arrow().to_numpy()
        rows = vector.to_arrow().flatten().to_numpy().reshape(len(chunks), len(wide))
        cosines = (rows.astype(np.float64) @ wide).astype(np.float32)
        kept = _among(chunks, BitMap.deserialize(inside))
        order = np.argsort(chunks[kept])
        near = best(chunks[kept][order], cosines[kept][order], count=count, least=least)
        yielded = kept & _among(chunks, near)
        packed = cosines.view(np.uint32).astype(np.uint64) << np.uint64(32)
        return pa.array(packed | chunks.astype(np.uint64), mask=~yielded)

    return nearest


def _among(chunks: NDArray[np.int64], held: BitMap) -> NDArray[np.bool_]:
    """Return which of the chunks are in a set."""
    return np.isin(chunks, ids(held & bitmap(chunks)))
