"""What a build does that has much to read: parts, processes, a space that is kept."""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from errno import ENOSPC
from pathlib import Path

import numpy as np
import pytest

from agent.errors import CorpusError, SettingsError
from tests.tools.corpus.conftest import write
from tools.corpus.build import BuildSettings, build
from tools.corpus.building import build_processes, collect, vectors_build
from tools.corpus.building.build_processes import Workers
from tools.corpus.building.collect import PartReading
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.manifest import Manifest
from tools.corpus.source_files import file_below

BUILD = sys.modules["tools.corpus.build"]
PART = sys.modules["tools.corpus.building.part"]


class Killed(BaseException):
    """Ends a build as a signal would."""


def killed_at(stage: str) -> Callable[[str, int, int], None]:
    def progress(name: str, _done: int, _total: int) -> None:
        if name == stage:
            raise Killed

    return progress


def same(one: Corpus, other: Corpus) -> bool:
    return (
        one.digest == other.digest
        and _manifest(one) == _manifest(other)
        and one.texts.to_list() == other.texts.to_list()
        and one.lexical.vocabulary == other.lexical.vocabulary
        and np.array_equal(one.vectors.rows(), other.vectors.rows())
        and np.array_equal(one.clusters, other.clusters)
    )


def _manifest(corpus: Corpus) -> tuple[Manifest, list[tuple[str, str, str, int]]]:
    """Return all but the sources and what files look like from outside."""
    return (
        corpus.manifest.model_copy(update={"sources": (), "slots": False}),
        [file.content for file in corpus.files],
    )


@pytest.mark.parametrize("stage", ["words", "embed", "cluster"])
def test_what_a_killed_build_had_read_is_not_read_again(
    folder: Path, tmp_path: Path, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "x.corpus"
    with pytest.raises(Killed):
        build([folder], place, progress=killed_at(stage))
    build([folder], tmp_path / "whole.corpus")

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("read again")

    with monkeypatch.context() as patched:
        patched.setattr(PART, "read_drafts", refused)
        build([folder], place)

    assert same(open_corpus(place), open_corpus(tmp_path / "whole.corpus"))
    assert not (place / "generations" / ".parts").exists()


def test_a_space_cut_short_by_a_full_disk_is_fitted_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: object, directory: Path) -> None:
        directory.mkdir()
        raise OSError(ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(vectors_build.LsaEmbedder, "save", full)
        with pytest.raises(OSError, match="No space"):
            build([folder], tmp_path / "x.corpus")

    assert build([folder], tmp_path / "x.corpus").documents == 3


def test_a_file_changed_since_the_kill_is_read_again(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "x.corpus"
    with pytest.raises(Killed):
        build([folder], place, progress=killed_at("words"))
    (folder / "lease.txt").write_text("A lease of another length.", encoding="utf-8")

    build([folder], place)

    now = open_corpus(place)
    assert now.document_text(now.document_index("lease")) == "A lease of another length."


def test_processes_of_their_own_read_the_same(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "empty.txt").write_bytes(b"")
    build([folder], tmp_path / "one.corpus")
    monkeypatch.setattr(collect, "_WORTH", 0)
    monkeypatch.setattr(collect, "cores", lambda: 2)
    monkeypatch.setattr(collect, "_PART", 1)
    monkeypatch.setattr(BUILD, "_MANY", 0)

    build([folder], tmp_path / "several.corpus")

    assert same(open_corpus(tmp_path / "one.corpus"), open_corpus(tmp_path / "several.corpus"))
    unknown = BuildSettings(encoding="klingon")
    (folder / "latin.txt").write_bytes(b"\xe9t\xe9")
    with pytest.raises(SettingsError, match="klingon"):
        build([folder], tmp_path / "other.corpus", settings=unknown)


def test_a_process_that_dies_is_told_with_its_file(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collect, "_WORTH", 0)
    monkeypatch.setattr(collect, "cores", lambda: 2)
    monkeypatch.setattr(build_processes, "_SERVE", "import sys; sys.stdin.readline(); sys.exit(7)")

    with Workers() as some, PartReading(tmp_path, BuildSettings(), some) as reading:
        reading.add(file_below(folder / "lease.txt", folder))
        with pytest.raises(CorpusError, match=r"code 7.*lease\.txt"):
            reading.parts(lambda _files: None)


def test_leaving_off_ends_what_is_read_and_waits_for_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collect, "_PART", 1)
    monkeypatch.setattr(build_processes, "_SERVE", "import sys; sys.stdin.read()")

    def interrupted() -> None:
        with Workers() as some, PartReading(tmp_path, BuildSettings(), some) as reading:
            some.start(1)
            for file in sorted(folder.rglob("*.*")):
                reading.add(file_below(file, folder))
            raise Killed

    with ThreadPoolExecutor(1) as apart, pytest.raises(Killed):
        apart.submit(interrupted).result(timeout=60)


@pytest.mark.parametrize("name", ["part.json", "chunks.arrow", "lexical/rows.words.npy"])
def test_a_part_that_was_damaged_is_read_again(
    folder: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "x.corpus"
    with monkeypatch.context() as patched:
        patched.setattr(BUILD, "join_tables", _refused)
        with pytest.raises(Killed):
            build([folder], place)
    (part,) = (each.parent for each in (place / "generations" / ".parts").glob("*/part.json"))
    (part / name).write_bytes(b"")

    build([folder], place)

    build([folder], tmp_path / "whole.corpus")
    assert same(open_corpus(place), open_corpus(tmp_path / "whole.corpus"))


def _refused(*_: object) -> None:
    raise Killed


@pytest.fixture
def grown(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose corpus is large enough to keep its space."""
    monkeypatch.setattr(vectors_build, "_SMALL", 0)
    topics = ("rent", "wheel", "storm", "lamp", "audit")
    texts = {
        f"n{number}.txt": f"On {topics[number % 5]} and {topics[number % 3]}: note {number}."
        for number in range(40)
    }
    build([write(folder, texts)], tmp_path / "x.corpus")
    return tmp_path / "x.corpus"


def test_a_small_change_keeps_the_space_and_the_unchanged_vectors(
    grown: Path, folder: Path
) -> None:
    before = open_corpus(grown)
    (folder / "n7.txt").write_text("The wheel of the rent.", encoding="utf-8")
    (folder / "n8.txt").unlink()

    build([folder], grown)

    now = open_corpus(grown)
    old = {text: chunk for chunk, text in enumerate(before.texts)}
    kept = [(chunk, old[text]) for chunk, text in enumerate(now.texts) if text in old]
    places, origins = (np.array(each) for each in zip(*kept, strict=True))
    assert len(places) == len(now) - 1
    np.testing.assert_array_equal(now.vectors.rows(places), before.vectors.rows(origins))
    np.testing.assert_array_equal(now.clusters[places], before.clusters[origins])
    np.testing.assert_allclose(
        now.vectors.rows(), now.embedder.embed(now.texts.to_list()), atol=1e-6
    )
    assert now.lexical.postings("storm").tolist() == [
        chunk for chunk, text in enumerate(now.texts) if "storm" in text
    ]
