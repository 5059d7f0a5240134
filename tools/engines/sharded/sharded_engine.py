"""The sharded engine: predicates evaluated by Daft, in this process or on a Ray cluster.

Of rankings each shard gives its best, and the best of those are kept. Scores are the local
engine's: the idf and the mean length are the whole corpus's.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyroaring import BitMap

from agent.corpus_view import FieldValue
from agent.errors import CorpusUnreachable, SettingsError
from agent.predicates import NAME_FIELD, name_value, satisfies
from agent.question import Predicate
from tools.corpus.corpus import open_corpus
from tools.corpus.fields.field_values import fold
from tools.corpus.generations import CorpusLayout
from tools.corpus.words.lexical import LexicalIndex
from tools.corpus.words.lexicon import words
from tools.engines.sharded.daft_session import daft, failures_explained, on_cluster
from tools.engines.sharded.sharded_corpus import (
    VALUES,
    Selection,
    ShardedCorpus,
    gather,
    open_sharded,
    read,
    yielding,
)
from tools.filters.arguments import Engine, Passage
from tools.filters.local_engine import LocalEngine
from tools.filters.phrases import Pattern
from tools.filters.searchable import best, bitmap, ids


def postings_frame(corpus: ShardedCorpus, words: Iterable[str]) -> Any:
    """Return a frame of the words' rows in all shards; nothing is read yet."""
    names = [shard.name for shard in corpus.shards if shard.chunks]
    frame = read(corpus, "words", names)
    return frame.where(frame["word"].is_in(sorted(words)))


def check_postings(corpus: ShardedCorpus, found: dict[str, int]) -> None:
    """Raise CorpusUnreachable where words were found in more or fewer chunks than hold them."""
    wanted = Counter({word: corpus.lexical.frequency(word) for word in found})
    wrong = [word for word in found if found[word] != wanted[word]]
    if wrong:
        raise CorpusUnreachable(
            f"the sharded corpus at {corpus.place.root!r} holds {wrong[0]!r} in "
            f"{wanted[wrong[0]]} chunks, but {found[wrong[0]]} were found: ask again, and index "
            "anew if it stays so"
        )


def word_counts(corpus: ShardedCorpus) -> dict[str, tuple[int, Sequence[int]]]:
    """Return in how many chunks each word form stands, and in which of several languages."""
    names = [shard.name for shard in corpus.shards if shard.chunks]
    if not names:
        return {}
    held = daft().col("held").sum().alias("held")
    with failures_explained(corpus.place.root):
        frame = read(corpus, "words", names).groupby("word", "languages").agg(held)
        found = frame.to_pydict()
    places = {code: place for place, code in enumerate(corpus.manifest.languages)}
    counts: Counter[str] = Counter()
    spoken: defaultdict[str, set[int]] = defaultdict(set)
    for word, codes, count in zip(found["word"], found["languages"], found["held"], strict=True):
        counts[word] += count
        if len(places) > 1:
            spoken[word].update(places.get(code, 0) for code in codes.split(","))
    return {word: (count, sorted(spoken.get(word, ()))) for word, count in counts.items()}


