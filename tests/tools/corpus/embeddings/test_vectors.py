import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.corpus.building.vectors_build import cluster, cluster_count
from tools.corpus.embeddings import vectors as module
from tools.corpus.embeddings.vectors import Vectors, unit_rows

ROWS = unit_rows(np.random.default_rng(1).normal(size=(200, 8)))


@pytest.mark.parametrize("some", [slice(None), slice(1, None, 2), slice(0, 5), slice(0, 0)])
def test_a_cosine_is_the_same_bit_by_bit_whichever_chunks_are_asked(some: slice) -> None:
    rows = np.concatenate([ROWS, ROWS[:7], ROWS[5:6], ROWS[5:6] + np.float32(1e-7)])
    vectors, query, chunks = Vectors(rows), ROWS[5], np.arange(len(rows))[some]
    cosines = vectors.similarity(query)
    np.testing.assert_array_equal(vectors.similarity(query, chunks), cosines[chunks])
    np.testing.assert_array_equal(cosines[200:207], cosines[:7])
    np.testing.assert_allclose(cosines, rows.astype(float) @ query.astype(float), atol=1e-6)


@pytest.mark.parametrize("rows", [np.ones((1, 4)), np.ones((50, 4)), np.zeros((50, 4))])
def test_equal_chunks_cluster_without_a_warning(rows: np.ndarray) -> None:
    assert len(set(cluster(unit_rows(rows)).labels.tolist())) == 1


def test_above_a_sample_each_row_is_in_the_cluster_of_the_nearest_mean(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.modules["tools.corpus.building.vectors_build"], "_FITTED", 60)

    found = cluster(ROWS)

    apart = ((ROWS[:, None, :] - found.centroids[None]) ** 2).sum(axis=2)
    np.testing.assert_array_equal(found.labels, apart.argmin(axis=1))
    assert len(found.centroids) == cluster_count(len(ROWS))


MANY = unit_rows(np.random.default_rng(7).normal(size=(1200, 16)))


def test_many_threads_may_ask_a_collection_that_is_not_built_yet() -> None:
    vectors = Vectors(MANY)

    def ask(number: int) -> list[int]:
        return [chunk for chunk, _ in vectors.nearest(MANY[number], 3)]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(16)))
    assert [chunks[0] for chunks in found] == list(range(16))


_ROW = st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), min_size=3, max_size=3)


@settings(max_examples=60)
@given(st.lists(_ROW, max_size=40), _ROW, st.integers(0, 50))
def test_a_large_corpus_is_ranked_as_naively(
    rows: list[list[float]], asked: list[float], n: int
) -> None:
    vectors = Vectors(unit_rows(np.array(rows).reshape(-1, 3)))
    query = unit_rows(np.array([asked]))[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_INDEXED", 0)
        found = vectors.nearest(query, n)

    cosines = np.round(vectors.rows().astype(np.float64) @ query.astype(np.float64), 6)
    assert [chunk for chunk, _ in found] == np.lexsort((range(len(rows)), -cosines))[:n].tolist()
    assert all(abs(cosine - cosines[chunk]) <= 1e-6 for chunk, cosine in found)
