"""A word-weight classifier: logistic regression on words and their stems together."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ("word_weights",)

_SEED = 0


def word_weights(matches: Any, others: Any, stems: Any) -> NDArray[np.float32]:
    """Return a weight for each word form, (V,), so that `rows @ weights` orders by likeness.

    The features of a row x are x ⊕ x·S, with S the stems: a word counts as itself and as its
    stem. The model w ⊕ w′ over them is linear in the words, hence folds into w + S·w′, and
    scoring is one sparse product whatever the number of chunks. Both classes have the same total
    weight (Cormack and Grossman, AutoTAR, arXiv:1504.06868, with L2 in place of an SVM).

    Args:
        matches: rows of what was found, CSR (n, V), at least one.
        others: rows of what is not, or is presumed not, wanted, CSR (m, V), at least one.
        stems: the stem of each word form, CSR (V, stems).
    """
    from scipy.sparse import hstack, vstack
    from sklearn.linear_model import LogisticRegression

    rows = vstack([matches, others]).tocsr()
    features = hstack([rows, rows @ stems]).tocsr()
    used = np.unique(features.indices)
    truth = np.arange(rows.shape[0]) < matches.shape[0]
    model = LogisticRegression(
        solver="liblinear", class_weight="balanced", max_iter=1000, random_state=_SEED
    )
    model.fit(features[:, used], truth)
    weights = np.zeros(features.shape[1], dtype=np.float32)
    weights[used] = model.coef_[0]
    folded: NDArray[np.float32] = weights[: stems.shape[0]] + stems @ weights[stems.shape[0] :]
    return folded
