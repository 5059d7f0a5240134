"""The index scores as rank-bm25 does; one of rows that stay is the one written from nothing."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from tools.corpus.words.lexical import LexicalIndex, Run, build_lexical, count_words, write_lexical
from tools.corpus.words.lexicon import words

TEXTS = (
    "The tenant shall not compete. The tenant shall pay.",
    "Non-Compete: the landlord may not compete",
    "Rent is due; the rent is €900.",
    "...",
    "The the THE",
)


@pytest.fixture
def index(tmp_path: Path) -> LexicalIndex:
    return build_lexical(TEXTS, tmp_path / "lexical")


@pytest.mark.parametrize("texts", [[], ["", "..."]], ids=["no chunks", "no words"])
def test_an_index_without_words_scores_nothing(texts: list[str], tmp_path: Path) -> None:
    index = build_lexical(texts, tmp_path / "lexical")

    assert len(index) == 0
    assert index.bm25("rent").tolist() == [0.0] * len(texts)


_WORD = st.sampled_from(["ab", "cd", "ef", "gh", "Ij", "ü"])
_TEXT = st.lists(_WORD, max_size=8).map(" ".join)


@given(texts=st.lists(_TEXT, min_size=1, max_size=12), query=_TEXT)
@settings(deadline=None)
def test_scores_equal_rank_bm25(
    texts: list[str], query: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    tokens = [words(text) for text in texts]
    if not any(tokens):
        return
    index = build_lexical(texts, tmp_path_factory.mktemp("index") / "lexical")

    expected = BM25Okapi(tokens).get_scores(words(query))

    np.testing.assert_allclose(index.bm25(query), expected, rtol=1e-9, atol=1e-12)


def test_files_of_two_indexes_do_not_load(index: LexicalIndex, tmp_path: Path) -> None:
    build_lexical(["other words entirely"], tmp_path / "other")
    (tmp_path / "other" / "starts.npy").replace(tmp_path / "lexical" / "starts.npy")

    with pytest.raises(ValueError, match="belong together"):
        LexicalIndex(tmp_path / "lexical")


def check_same(one: Path, other: Path) -> None:
    assert pl.read_ipc(one / "vocabulary.arrow").equals(pl.read_ipc(other / "vocabulary.arrow"))
    for name in ("starts", "chunks", "counts", "lengths", "impacts", "impacts.kinds"):
        arrays = (np.load(each / f"{name}.npy") for each in (one, other))
        strict = name != "counts"  # as wide as the greatest count that was ever there
        np.testing.assert_array_equal(*arrays, err_msg=name, strict=strict)
    chunks = np.arange(len(np.load(one / "lengths.npy")))
    rows, others = (LexicalIndex(each).rows(chunks) for each in (one, other))
    for part in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(rows, part), getattr(others, part), err_msg=part)


_FORM = st.sampled_from(["ab", "cd", "ef", "gh", "ij", "ü", "rents", "rented"])
_OLD = st.lists(_FORM, max_size=6).map(" ".join)
_TEXTS = st.lists(_OLD, max_size=3)


@given(texts=_TEXTS, kept=st.sets(st.integers(0, 2)), new=_TEXTS)
@settings(deadline=None, max_examples=40)
def test_an_index_of_rows_that_stay_and_of_new_ones_is_that_of_their_texts(
    texts: list[str],
    kept: set[int],
    new: list[str],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    place = tmp_path_factory.mktemp("index")
    build_lexical(texts, place / "before")
    stay = [at for at in range(len(texts)) if at in kept]
    runs = [Run(place / "before", at, at + 1) for at in stay]
    write_lexical([*runs, Run(count_words(new), 0, len(new))], place / "now")
    build_lexical([*(texts[at] for at in stay), *new], place / "whole")

    check_same(place / "now", place / "whole")
