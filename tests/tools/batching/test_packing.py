"""Batches hold every candidate exactly once, keep to the limit and prefer likeness and full use."""

from collections.abc import Sequence

import numpy as np

from tools.batching.batch_candidates import Limits
from tools.batching.packing import greedy_batches

AXES = np.eye(4, dtype=np.float32)


def packed(
    clusters: Sequence[Sequence[int]],
    tokens: Sequence[int],
    axes: Sequence[int],
    limit: int,
) -> list[list[int]]:
    return greedy_batches(clusters, np.asarray(tokens), AXES[list(axes)], limits=Limits(limit))


def test_a_small_cluster_joins_the_likest_batch_that_has_room() -> None:
    batches = packed([[0], [1], [2], [3]], [6, 6, 3, 3], [0, 1, 1, 0], 10)
    assert batches == [[0, 3], [1, 2]]
