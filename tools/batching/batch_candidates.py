"""What batching starts from: a question's candidates, what a batch may hold, what belongs together.

A plan is measured by its batches (LC) and by `candidate_pairs` (CP).
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from agent.errors import SettingsError
from tools.corpus.corpus import Corpus
from tools.corpus.embeddings.vectors import unit_rows
from tools.corpus.words.lexical import LexicalIndex, tf_idf

Part = Literal["tf-idf", "embedding"]
_SKETCH = 512
_SEED = 0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Candidates:
    """n chunks that are to be judged, in document order."""

    ids: NDArray[np.int64]
    """The chunks, ascending, (n,)."""
    tokens: NDArray[np.int64]
    """Each chunk's tokens, (n,)."""
    features: NDArray[np.float32]
    """Rows that are near where chunks are alike, (n, d)."""
    clusters: NDArray[np.int64]
    """Each chunk's offline cluster, (n,)."""
    documents: NDArray[np.int64]
    """Each chunk's document, (n,)."""
    by_document: bool = False
    """Whether documents are counted: two chunks of one are then about the same entity."""

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        ids: Iterable[int],
        *,
        by_document: bool = False,
        parts: Collection[Part] = get_args(Part),
    ) -> "Candidates":
        """Take candidates from a corpus, with features TF-IDF ⊕ embedding (DFA, A.3).

        Each part is scaled to length 1, so that the cosine of two rows is the mean of the parts'
        cosines. TF-IDF is sketched to 512 dimensions; expected cosines are those of the full rows.
        """
        chunks = np.asarray(sorted(ids), dtype=np.int64)
        blocks = [_tf_idf(corpus.lexical, chunks)] if "tf-idf" in parts else []
        blocks += [unit_rows(corpus.vectors.rows(chunks))] if "embedding" in parts else []
        return cls(
            ids=chunks,
            tokens=corpus.chunk_tokens[chunks].astype(np.int64),
            features=unit_rows(np.hstack(blocks)),
            clusters=np.asarray(corpus.clusters)[chunks].astype(np.int64),
            documents=corpus.chunk_document[chunks].astype(np.int64),
            by_document=by_document,
        )

    def __len__(self) -> int:
        """Return n."""
        return len(self.ids)

    def chunks(self, batches: Iterable[Iterable[int]]) -> list[list[int]]:
        """Return batches of places as batches of chunk ids, each in document order."""
        return [[int(self.ids[place]) for place in sorted(batch)] for batch in batches]


