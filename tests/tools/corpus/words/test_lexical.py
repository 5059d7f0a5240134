"""The index scores as rank-bm25 does; one brought up to date is the one written from nothing."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from tools.corpus.words import lexical
from tools.corpus.words.counts import Counts, Run, count_words
from tools.corpus.words.lexical import LexicalIndex, LexicalUpdate, build_lexical, updatable
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


ARRAYS = (*("starts", "chunks", "counts", "lengths", "impacts", "impacts.kinds"),)
_COUNTS = "counts"
"""Their type is as wide as the greatest count that was ever there."""


def check_same(one: Path, other: Path) -> None:
    assert pl.read_ipc(one / "vocabulary.arrow").equals(pl.read_ipc(other / "vocabulary.arrow"))
    for name in ARRAYS:
        arrays = (np.load(each / f"{name}.npy") for each in (one, other))
        np.testing.assert_array_equal(*arrays, err_msg=name, strict=name != _COUNTS)
    chunks = np.arange(len(np.load(one / "lengths.npy")))
    rows, others = (LexicalIndex.load(each).rows(chunks) for each in (one, other))
    for part in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(rows, part), getattr(others, part), err_msg=part)


_FORM = st.sampled_from(["ab", "cd", "ef", "gh", "ij", "ü", "rents", "rented"])
_OLD = st.lists(_FORM, max_size=6).map(" ".join)
_TEXTS = st.lists(_OLD, max_size=3)


def updated(
    before: Path, place: Path, texts: list[str], kept: list[bool], new: list[str]
) -> list[str]:
    """Drop the chunks that are not kept, put the new ones between the others; return all texts."""
    old, fresh = Counts.load(before), count_words(new)
    runs, places, now = [], [], []
    for number in range(max(len(texts), len(new))):
        if number < len(new):
            runs.append(Run(fresh, number, number + 1))
            places.append(-1)
            now.append(new[number])
        if number < len(texts) and kept[number]:
            runs.append(Run(old, number, number + 1))
            places.append(number)
            now.append(texts[number])
    LexicalUpdate(before, np.array(places, np.int64), runs).save(place)
    return now


@pytest.mark.slow
@given(
    texts=st.lists(_OLD, min_size=1, max_size=8),
    rounds=st.lists(st.tuples(st.integers(0), _TEXTS), min_size=1, max_size=3),
    tail=st.sampled_from([b"", b"left by a build that was killed"]),
)
@settings(deadline=None, max_examples=40)
def test_an_index_updated_again_and_again_is_that_of_its_texts(
    texts: list[str],
    rounds: list[tuple[int, list[str]]],
    tail: bytes,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    place = tmp_path_factory.mktemp("index")
    build_lexical(texts, place / "0")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(lexical, "_MERGED_AT_ONCE", 3)
        for number, (gone, new) in enumerate(rounds):
            with (place / str(number) / "rows.words.npy").open("ab") as file:
                file.write(tail)
            kept = [each != gone % (len(texts) + 1) for each in range(len(texts))]
            assume(any(kept))
            texts = updated(place / str(number), place / str(number + 1), texts, kept, new)
    build_lexical(texts, place / "whole")

    check_same(place / str(len(rounds)), place / "whole")


@pytest.mark.parametrize(
    ("places", "found"),
    [
        ([0, -1, 2, 3], True),
        ([2, -1, 0], False),
        ([0, 1, 1], False),
        ([-1, -1], False),
        ([], False),
        ([0, -1, -1, -1], False),
    ],
    ids=["in order", "another order", "twice", "nothing kept", "nothing", "too many new"],
)
def test_only_kept_chunks_in_their_order_are_updated(
    places: list[int], found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.corpus.words.lexical._MOST", 2)

    assert updatable(np.array(places, np.int64)) == found
