"""LC and CP count calls and pairs between them."""

import numpy as np

from tools.batching import candidate_pairs, llm_calls, similar_pairs


def test_calls_and_cross_batch_pairs_are_counted() -> None:
    batches = [[0, 1], [], [2, 3]]
    assert llm_calls(batches) == 2
    assert candidate_pairs(batches, [(0, 1), (0, 2), (1, 3), (2, 3), (2, 9)]) == 2


def test_similar_pairs_equal_a_double_loop() -> None:
    rows = np.random.default_rng(1).normal(size=(40, 3))
    rows[7] = 0
    unit = [row / (np.linalg.norm(row) or 1) for row in rows]
    ids = list(range(3, 40, 2))
    expected = [(a, b) for a in ids for b in ids if a < b and unit[a] @ unit[b] >= 0.5]
    assert similar_pairs(ids, rows) == expected
