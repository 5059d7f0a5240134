import numpy as np
import pytest
from scipy.sparse import csr_matrix, random_array

from tools.corpus.embeddings import lsa
from tools.corpus.embeddings.lsa import principal_directions


@pytest.fixture(autouse=True)
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take any rows for many, in blocks that do not come out even."""
    monkeypatch.setattr(lsa, "_FEW", 0)
    monkeypatch.setattr(lsa, "_BLOCK", 37)


def test_many_rows_are_caught_as_well_as_by_a_whole_decomposition() -> None:
    drawn = random_array((300, 120), density=0.1, rng=np.random.default_rng(1), dtype=np.float32)
    rows = csr_matrix(drawn * np.geomspace(1, 0.01, 120, dtype=np.float32))

    found = principal_directions(rows, 12)

    exact = np.linalg.svd(rows.toarray(), compute_uv=False)
    assert np.allclose(found @ found.T, np.eye(12), atol=1e-4)
    assert np.linalg.norm(rows @ found.T) ** 2 > 0.9999 * (exact[:12] ** 2).sum()
    assert np.allclose(np.linalg.norm(rows @ found.T, axis=0), exact[:12], rtol=1e-3)
    assert (found[np.arange(12), np.abs(found).argmax(axis=1)] > 0).all()


def test_directions_that_the_rows_do_not_have_are_zero() -> None:
    rows = csr_matrix(np.outer(np.arange(1, 101), [3, 4, 0, 0]).astype(np.float32))

    found = principal_directions(rows, 3)

    assert np.allclose(found, [[0.6, 0.8, 0, 0], [0] * 4, [0] * 4], atol=1e-5)
