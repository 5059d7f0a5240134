import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tools.clustering import kmeans

rows = st.integers(0, 12).flatmap(
    lambda n: arrays(np.float64, (n, 3), elements=st.sampled_from([-1.0, 0.0, 0.5, 1.0]))
)


@settings(max_examples=40)
@given(rows, st.integers(1, 5))
def test_every_vector_is_in_one_cluster_and_none_is_empty(vectors, k):
    found = kmeans(vectors, k)
    assert len(found.labels) == len(vectors)
    assert len(found.centroids) == min(k, len(np.unique(vectors, axis=0)))
    assert sorted(np.concatenate([*found.members, []]).tolist()) == list(range(len(vectors)))
    assert all(len(each) for each in found.members)
    for members, centroid in zip(found.members, found.centroids, strict=True):
        np.testing.assert_allclose(vectors[members].mean(axis=0), centroid)


def test_clusters_are_numbered_by_their_first_member():
    vectors = np.array([[9.0], [0.0], [9.1], [0.1], [5.0]])
    assert kmeans(vectors, 3).labels.tolist() == [0, 1, 0, 1, 2]
