"""Semantic-aware batching: which candidates go to the model in one call, and what that costs.

Greedy packing (DFA, appendix A.3, algorithm 1) places whole clusters once and never looks back. The
refinement moves single chunks: fewer that belong together stand in different batches, in no more
batches. A plan is measured by its batches (LC) and by `candidate_pairs` (CP).
"""

import importlib
import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from agent.errors import SettingsError
from tools.clustering import gaussian_mixture, kmeans
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

    def costs(self, tokens: NDArray[np.integer]) -> NDArray[np.int64]:
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


def in_order(members: Iterable[int], costs: NDArray[np.integer], limits: Limits) -> list[list[int]]:
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
_WINDOW = 8


def affinity(candidates: Candidates, *, bond: float) -> NDArray[np.float64]:
    """Return how strongly candidates belong into one batch, symmetric, (n, n).

    Two candidates weigh max(0, cos)³ if one is among the other's 32 nearest, and `bond` more if
    they are of one document with at most 8 candidates from one to the other. The cube lets a few
    close chunks outweigh many that merely share a vocabulary.
    """
    features, places = unit_rows(candidates.features), np.arange(len(candidates))
    likeness = features @ features.T
    np.fill_diagonal(likeness, 0)
    most = min(_NEIGHBOURS, len(candidates))
    nearest = np.argpartition(-likeness, most - 1, axis=1)[:, :most]
    cosines = np.take_along_axis(likeness, nearest, axis=1).astype(np.float64)
    weights = np.zeros(likeness.shape)
    np.put_along_axis(weights, nearest, np.maximum(cosines, 0) ** 3, axis=1)
    near = np.abs(places[:, None] - places) <= _WINDOW
    near &= candidates.documents[:, None] == candidates.documents
    np.fill_diagonal(near, val=False)
    found: NDArray[np.float64] = np.maximum(weights, weights.T) + bond * near
    return found


Floats = NDArray[np.floating]
Integers = NDArray[np.integer]

_LIKENESS = 0.8
"""λ, likeness against use of space: chosen by cross-batch pairs, since the paper gives no value."""


def _clusters(labels: Integers) -> list[list[int]]:
    """Return the places of each cluster, in order of its first."""
    clusters: dict[int, list[int]] = defaultdict(list)
    for place, label in enumerate(labels.tolist()):
        clusters[label].append(place)
    return list(clusters.values())


def _packed(candidates: Candidates, limits: Limits) -> list[list[int]]:
    """Pack the offline clusters into batches within the limits, as places of candidates.

    A cluster above the limits is split, in document order, into batches of its own. The others,
    largest first, each join the batch that they fit into with the highest score (5),

        S(K, B) = λ · cos(μ_K, μ̄(B)) + (1 − λ) · (T(B) + T(K)) / L,

    whose centroid then becomes the token-weighted mean (6); a cluster that fits nowhere opens a
    batch. A chunk above the limit is a batch of its own.
    """
    costs = limits.costs(candidates.tokens)
    batches: list[list[int]] = []
    centroids: list[Floats] = []
    used: list[int] = []
    sized = [(int(costs[members].sum()), members) for members in _clusters(candidates.clusters)]
    for total, members in sorted(sized, key=lambda each: (-each[0], each[1][0])):
        centroid = _centroid(members, costs, candidates.features)
        fits = [
            place
            for place, batch in enumerate(batches)
            if limits.hold(used[place] + total, len(batch) + len(members))
        ]
        if fits:
            both = np.array([used[place] + total for place in fits])
            cosines = _cosines(np.array([centroids[place] for place in fits]), centroid)
            best = int(np.argmax(_LIKENESS * cosines + (1 - _LIKENESS) * both / limits.tokens))
            at, share = fits[best], used[fits[best]] / both[best] if both[best] else 0.5
            batches[at] += members
            centroids[at] = share * centroids[at] + (1 - share) * centroid
            used[at] += total
            continue
        for piece in in_order(members, costs, limits):
            batches.append(piece)
            centroids.append(centroid)
            used.append(int(costs[piece].sum()))
    return batches


