import numpy as np

from tools.corpus.corpus import Corpus
from tools.feedback.sentences import Sentences


def test_a_chunk_has_a_unit_row_for_each_sentence(corpus: Corpus) -> None:
    rows = Sentences(corpus).of(0)
    assert rows.shape == (2, len(corpus.lexical))
    assert np.allclose(rows.multiply(rows).sum(axis=1), 1)


def test_chunk_rows_are_of_unit_length_and_hold_the_words_of_the_index(corpus: Corpus) -> None:
    rows = Sentences(corpus).chunks
    assert rows.shape == corpus.lexical.matrix.shape
    assert np.allclose(rows.multiply(rows).sum(axis=1), 1, atol=1e-5)
    assert (rows.indices == corpus.lexical.matrix.indices).all()


def test_unknown_words_give_no_row(corpus: Corpus) -> None:
    assert Sentences(corpus).rows("zzz. qqq").shape[0] == 0


def test_a_word_form_has_one_stem_shared_with_its_inflections(corpus: Corpus) -> None:
    stems = Sentences(corpus).stems
    keep, keeps = (corpus.lexical.column(word) for word in ("keep", "keeps"))
    assert stems[keep].indices == stems[keeps].indices
    assert (stems.sum(axis=1) == 1).all()


def test_rows_of_a_chunk_are_the_same_whether_cached_or_not(corpus: Corpus) -> None:
    rows = Sentences(corpus)
    assert (rows.of(3) != rows.rows(corpus.chunk_text(3))).nnz == 0
    assert rows.of(3) is rows.of(3)
