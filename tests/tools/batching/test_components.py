"""Leaving a part of batching out leaves that part out, and nothing else."""

from collections.abc import Collection
from typing import get_args

import numpy as np
import pytest

from agent.policy import BatchingPart
from tools.batching import Candidates, Limits, batches_without, semantic_batches
from tools.batching.candidates import Part

LIMITS = Limits(60)


def candidates(parts: Collection[Part]) -> Candidates:
    """Thirty chunks whose words and embeddings disagree about what is alike."""
    draw = np.random.default_rng(5)
    blocks = {part: np.eye(6)[draw.integers(0, 6, 30)] for part in get_args(Part)}
    rows = np.hstack([blocks[part] for part in parts]).astype(np.float32)
    return Candidates(
        ids=np.arange(30, dtype=np.int64),
        tokens=draw.integers(5, 20, 30),
        features=rows / np.linalg.norm(rows, axis=1, keepdims=True),
        clusters=draw.integers(0, 5, 30),
        documents=np.arange(30, dtype=np.int64) // 3,
    )


class Featured:
    """Gives the candidates and remembers which features were wanted."""

    def __init__(self) -> None:
        self.parts: list[Part] = []

    def __call__(self, *, parts: Collection[Part]) -> Candidates:
        self.parts = list(parts)
        return candidates(parts)


@pytest.mark.parametrize("part", get_args(BatchingPart))
def test_each_part_is_worth_something_and_no_candidate_is_lost(part: BatchingPart) -> None:
    left, whole = (batches_without(each, Featured(), LIMITS) for each in (part, None))
    assert left != whole
    assert sorted(chunk for batch in left for chunk in batch) == list(range(30))


@pytest.mark.parametrize(
    ("part", "used"),
    [("tf-idf", ["embedding"]), ("embedding", ["tf-idf"]), ("greedy-batching", [*get_args(Part)])],
)
def test_the_features_are_those_that_are_left(part: BatchingPart, used: list[Part]) -> None:
    featured = Featured()
    batches_without(part, featured, LIMITS)
    assert featured.parts == used


def test_without_greedy_batching_clusters_never_share_a_batch() -> None:
    clusters = candidates(get_args(Part)).clusters
    for batch in batches_without("greedy-batching", Featured(), LIMITS):
        assert len({int(clusters[chunk]) for chunk in batch}) == 1


def test_with_all_parts_it_is_the_products_batching() -> None:
    whole = semantic_batches(candidates(get_args(Part)), LIMITS)
    assert batches_without(None, Featured(), LIMITS) == whole
