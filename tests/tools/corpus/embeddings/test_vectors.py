import sys
from pathlib import Path

import numpy as np
import pytest

from tools.corpus.building.vectors_build import cluster, cluster_count, features
from tools.corpus.embeddings.vectors import Vectors, unit_rows
from tools.corpus.layout import Generation
from tools.corpus.words.lexical_build import build_lexical
from tools.filters.searchable import best

ROWS = unit_rows(np.random.default_rng(1).normal(size=(200, 8)))


@pytest.mark.parametrize("ids", [[], [7], [199, 0, 3], list(range(200))])
def test_similarities_of_chosen_chunks_are_those_of_all(ids: list[int]) -> None:
    vectors, query, chosen = Vectors(ROWS), ROWS[5], np.array(ids, dtype=np.int64)

    some = vectors.similarity(query, chosen)

    np.testing.assert_allclose(some, vectors.similarity(query)[chosen], atol=1e-6)
    np.testing.assert_array_equal(vectors.rows(chosen), ROWS[chosen])


@pytest.mark.parametrize(
    ("count", "least"), [(1, None), (9, None), (None, 0.9), (None, 2.0), (None, -1.0)]
)
@pytest.mark.parametrize("some", [slice(None), slice(1, None, 2), slice(0, 5), slice(0, 0)])
def test_all_that_can_be_nearest_are_within_reach(
    some: slice, count: int | None, least: float | None
) -> None:
    rows = np.concatenate([ROWS, ROWS[:7], ROWS[5:6], ROWS[5:6] + np.float32(1e-7)])
    vectors, query, chunks = Vectors(rows), ROWS[5], np.arange(len(rows))[some]

    near = vectors.reach(query, chunks, count=count, least=least)

    kept = best(chunks, vectors.similarity(query)[chunks], count=count, least=least)
    assert best(near, vectors.similarity(query, near), count=count, least=least) == kept


def test_what_is_too_far_to_be_nearest_is_not_within_reach() -> None:
    near = Vectors(ROWS).reach(ROWS[5], np.arange(len(ROWS)), count=8, least=None)

    assert len(near) == 8
    np.testing.assert_array_equal(near, np.sort(np.argsort(-(ROWS @ ROWS[5]))[:8]))


def test_vectors_are_mapped_as_saved(tmp_path: Path) -> None:
    np.save(tmp_path / "vectors.npy", ROWS)
    vectors = Vectors.load(Generation(tmp_path))

    assert (len(vectors), vectors.dimensions) == (200, 8)
    np.testing.assert_array_equal(vectors.rows(), ROWS)


def test_other_numbers_than_float32_rows_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "vectors.npy", np.zeros(3))

    with pytest.raises(ValueError, match="float32"):
        Vectors.load(Generation(tmp_path))


@pytest.mark.parametrize(("chunks", "k"), [(0, 1), (1, 1), (8, 2), (5000, 50), (10**7, 512)])
def test_the_number_of_clusters_grows_with_the_root_of_the_chunks(chunks: int, k: int) -> None:
    assert cluster_count(chunks) == k


def test_clusters_are_the_same_for_the_same_rows() -> None:
    labels = cluster(ROWS).labels

    assert labels.dtype == np.int32
    assert 0 <= labels.min() <= labels.max() < cluster_count(len(ROWS))
    np.testing.assert_array_equal(labels, cluster(ROWS).labels)


@pytest.mark.parametrize("rows", [np.ones((1, 4)), np.ones((50, 4)), np.zeros((50, 4))])
def test_equal_chunks_cluster_without_a_warning(rows: np.ndarray) -> None:
    assert len(set(cluster(unit_rows(rows)).labels.tolist())) == 1


def test_features_of_other_embedders_gain_words(tmp_path: Path) -> None:
    index = build_lexical(["rent is due", "a wheel file", "rent"], tmp_path / "lexical")
    rows = unit_rows(np.ones((3, 2)))

    assert features(rows, "lsa", index) is rows
    assert features(rows, "openai:small", index).shape[1] > 2


def test_above_a_sample_each_row_is_in_the_cluster_of_the_nearest_mean(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.modules["tools.corpus.building.vectors_build"], "_FITTED", 60)

    found = cluster(ROWS)

    apart = ((ROWS[:, None, :] - found.centroids[None]) ** 2).sum(axis=2)
    np.testing.assert_array_equal(found.labels, apart.argmin(axis=1))
    assert len(found.centroids) == cluster_count(len(ROWS))