def _okapi(
    corpus: ShardedCorpus,
    snapshot: BitMap,
    times: Mapping[str, int],
    count: int | None,
    least: float | None,
) -> Any:
    """Return the function that ranks one shard's chunks from its rows of the query's words."""
    k1, b = LexicalIndex.k1, LexicalIndex.b
    total = sum(shard.words for shard in corpus.shards)
    mean = total / corpus.chunk_count if total else 1.0
    idf = {word: float(corpus.lexical.idf[corpus.lexical.column(word)]) for word in times}
    parts = {name: part.serialize() for name, part in Selection.of(corpus, snapshot).parts.items()}
    starts = {name: corpus.starts[name] for name in parts}

    def rank(
        shard: str,
        word: list[str],
        chunks: list[bytes],
        counts: list[bytes],
        lengths: list[bytes],
    ) -> dict[str, bytes]:
        columns = zip(chunks, counts, lengths, strict=True)
        rows = dict(zip(word, columns, strict=True))
        held = np.array([len(rows[each][0]) // 4 if each in rows else 0 for each in times])
        mine = BitMap.deserialize(parts[shard]) if shard in parts else BitMap()
        scores = np.zeros(int(max(mine, default=-1)) + 1)
        reached = np.zeros(len(scores), dtype=bool)
        for each in filter(rows.__contains__, times):
            own, often, size = (np.frombuffer(part, dtype="<u4") for part in rows[each])
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


def _nearest(
    corpus: ShardedCorpus,
    snapshot: BitMap,
    query: NDArray[np.float32],
    count: int | None,
    least: float | None,
) -> Any:
    """Return the function that yields a batch's nearest: cosine and chunk packed in 64 bits.

    The product is taken in double precision, so that equal rows have equal cosines wherever they
    stand in a batch.
    """
    inside = snapshot.serialize()
    starts = dict(corpus.starts)
    wide = query.astype(np.float64)

    def nearest(shard: Any, chunk: Any, vector: Any) -> Any:
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
    return np.isin(chunks, ids(held & bitmap(chunks)))


def _spans(tests: Sequence[Predicate], *, every: bool, is_field: bool) -> Any:
    """Return the function that yields a document's first chunk and its chunks in 64 bits.

    With `is_field`, the documents' name is shadowed by a field called so.
    """

    def spans(name: Any, fields: Any, first: Any, chunks: Any) -> Any:
        told = zip(fields.to_pylist(), name.to_pylist(), strict=True)
        documents = (_values(*each, is_field=is_field) for each in told)
        joins = all if every else any
        kept = [
            joins(satisfies(values.get(fold(test.field)), test) for test in tests)
            for values in documents
        ]
        starts = first.to_arrow().to_numpy().astype(np.uint64)
        packed = (starts << np.uint64(32)) | chunks.to_arrow().to_numpy().astype(np.uint64)
        return pa.array(packed, mask=~np.array(kept, dtype=bool))

    return spans


def _values(written: str, name: str, *, is_field: bool) -> dict[str, FieldValue]:
    """Return a document's values by folded key; of two spellings the first counts."""
    values: dict[str, FieldValue] = {}
    for key, value in VALUES.validate_json(written).items():
        values.setdefault(fold(key), value)
    return values if is_field else values | {fold(NAME_FIELD): name_value(name)}


def _matching(patterns: Sequence[Pattern]) -> Any:
    """Return the expression of a chunk's number where all patterns match, else of nothing."""
    module = daft()
    text, functions = module.col("text"), module.functions
    matches = module.lit(value=True)
    for pattern in patterns:
        matcher = functions.contains if pattern.literal else functions.regexp
        matches &= matcher(text, pattern.text)
    return functions.when(matches, module.col("chunk")).otherwise(module.lit(None))


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


class ShardedEngine(Engine):
    """Evaluates predicates over a sharded corpus."""

    def __init__(self, corpus: ShardedCorpus) -> None:
        self.corpus: ShardedCorpus = corpus

    def passages(self, chunks: BitMap) -> list[Passage]:
        """Return the passages of a few chunks: the names of all documents beside them are read."""
        corpus = self.corpus
        chosen = Selection.of(corpus, chunks)
        found = chosen.texts("start", "end", "text")
        if not found:
            return []
        with failures_explained(corpus.place.root):
            names = _names(read(corpus, "documents", list(chosen.parts)))
        return [_passage(found[chunk], names) for chunk in chunks]

    def postings(self, words: Iterable[str]) -> dict[str, BitMap]:
        """Return the chunks that hold each of the word forms; those of no chunk are left out."""
        corpus = self.corpus
        known = {word for word in words if corpus.lexical.frequency(word)}
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

    def scan(self, wanted: Sequence[tuple[BitMap, Sequence[Pattern]]]) -> list[BitMap]:
        """Return for each pair the chunks of its set whose text all patterns match, in one job."""
        corpus = self.corpus
        chosen = Selection.of(corpus, BitMap.union(BitMap(), *(chunks for chunks, _ in wanted)))
        if not chosen.parts:
            return [BitMap() for _ in wanted]
        yields = {
            f"found{place}": _matching(patterns) for place, (_, patterns) in enumerate(wanted)
        }
        frame = read(corpus, "chunks", list(chosen.parts))
        found = gather(corpus, frame, yields, chosen.rows)
        kept = []
        for place, (chunks, _) in enumerate(wanted):
            own = found[f"found{place}"].items()
            parts = (bitmap(within).shift(corpus.starts[name]) for name, within in own)
            kept.append(BitMap.union(BitMap(), *parts) & chunks)
        return kept

    def best_by_words(
        self, snapshot: BitMap, query: str, count: int | None, least: float | None
    ) -> BitMap:
        """Return the best of the snapshot by BM25Okapi among those with a word of the query."""
        corpus, times = self.corpus, Counter(words(query))
        known = {word: n for word, n in times.items() if corpus.lexical.frequency(word)}
        if not snapshot or not known:
            return BitMap()
        module = daft()
        columns = ("word", "chunks", "counts", "lengths")
        listed = [module.functions.list_agg(module.col(name)).alias(name) for name in columns]
        packed = dict.fromkeys(("chunks", "scores", "held"), module.DataType.binary())
        scored_type = module.DataType.struct(packed)
        rank = module.func(return_dtype=scored_type)(_okapi(corpus, snapshot, known, count, least))
        rows = postings_frame(corpus, known).groupby("shard").agg(*listed)
        scored = rank(*(module.col(name) for name in ("shard", *columns))).alias("scored")
        with failures_explained(corpus.place.root):
            found = rows.select(scored).to_pydict()["scored"]
        seen = np.sum([np.frombuffer(each["held"], dtype=np.int64) for each in found], axis=0)
        check_postings(corpus, dict(zip(known, np.atleast_1d(seen).tolist(), strict=False)))
        chunks = np.concatenate([np.frombuffer(each["chunks"], dtype="<i8") for each in found])
        scores = np.concatenate([np.frombuffer(each["scores"]) for each in found])
        order = np.argsort(chunks)
        return best(chunks[order], scores[order], count=count, least=least)

    def best_by_vector(
        self, snapshot: BitMap, query: str, count: int | None, least: float | None
    ) -> BitMap:
        """Return the nearest, if the query has known words."""
        corpus = self.corpus
        vector = corpus.embedder.embed([query])[0]
        chosen = Selection.of(corpus, snapshot)
        if not chosen.parts or not vector.any():
            return BitMap()
        near = yielding(
            _nearest(corpus, snapshot, vector, count, least), "uint64", "shard", "chunk", "vector"
        )
        frame = read(corpus, "vectors", list(chosen.parts))
        found = gather(corpus, frame, {"near": near}, chosen.rows)["near"]
        packed = np.concatenate(list(found.values())).astype(np.uint64)
        chunks = (packed & np.uint64(0xFFFFFFFF)).astype(np.int64)
        cosines = (packed >> np.uint64(32)).astype(np.uint32).view(np.float32)
        order = np.argsort(chunks)
        return best(chunks[order], cosines[order], count=count, least=least)

    def described(self, snapshot: BitMap, tests: Sequence[Predicate], *, every: bool) -> BitMap:
        """Return the chunks of documents that satisfy the predicates."""
        corpus = self.corpus
        touched = Selection.of(corpus, snapshot).parts
        if not touched:
            return BitMap()
        is_field = any(name == NAME_FIELD for name in corpus.field_names)
        spans = _spans(tests, every=every, is_field=is_field)
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


def open_engine(location: str, cluster: str | None = None) -> Engine:
    """Open a folder's corpus, or the one of shards that lies there, for a Ray cluster to filter."""
    if CorpusLayout(Path(location)).has_shards():
        if cluster is not None:
            on_cluster(cluster)
        return ShardedEngine(open_sharded(location))
    if cluster is not None:
        raise SettingsError(
            f"{location!r} has no shards for a cluster: make some with "
            "`headcount index PATH --into PLACE --engine daft`"
        )
    return LocalEngine(open_corpus(location))