def _tf_idf(index: LexicalIndex, chunks: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return unit TF-IDF rows, sketched: each word is added to one dimension with a sign."""
    from scipy.sparse import csr_matrix

    rows = tf_idf(index.rows(chunks), index.smooth_idf)
    words, drawn = rows.shape[1], np.random.default_rng(_SEED)
    dimensions = drawn.integers(0, _SKETCH, words)
    signs = drawn.choice(np.array([-1, 1], dtype=np.float32), words)
    sketch = csr_matrix((signs, (np.arange(words), dimensions)), shape=(words, _SKETCH))
    return unit_rows(np.asarray((rows @ sketch).todense()))


@dataclass(frozen=True, slots=True)
class Limits:
    """What one batch may hold."""

    tokens: int
    """L: tokens of passages, each with what it costs beside its own words; at least 1."""
    passages: int | None = None
    """Passages at most, at least 1; None where the reply sets no limit."""
    per_passage: int = 0
    """Tokens that every passage costs beside its own: markers, headings, neighbours' words."""

    def costs(self, tokens: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """Return what each passage takes of `tokens`, (n,)."""
        return tokens.astype(np.int64) + self.per_passage

    def hold(self, cost: float, passages: int) -> bool:
        """Tell whether a batch of that cost and so many passages is within the limits."""
        return cost <= self.tokens and (self.passages is None or passages <= self.passages)


def batch_limits(
    *,
    context: int,
    reply: int,
    overhead: int,
    per_passage: int,
    reply_per_passage: int,
    reply_per_condition: int,
    conditions: int,
) -> Limits:
    """Return what a batch may hold in a model's context, prompt and reply included.

    All are in tokens: Σ (tokens + per_passage) ≤ context − reply − overhead, and
    passages · (reply_per_passage + conditions · reply_per_condition) ≤ reply.

    Raises SettingsError: the context has no room for any passage.

    >>> batch_limits(context=8000, reply=1000, overhead=900, per_passage=40,
    ...              reply_per_passage=20, reply_per_condition=30, conditions=1)
    Limits(tokens=6100, passages=20, per_passage=40)
    """
    room = context - reply - overhead
    if room <= per_passage:
        raise SettingsError(
            f"a context of {context} tokens has no room for a passage beside a reply of {reply} "
            f"and a prompt of {overhead}: set a larger context_tokens or a smaller reply_tokens"
        )
    each = max(1, reply_per_passage + conditions * reply_per_condition)
    return Limits(room, max(1, reply // each), per_passage)


def in_order(
    members: Iterable[int], costs: npt.NDArray[np.integer], limits: Limits
) -> list[list[int]]:
    """Cut chunks in the order given into pieces as full as they go; too large a one stands alone.

    Members are places in the costs, which are `Limits.costs`.
    """
    pieces: list[list[int]] = []
    used = 0
    for chunk in members:
        cost = int(costs[chunk])
        if not pieces or not limits.hold(used + cost, len(pieces[-1]) + 1):
            pieces.append([])
            used = 0
        pieces[-1].append(chunk)
        used += cost
    return pieces


def candidate_pairs(batches: Sequence[Sequence[int]], pairs: Iterable[tuple[int, int]]) -> int:
    """Return CP, how many of the pairs of chunks that may name one entity stand in two batches.

    In one batch the model names the entity once; in two, its names have to be compared afterwards.

    >>> candidate_pairs([[1, 2], [3]], [(1, 2), (1, 3), (2, 3)])
    2
    """
    place = {chunk: number for number, batch in enumerate(batches) for chunk in batch}
    return sum(place[a] != place[b] for a, b in pairs if a in place and b in place)


_NEIGHBOURS = 32
_POOL = 4096
_ROWS_AT_ONCE = 1024
_WINDOW = 8


def affinity(candidates: Candidates, *, bond: float) -> Any:
    """Return how strongly candidates belong into one batch, a symmetric CSR matrix (n, n).

    Two candidates weigh max(0, cos)³ if one is among the other's 32 nearest, and `bond` more if
    they are of one document with at most 8 candidates from one to the other. The cube lets a few
    close chunks outweigh many that merely share a vocabulary. Up to 4,096 candidates all are
    compared with all; beyond, each with the 4,096 of its own and the nearest offline clusters.
    """
    from scipy.sparse import coo_matrix

    size = (len(candidates), len(candidates))
    edges = zip(*_nearest(candidates), strict=True)
    rows, columns, weights = (np.concatenate(each) for each in edges)
    graph = coo_matrix((weights, (rows, columns)), shape=size).tocsr()
    graph = graph.maximum(graph.T)
    graph = (graph + _bonds(candidates.documents, bond) if bond else graph).tocsr()
    graph.sort_indices()
    return graph


def _nearest(
    candidates: Candidates,
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]]:
    """Yield edges from candidates to their nearest with their weights, in blocks."""
    features = unit_rows(candidates.features)
    yield np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    for members, pool in _pools(candidates, features):
        most = min(_NEIGHBOURS, len(pool))
        for start in range(0, len(members), _ROWS_AT_ONCE):
            block = members[start : start + _ROWS_AT_ONCE]
            likeness = features[block] @ features[pool].T
            likeness[block[:, None] == pool[None, :]] = 0
            nearest = np.argpartition(-likeness, most - 1, axis=1)[:, :most]
            cosines = np.take_along_axis(likeness, nearest, axis=1).astype(np.float64)
            rows, kept = np.nonzero(cosines > 0)
            yield block[rows], pool[nearest[rows, kept]], cosines[rows, kept] ** 3


def _pools(
    candidates: Candidates, features: NDArray[np.float32]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield groups of candidates, each with the candidates that it is compared with."""
    every = np.arange(len(candidates))
    if len(every) <= _POOL:
        yield every, every
        return
    _, own, sizes = np.unique(candidates.clusters, return_inverse=True, return_counts=True)
    members = np.split(np.argsort(own, kind="stable"), np.cumsum(sizes)[:-1])
    centroids = unit_rows(np.array([features[each].mean(axis=0) for each in members]))
    for cluster, each in enumerate(members):
        likest = np.argsort(-(centroids @ centroids[cluster]), kind="stable")
        likest = np.concatenate(([cluster], likest[likest != cluster]))
        enough = int(np.searchsorted(np.cumsum(sizes[likest]), _POOL)) + 1
        yield each, np.concatenate([members[other] for other in likest[:enough]])


def _bonds(documents: NDArray[np.int64], bond: float) -> Any:
    """Return the graph of the candidates that stand near one another in a document."""
    from scipy.sparse import csr_matrix

    rows, columns = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for step in range(1, min(_WINDOW, len(documents) - 1) + 1):
        left = np.flatnonzero(documents[:-step] == documents[step:])
        rows += [left, left + step]
        columns += [left + step, left]
    row, column = np.concatenate(rows), np.concatenate(columns)
    size = (len(documents), len(documents))
    return csr_matrix((np.full(len(row), bond), (row, column)), shape=size)
