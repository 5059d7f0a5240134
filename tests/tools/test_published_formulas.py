"""Published formulas, computed once more from the papers' text in plain Python, and compared."""

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tools.clustering import kmeans
from tools.packing import METHODS, Candidates, Limits
from tools.retrieval import (
    ETA,
    RELEVANT,
    dispersion,
    reciprocal_rank_fusion,
    relevant_clusters,
    separability,
)

Vector = Sequence[float]
drawn = st.builds(
    lambda n, seed: np.random.default_rng(seed).normal(size=(n, 4)),
    st.integers(4, 14),
    st.integers(0, 9999),
)


def unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def mean(rows: Sequence[Vector], weights: Vector | None = None) -> list[float]:
    each = [1.0] * len(rows) if weights is None else weights
    return [
        sum(w * x for w, x in zip(each, column, strict=True)) / sum(each)
        for column in zip(*rows, strict=True)
    ]


def cosine(a: Vector, b: Vector) -> float:
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    return dot / math.hypot(*a) / math.hypot(*b)


@settings(max_examples=30)
@given(drawn)
def test_adf_equations_1_and_2_dispersion_and_separability(rows: NDArray[np.float64]) -> None:
    vectors = [each.tolist() for each in unit(rows)]
    centre = mean(vectors)
    assert dispersion(unit(rows)) == pytest.approx(
        sum(math.dist(each, centre) ** 2 for each in vectors) / len(vectors)
    )
    labels = kmeans(unit(rows), 2).labels.tolist()
    silhouettes = []
    for at, each in enumerate(vectors):
        apart = defaultdict(list)
        for other, vector in enumerate(vectors):
            if other != at:
                apart[labels[other]].append(math.dist(each, vector))
        own, others = apart.pop(labels[at], []), [sum(d) / len(d) for d in apart.values()]
        a, b = sum(own) / len(own) if own else 0.0, min(others)
        silhouettes.append((b - a) / max(a, b) if own else 0.0)  # alone: 0 (Rousseeuw 1987)
    assert separability(unit(rows)) == pytest.approx(sum(silhouettes) / len(vectors))


@settings(max_examples=30)
@given(drawn)
def test_adf_equations_4_and_5_clusters_near_enough_to_the_query(rows: NDArray[np.float64]) -> None:
    query, *rest = unit(rows)
    vectors = np.array(rest)
    count = min(max(2, math.floor(len(vectors) / 2)), 4)
    members = defaultdict(list)
    for row, label in enumerate(kmeans(vectors, count).labels.tolist()):
        members[label].append(row)
    near = {
        tuple(own): cosine(query.tolist(), mean([vectors[row].tolist() for row in own]))
        for own in members.values()
    }
    valid = sorted((own for own, told in near.items() if told >= RELEVANT), key=lambda o: -near[o])
    assert [tuple(each.tolist()) for each in relevant_clusters(query, vectors)] == valid


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), max_size=4))
def test_adf_equation_6_reciprocal_rank_fusion(rankings: list[list[str]]) -> None:
    scores = {
        each: sum(1 / (ETA + own.index(each) + 1) for own in rankings if each in own)
        for each in {item for own in rankings for item in own}
    }
    fused = reciprocal_rank_fusion(rankings)
    assert dict(fused) == pytest.approx(scores)
    assert [score for _, score in fused] == sorted(scores.values(), reverse=True)


def published(
    clusters: Sequence[Sequence[int]], tokens: Vector, rows: Sequence[Vector], most: int
) -> list[list[int]]:
    """Batch by algorithm 1 with λ = .8, the largest cluster first; returns the batches' places."""

    def size(batch: Sequence[int]) -> float:
        return sum(tokens[each] for each in batch)

    batches: list[list[int]] = []
    centroids: list[list[float]] = []
    for cluster in sorted(clusters, key=lambda own: (-size(own), own[0])):
        centroid = mean([rows[each] for each in cluster], [tokens[each] for each in cluster])
        scores = {
            0.8 * cosine(centroid, centroids[at]) + 0.2 * (size(own) + size(cluster)) / most: at
            for at, own in enumerate(batches)
            if size(own) + size(cluster) <= most
        }
        if scores:  # lines 9 to 14
            at = scores[max(scores)]
            both = [size(batches[at]), size(cluster)]
            centroids[at] = mean([centroids[at], centroid], both)
            batches[at] = [*batches[at], *cluster]
            continue
        first = True
        for each in cluster:  # lines 3 to 6, 15 and 16
            if first or size(batches[-1]) + tokens[each] > most:
                batches, centroids, first = [*batches, []], [*centroids, centroid], False
            batches[-1].append(each)
    return batches


@settings(max_examples=60)
@given(drawn, st.data())
def test_dfa_algorithm_1_with_equations_5_and_6(
    rows: NDArray[np.float64], data: st.DataObject
) -> None:
    count, most = len(rows), data.draw(st.integers(20, 60))
    tokens = data.draw(st.lists(st.integers(1, 20), min_size=count, max_size=count))
    labels = data.draw(st.lists(st.integers(0, 4), min_size=count, max_size=count))
    candidates = Candidates(
        ids=np.arange(count),
        tokens=np.array(tokens),
        features=rows,
        clusters=np.array(labels),
        documents=np.arange(count),
    )
    clusters = [[at for at in range(count) if labels[at] == each] for each in sorted({*labels})]
    expected = published(clusters, tokens, rows.tolist(), most)
    assert {*map(frozenset, METHODS["algorithm_1"](candidates, Limits(most)))} == {
        *map(frozenset, expected)
    }
