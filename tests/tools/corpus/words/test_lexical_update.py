"""An index brought up to date is, file for file, the one written from nothing."""

import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.tools.corpus.conftest import write
from tools.corpus.build import build
from tools.corpus.storage.layout import CorpusLayout
from tools.corpus.words import merged_postings
from tools.corpus.words.counts import InMemory, Run, count_words
from tools.corpus.words.lexical_build import build_lexical
from tools.corpus.words.lexical_update import LexicalUpdate, updatable

BUILD = sys.modules["tools.corpus.build"]
ARRAYS = (
    *("starts", "chunks", "counts", "lengths", "rows.starts", "rows.words", "rows.counts"),
    *("impacts", "impacts.kinds"),
)
_COUNTS = ("counts", "rows.counts")
"""Their type is as wide as the greatest count that was ever there."""


def check_same(one: Path, other: Path) -> None:
    assert {file.name for file in one.iterdir()} == {file.name for file in other.iterdir()}
    assert pl.read_ipc(one / "vocabulary.arrow").equals(pl.read_ipc(other / "vocabulary.arrow"))
    for name in ARRAYS:
        arrays = (np.load(each / f"{name}.npy") for each in (one, other))
        np.testing.assert_array_equal(*arrays, err_msg=name, strict=name not in _COUNTS)


_WORD = st.sampled_from(["ab", "cd", "ef", "gh", "ij", "ü", "rents", "rented"])
_TEXT = st.lists(_WORD, max_size=6).map(" ".join)
_TEXTS = st.lists(_TEXT, max_size=3)


@given(
    first=_TEXTS,
    chunks=st.lists(st.tuples(_TEXT, st.booleans(), _TEXTS), max_size=6),
)
@settings(deadline=None, max_examples=30)
def test_an_updated_index_is_that_of_its_texts(
    first: list[str],
    chunks: list[tuple[str, bool, list[str]]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    assume(any(stays for _, stays, _ in chunks))
    place = tmp_path_factory.mktemp("index")
    old = InMemory(build_lexical([text for text, *_ in chunks], place / "old").counted)
    new = [*first, *(text for *_, behind in chunks for text in behind)]
    fresh = InMemory(count_words(new))
    runs, places, texts = [Run(fresh, 0, len(first))], [-1] * len(first), [*first]
    done = len(first)
    for number, (text, stays, behind) in enumerate(chunks):
        runs += [Run(old, number, number + stays), Run(fresh, done, done + len(behind))]
        places += [number] * stays + [-1] * len(behind)
        texts += [text] * stays + behind
        done += len(behind)
    build_lexical(texts, place / "whole")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(merged_postings, "_BLOCK", 3)
        update = LexicalUpdate.of(place / "old", np.array(places, np.int64), runs)
        update.save(place / "updated")

    check_same(place / "updated", place / "whole")


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
    monkeypatch.setattr("tools.corpus.words.lexical_update._MOST", 2)

    assert updatable(np.array(places, np.int64)) == found


def test_a_corpus_brought_up_to_date_has_the_words_of_one_built_anew(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "x.corpus"
    build([write(folder, {"b.txt": "Rents fell.", "d.txt": "Lamps."})], place)
    (folder / "d.txt").unlink()
    (folder / "b.txt").rename(folder / "zz.txt")
    write(folder, {"a.txt": "", "lease.txt": "A lease, changed. " * 300, "new.txt": "Renting."})

    with monkeypatch.context() as patched:
        patched.delattr(BUILD, "write_lexical")
        build([folder], place)
    build([folder], tmp_path / "anew.corpus")

    one, other = (CorpusLayout(each).generation() for each in (place, tmp_path / "anew.corpus"))
    assert one is not None
    assert other is not None
    check_same(one.lexical, other.lexical)
