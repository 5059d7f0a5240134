import numpy as np
from scipy.sparse import csr_matrix

from tools.feedback.classifier import word_weights

STEMS = csr_matrix(np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float32))


def _rows(*rows: list[int]) -> csr_matrix:
    return csr_matrix(np.array(rows, dtype=np.float32))


def test_words_of_matches_weigh_more_than_words_of_others() -> None:
    weights = word_weights(_rows([1, 0, 0, 0]), _rows([0, 0, 1, 0], [0, 0, 1, 0]), STEMS)
    assert weights[0] > 0 > weights[2]


def test_a_word_never_seen_gains_from_its_stem() -> None:
    weights = word_weights(_rows([1, 0, 0, 0]), _rows([0, 0, 1, 0]), STEMS)
    assert weights[0] > weights[1] > 0


def test_a_word_unrelated_to_all_rows_weighs_nothing() -> None:
    assert word_weights(_rows([1, 0, 0, 0]), _rows([0, 0, 1, 0]), STEMS)[3] == 0
