"""Array files are read by one thread at a time (python/cpython#106905)."""

import os
import random
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tools
from agent.errors import CorpusDamaged
from tests.tools.corpus.conftest import write
from tools.corpus import mapped_files
from tools.corpus.build import build
from tools.corpus.building import vectors_build
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.embeddings.vectors import Vectors
from tools.corpus.generations import CorpusLayout, Generation
from tools.corpus.mapped_files import check_views, series, views_of
from tools.filters.exact import ExactArguments
from tools.filters.local_engine import LocalEngine
from tools.filters.searchable import bitmap

pytestmark = pytest.mark.slow


def test_arrays_are_read_by_no_other_way() -> None:
    (root,) = tools.__path__
    ways = re.compile(r"np\.load\(|read_array\(|open_memmap\(")
    readers = [file for file in Path(root).rglob("*.py") if ways.search(file.read_text())]

    assert [file.name for file in readers] == ["mapped_files.py"]


@pytest.mark.parametrize(
    ("shape", "forged"),
    [
        (b"(3, 1)", b"((((((((("),
        (b"(3, 1)", b"{{}:(3,)}"),
        (b"'<f8'", b"((), )"),
        (b"'<f8', 'fortran_order': False, 'shape': (3, 1), }", b"-" * 47 + b"1"),
        (b"(3, 1), }" + b" " * 40, b"(%d,)}" % 10**40),
        (b"\x93NUMPY", b"PK\5\6" + bytes(18)),
        (b"\x93NUMPY", b""),
    ],
)
def test_a_header_that_is_none_is_damage(tmp_path: Path, shape: bytes, forged: bytes) -> None:
    np.save(tmp_path / "a.npy", np.zeros((3, 1)))
    written = (tmp_path / "a.npy").read_bytes()
    assert shape in written
    (tmp_path / "a.npy").write_bytes(written.replace(shape, forged.ljust(len(shape)), 1))

    with pytest.raises(ValueError, match=r"header|array|magic"):
        mapped_files.mapped(tmp_path / "a.npy")


@settings(max_examples=60, deadline=None)
@given(
    texts=st.lists(st.text(max_size=30), max_size=12),
    shift=st.sampled_from([4, 7, 30]),
)
def test_views_are_the_texts_through_windows_of_any_size(texts: list[str], shift: int) -> None:
    written = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, written)], dtype=np.int64)
    places = np.random.default_rng(len(texts)).permutation(len(texts))
    first, last = ends[:-1][places], ends[1:][places]
    whole = b"".join(written) or b"\0"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(mapped_files, "_SHIFT", shift)
        patched.setattr(mapped_files, "_WINDOW", (1 << shift) + 200)
        views = views_of(whole, first, last)
        check_views(views, first, last, len(whole))

        assert series(views, whole).to_list() == [texts[place] for place in places]


@pytest.mark.parametrize(
    ("row", "column", "number"), [(0, 0, 20), (1, 3, 7), (1, 2, 1), (0, 0, -1)]
)
def test_views_of_other_spans_or_behind_the_end_are_refused(
    row: int, column: int, number: int
) -> None:
    text = b"a short one and one that is longer"
    first, last = np.array([0, 12]), np.array([12, 34])
    views = views_of(text, first, last)
    check_views(views, first, last, len(text))
    with pytest.raises(ValueError, match="text file at 10"):
        check_views(views, first, last, 10)

    views[row, column] = number
    with pytest.raises(ValueError, match="texts"):
        check_views(views, first, last, len(text))


_WORDS = ["rent", "tenant", "wheel", "tag", "lease", "August", "platform", "file", "first", "pays"]


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sixty documents, and a space that is kept as if they were many."""
    monkeypatch.setattr(vectors_build, "_SMALL", 10)
    monkeypatch.setattr(vectors_build, "_DRIFT", 0.5)
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
