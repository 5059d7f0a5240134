from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from tools.corpus.words.lexical import LexicalIndex
from tools.corpus.words.lexical_build import build_lexical
from tools.corpus.words.tokenizer import words

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
        LexicalIndex.load(tmp_path / "lexical")
