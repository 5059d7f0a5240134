"""The directions along which sparse rows differ most: a truncated SVD.

Randomized (Halko, Martinsson and Tropp 2011, algorithm 4.4), with ten directions more than asked.
Few rows are left to scikit-learn. Of many, the dense factors are tall: they are made orthonormal
by their Gram matrix, in a fraction of the time of LU, QR and SVD. It squares their condition
number, so that it is done after each product. The sparse products are shared among the cores by
rows, which changes no sum.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.corpus.processes.threads import in_turn

__all__ = ("principal_directions",)

_FEW = 20_000
_MORE = 10
_POWERS = 5
_BLOCK = 4_096
_SEED = 0

_Dense = NDArray[np.float32]


def principal_directions(rows: Any, dimensions: int) -> _Dense:
    """Return the right singular vectors of a CSR matrix (n, w), largest first, (dimensions, w).

    A direction that many rows do not have is a row of zeros.
    """
    if rows.shape[0] > _FEW:
        return _of_many(rows, dimensions)
    from sklearn.utils.extmath import randomized_svd

    _, _, components = randomized_svd(rows, dimensions, n_iter=_POWERS, random_state=_SEED)
    return np.ascontiguousarray(components, dtype=np.float32)


def _of_many(rows: Any, dimensions: int) -> _Dense:
    from threadpoolctl import threadpool_limits

    down, across = _blocks(rows), _blocks(rows.T.tocsr())
    shape = (rows.shape[1], min(dimensions + _MORE, *rows.shape))
    drawn = np.random.default_rng(_SEED).standard_normal(shape, dtype=np.float32)
    with threadpool_limits(1, user_api="blas"):  # the threads are ours
        spanned = _spanned(down, drawn)
        for _ in range(_POWERS):
            spanned = _spanned(down, _spanned(across, spanned))
        found = _spanned(across, spanned)[:, :dimensions].T
    strongest = np.abs(found).argmax(axis=1)[:, None]
    return np.ascontiguousarray(found * np.sign(np.take_along_axis(found, strongest, axis=1)))


def _blocks(matrix: Any) -> list[Any]:
    return [matrix[first : first + _BLOCK] for first in range(0, matrix.shape[0], _BLOCK)]


def _spanned(blocks: list[Any], dense: _Dense) -> _Dense:
    """Return the left singular vectors of a product, largest first, (m, k).

    Args:
        blocks: a CSR matrix in blocks of rows, (m, w).
        dense: what it is multiplied by, (w, k).
    """

    def multiplied(block: Any) -> tuple[_Dense, _Dense]:
        made: _Dense = block @ dense
        return made, made.T @ made

    parts = list(in_turn(multiplied, blocks))
    turns = _turns(np.sum([gram for _, gram in parts], axis=0, dtype=np.float64))
    return np.concatenate(list(in_turn(lambda part: part[0] @ turns, parts)))


def _turns(gram: NDArray[np.float64]) -> _Dense:
    """Return what makes columns of this Gram matrix (k, k) orthonormal, largest first, (k, k)."""
    squares, turns = np.linalg.eigh(gram)
    squares, turns = squares[::-1], turns[:, ::-1]
    had = squares > np.finfo(np.float32).eps * len(squares) * squares[0]
    return (turns * np.where(had, 1 / np.sqrt(np.where(had, squares, 1)), 0)).astype(np.float32)
