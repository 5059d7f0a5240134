import numpy as np

from tools.clustering import kmeans


def test_clusters_are_numbered_by_their_first_member_and_no_more_than_different_vectors():
    vectors = np.array([[9.0], [0.0], [9.1], [0.1], [5.0]])
    assert kmeans(vectors, 3).labels.tolist() == [0, 1, 0, 1, 2]
    found = kmeans(np.array([[1.0], [2.0], [1.0]]), 3)
    assert (len(found.centroids), [each.tolist() for each in found.members]) == (2, [[0, 2], [1]])
    assert len(kmeans(np.zeros((0, 3)), 2).centroids) == 0
