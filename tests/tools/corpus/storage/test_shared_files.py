"""Texts and vectors that stay where they are when documents change."""

import os
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from agent.errors import CorpusDamaged
from tests.tools.corpus.conftest import write
from tools.corpus import mapped_files as shared_file
from tools.corpus.build import build
from tools.corpus.building import vectors_build as embed
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.embeddings.vectors import Vectors
from tools.corpus.layout import CorpusLayout, Generation
from tools.filters.exact import ExactArguments
from tools.filters.registry import LocalEngine
from tools.filters.searchable import bitmap

_WORDS = ["rent", "tenant", "wheel", "tag", "lease", "August", "platform", "file", "first", "pays"]


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sixty documents, and a space that is kept as if they were many."""
    monkeypatch.setattr(embed, "_SMALL", 10)
    monkeypatch.setattr(embed, "_DRIFT", 0.5)
    draw = random.Random(3)
    documents = {
        f"{number:02}.txt": " ".join(draw.choices(_WORDS, k=40)) + f" é{number}"
        for number in range(60)
    }
    return write(tmp_path / "many", documents)


def _generation(corpus: Path) -> Generation:
    generation = CorpusLayout(corpus).generation()
    assert generation is not None
    return generation


def _change(folder: Path) -> None:
    (folder / "07.txt").write_text("Another wheel ☸ of the tenant.", encoding="utf-8")
    (folder / "31.txt").unlink()
    (folder / "055.txt").write_text("A new lease, the first of August.", encoding="utf-8")


def _told(corpus: Corpus) -> list[object]:
    texts = [corpus.document_text(place) for place in range(len(corpus.documents))]
    chunks = [corpus.chunk_text(chunk) for chunk in range(len(corpus))]
    phrase = ExactArguments(phrase="tenant")
    found = LocalEngine(corpus).keep(phrase, bitmap(np.arange(len(corpus))))
    return [corpus.documents, texts, chunks, corpus.texts.to_list(), list(found)]


def test_a_changed_corpus_tells_what_one_from_nothing_tells(many: Path, tmp_path: Path) -> None:
    build([many], tmp_path / "x.corpus")
    for _ in range(2):
        _change(many)
        build([many], tmp_path / "x.corpus")
        (many / "31.txt").write_text("It is back.", encoding="utf-8")
    build([many], tmp_path / "x.corpus")
    build([many], tmp_path / "whole.corpus")

    now, whole = open_corpus(tmp_path / "x.corpus"), open_corpus(tmp_path / "whole.corpus")

    assert _told(now) == _told(whole)
    old = [place for place, name in enumerate(now.documents) if name not in ("07", "055", "31")]
    chunks = np.concatenate([np.asarray(now.chunks_of(place)) for place in old])
    query = now.vectors.rows(chunks[:1])[0]
    np.testing.assert_allclose(
        now.vectors.rows(chunks) @ query, now.vectors.similarity(query, chunks), atol=1e-6
    )


def test_what_did_not_change_stays_in_its_file(many: Path, tmp_path: Path) -> None:
    build([many], tmp_path / "x.corpus")
    before = _generation(tmp_path / "x.corpus")
    held = {
        file.name: (file.stat().st_ino, file.read_bytes()) for file in (before.text, before.vectors)
    }
    old = open_corpus(tmp_path / "x.corpus")
    rows, told = old.vectors.rows().copy(), _told(old)

    _change(many)
    build([many], tmp_path / "x.corpus")

    after = _generation(tmp_path / "x.corpus")
    for file in (after.text, after.vectors):
        inode, content = held[file.name]
        assert file.stat().st_ino == inode
        assert file.read_bytes()[: len(content)] == content
    assert _told(old) == told
    np.testing.assert_array_equal(old.vectors.rows(), rows)


def test_rows_of_kept_chunks_are_those_of_before(many: Path, tmp_path: Path) -> None:
    build([many], tmp_path / "x.corpus")
    old = open_corpus(tmp_path / "x.corpus")
    rows = dict(zip(old.texts.to_list(), old.vectors.rows().tolist(), strict=True))

    _change(many)
    build([many], tmp_path / "x.corpus")

    now = open_corpus(tmp_path / "x.corpus")
    kept = [chunk for chunk, text in enumerate(now.texts) if text in rows]
    assert len(kept) == 58
    np.testing.assert_array_equal(
        now.vectors.rows(np.asarray(kept)), [rows[now.texts[chunk]] for chunk in kept]
    )
    np.testing.assert_array_equal(now.vectors.rows()[kept], now.vectors.rows(np.asarray(kept)))


def test_what_a_killed_build_wrote_behind_is_no_part_of_the_next(
    many: Path, tmp_path: Path
) -> None:
    build([many], tmp_path / "x.corpus")
    generation = _generation(tmp_path / "x.corpus")
    for file in (generation.text, generation.vectors):
        with file.open("ab") as opened:
            opened.write(b"\xff\xfe\xfd")
    told = _told(open_corpus(tmp_path / "x.corpus"))

    _change(many)
    build([many], tmp_path / "x.corpus")
    (many / "055.txt").unlink()
    build([many], tmp_path / "x.corpus")

    build([many], tmp_path / "whole.corpus")
    now = open_corpus(tmp_path / "x.corpus")
    assert _told(now) == _told(open_corpus(tmp_path / "whole.corpus")) != told
    np.testing.assert_allclose(np.linalg.norm(now.vectors.rows(), axis=1), 1, atol=1e-5)


def test_a_file_of_which_much_is_gone_is_written_anew(many: Path, tmp_path: Path) -> None:
    build([many], tmp_path / "x.corpus")
    before = _generation(tmp_path / "x.corpus").text.stat()

    for number in range(30):
        (many / f"{number:02}.txt").unlink()
    build([many], tmp_path / "x.corpus")

    after = _generation(tmp_path / "x.corpus")
    assert after.text.stat().st_size < 0.6 * before.st_size
    assert not after.slots.exists()
    assert len(open_corpus(tmp_path / "x.corpus").vectors) == 30


def test_without_hard_links_what_stays_is_copied(
    many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build([many], tmp_path / "x.corpus")

    def refused(*_: object) -> None:
        raise OSError("no hard links here")

    _change(many)
    with monkeypatch.context() as patched:
        patched.setattr(os, "link", refused)
        build([many], tmp_path / "x.corpus")

    build([many], tmp_path / "whole.corpus")
    told = _told(open_corpus(tmp_path / "x.corpus"))
    assert told == _told(open_corpus(tmp_path / "whole.corpus"))


def test_a_copy_made_by_hard_links_is_not_written_behind(many: Path, tmp_path: Path) -> None:
    build([many], tmp_path / "x.corpus")
    shutil.copytree(tmp_path / "x.corpus", tmp_path / "copy.corpus", copy_function=os.link)
    files = sorted(each for each in (tmp_path / "copy.corpus").rglob("*") if each.is_file())
    before = [file.read_bytes() for file in files]

    _change(many)
    build([many], tmp_path / "x.corpus")

    kept = [place for place, file in enumerate(files) if file.name != "lock"]
    assert all(files[place].read_bytes() == before[place] for place in kept)
    build([many], tmp_path / "copy.corpus")
    told = _told(open_corpus(tmp_path / "x.corpus"))
    assert told == _told(open_corpus(tmp_path / "copy.corpus"))


def test_slots_that_are_gone_are_noticed(many: Path, tmp_path: Path) -> None:
    build([many], tmp_path / "x.corpus")
    _change(many)
    build([many], tmp_path / "x.corpus")
    _generation(tmp_path / "x.corpus").slots.unlink()

    with pytest.raises(CorpusDamaged, match="slots"):
        open_corpus(tmp_path / "x.corpus")


def test_slots_that_name_no_row_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "vectors.npy", np.eye(4, dtype=np.float32))
    np.save(tmp_path / "vectors.slots.npy", np.array([0, 4], dtype=np.int32))

    with pytest.raises(ValueError, match="rows that are not there"):
        Vectors.load(Generation(tmp_path))


def test_a_slotted_row_is_found_as_if_in_its_place() -> None:
    rows = np.random.default_rng(0).normal(size=(40, 8)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    slots = np.random.default_rng(1).permutation(40)[:30]
    slotted, plain = Vectors(rows, slots), Vectors(rows[slots])
    every, query = np.arange(30), rows[slots[4]]

    np.testing.assert_allclose(slotted.similarity(query), plain.similarity(query), atol=1e-6)
    reached = slotted.reach(query, every, count=3, least=None)
    assert set(np.argsort(-plain.similarity(query))[:3]) <= set(reached.tolist())
    assert shared_file.worth_sharing(30, 40)