def _cosines(rows: Floats, other: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(other)
    found: Floats = np.divide(rows @ other, lengths, out=np.zeros(len(rows)), where=lengths > 0)
    return found


def _centroid(members: list[int], tokens: Integers, features: Floats) -> Floats:
    weights = np.maximum(tokens[members], 1).astype(np.float64)
    mean: Floats = weights @ features[members].astype(np.float64) / weights.sum()
    return mean


_ROUNDS = 6
_TARGETS = 4
_LEAST = 1e-9


def refine(
    batches: Sequence[Sequence[int]],
    weights: NDArray[np.float64],
    costs: NDArray[np.int64],
    limits: Limits,
) -> list[list[int]]:
    """Return a plan of at most as many batches, with at least as much affinity within them.

    A batch all of whose chunks fit into the others is dissolved first. Then every chunk in turn,
    the least settled first, is moved into, or swapped with a chunk of, one of the four batches that
    its neighbours are most in, whichever gains most, for six rounds or until none changes anything.

    Batches hold every candidate once, as places in the symmetric weights, (n, n).
    """
    plan = _Plan(batches, weights, costs, limits)
    plan.dissolve()
    for _ in range(_ROUNDS):
        if not plan.round():
            break
    return [sorted(members) for members in plan.members if members]


class _Plan:
    """Batches of candidates under change."""

    def __init__(
        self,
        batches: Sequence[Sequence[int]],
        weights: NDArray[np.float64],
        costs: NDArray[np.int64],
        limits: Limits,
    ) -> None:
        self.members = [set(batch) for batch in batches if batch]
        self._weights = weights
        self._costs = costs
        self._limits = limits
        self._batch = np.zeros(len(weights), dtype=np.int64)
        for number, batch in enumerate(self.members):
            self._batch[list(batch)] = number
        self._used = np.bincount(self._batch, weights=costs, minlength=len(self.members))
        self._own = (weights * (self._batch == self._batch[:, None])).sum(axis=1)

    def dissolve(self) -> None:
        """Empty the batches whose chunks all fit elsewhere, the least full first."""
        for batch in np.argsort(self._used, kind="stable"):
            for place, target in self._elsewhere(int(batch)):
                self._move(place, target)

    def round(self) -> bool:
        """Give every chunk a chance to move; tell whether one did."""
        order = np.argsort(self._own, kind="stable")
        return sum(self._settle(int(place)) for place in order) > 0

    def _elsewhere(self, batch: int) -> list[tuple[int, int]]:
        """Return a new batch for each chunk of a batch, largest first; none unless all fit."""
        used = self._used.copy()
        counts = np.array([len(each) for each in self.members])
        most = np.inf if self._limits.passages is None else self._limits.passages
        moves: list[tuple[int, int]] = []
        for place in sorted(self.members[batch], key=lambda each: (-self._costs[each], each)):
            fits = (used + self._costs[place] <= self._limits.tokens) & (counts < most)
            fits &= counts > 0
            fits[batch] = False
            if not fits.any():
                return []
            score = np.where(fits, self._sums(place) + used / self._limits.tokens * _LEAST, -1)
            target = int(np.argmax(score))
            used[target] += self._costs[place]
            counts[target] += 1
            moves.append((place, target))
        return moves

    def _sums(self, place: int) -> NDArray[np.float64]:
        """Return a chunk's affinity with all of each batch."""
        near = self._weights[place]
        sums = np.bincount(self._batch, weights=near, minlength=len(self.members))
        return sums.astype(np.float64)

    def _settle(self, place: int) -> bool:
        """Make the best move or swap of a chunk, if one gains."""
        best, target, partner = _LEAST, -1, -1
        for batch, likeness in self._towards(place):
            other, gain = -1, likeness
            used = float(self._used[batch] + self._costs[place])
            if not self._limits.hold(used, len(self.members[batch]) + 1):
                other, gain = self._partner(place, batch, likeness)
            if gain > best:
                best, target, partner = gain, batch, other
        if target < 0:
            return False
        if partner >= 0:
            self._move(partner, int(self._batch[place]))
        self._move(place, target)
        return True

    def _towards(self, place: int) -> list[tuple[int, float]]:
        """Return the batches that a chunk's neighbours are most in, with what it gains in each."""
        gains = self._sums(place) - self._own[place]
        found = np.flatnonzero(gains > _LEAST)
        likest = found[np.argsort(-gains[found], kind="stable")[:_TARGETS]]
        return list(zip(likest.tolist(), gains[likest].tolist(), strict=True))

    def _partner(self, place: int, batch: int, gain: float) -> tuple[int, float]:
        """Return the chunk of a batch to swap with and what both gain; a gain of 0 is none."""
        here = int(self._batch[place])
        others = np.array(sorted(self.members[batch]))
        more = self._costs[place] - self._costs[others]
        fits = (self._used[batch] + more <= self._limits.tokens) & (
            self._used[here] - more <= self._limits.tokens
        )
        others = others[fits]
        if not len(others):
            return -1, 0.0
        beside = np.array(sorted(self.members[here]))
        gains = gain + self._weights[np.ix_(beside, others)].sum(axis=0) - self._own[others]
        gains -= 2 * self._weights[place, others]
        at = int(np.argmax(gains))
        return int(others[at]), float(gains[at])

    def _move(self, place: int, target: int) -> None:
        source, weights = int(self._batch[place]), self._weights[place]
        self._own -= weights * (self._batch == source)
        self._own += weights * (self._batch == target)
        self._own[place] = weights[self._batch == target].sum()
        self._batch[place] = target
        self.members[source].discard(place)
        self.members[target].add(place)
        self._used[source] -= self._costs[place]
        self._used[target] += self._costs[place]


def leiden(weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return each candidate's community by modularity at resolution 1, seeded, (n,).

    Raises SettingsError: graspologic-native is not installed.
    """
    try:
        native = importlib.import_module("graspologic_native")
    except ModuleNotFoundError as error:
        raise SettingsError(
            "Leiden needs graspologic-native: install it with `pip install 'headcount[eval]'`"
        ) from error
    from scipy.sparse import csr_matrix

    alone, graph = len(weights), csr_matrix(weights)
    if not graph.nnz:
        return np.arange(alone, dtype=np.int64)
    arrays = graph.indptr.astype(np.int64), graph.indices.astype(np.int32), graph.data
    _, found = native.leiden_csr(*arrays, alone, seed=_SEED)
    # A candidate without edges is in no community: it is one of its own.
    return np.array([found.get(place, alone + place) for place in range(alone)], dtype=np.int64)


Method = Callable[[Candidates, Limits], list[list[int]]]
"""Puts every candidate into exactly one batch within the limits; returns chunk ids."""

_BOND = 0.3
"""What nearness in a document counts beside the cube of a cosine, where documents are counted."""


def semantic_batches(candidates: Candidates, limits: Limits) -> list[list[int]]:
    """Batch as the product does: algorithm 1 over the offline clusters, then refined."""
    packed = _packed(candidates, limits)
    if len(packed) < 2:
        return candidates.chunks(packed)
    weights = affinity(candidates, bond=_BOND if candidates.by_document else 0)
    return candidates.chunks(refine(packed, weights, limits.costs(candidates.tokens), limits))


def clustered_batches(
    labels: NDArray[np.integer], candidates: Candidates, limits: Limits
) -> list[list[int]]:
    """Make every cluster a batch; one above the limits is cut in document order."""
    costs = limits.costs(candidates.tokens)
    pieces = (in_order(members, costs, limits) for members in _clusters(labels))
    return candidates.chunks(chain.from_iterable(pieces))


METHODS: Mapping[str, Method] = {
    "ours": semantic_batches,
    "kmeans": lambda candidates, limits: clustered_batches(
        kmeans(candidates.features, _needed(candidates, limits)).labels, candidates, limits
    ),
    "gmm": lambda candidates, limits: clustered_batches(
        gaussian_mixture(candidates.features, _needed(candidates, limits)), candidates, limits
    ),
    "leiden": lambda candidates, limits: clustered_batches(
        leiden(affinity(candidates, bond=0)), candidates, limits
    ),
    "algorithm_1": lambda candidates, limits: candidates.chunks(_packed(candidates, limits)),
}
"""Ours, those that the paper compares with, each with as many clusters as full batches would do,
and its own."""


def _needed(candidates: Candidates, limits: Limits) -> int:
    """Return the batches that the limits ask for at least."""
    calls = math.ceil(int(limits.costs(candidates.tokens).sum()) / limits.tokens)
    if limits.passages is not None:
        calls = max(calls, math.ceil(len(candidates) / limits.passages))
    return max(1, calls)
