import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from agent.errors import CorpusDamaged, CorpusError, CorpusLocked, SettingsError
from tests.fake_provider.server import FakeProvider
from tests.tools.corpus.conftest import age, contents, write
from tools.corpus import generations as layout
from tools.corpus.build import BuildReport, BuildSettings, build
from tools.corpus.building.collect import PartReading
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.processes import writing

pytestmark = pytest.mark.slow


def _counts(report: BuildReport) -> tuple[int, int, int, int]:
    return report.added, report.updated, report.removed, report.unchanged


def test_a_second_build_of_the_same_files_writes_nothing_even_inside_its_source(
    folder: Path,
) -> None:
    place = folder / "x.corpus"
    build([folder], place)
    before = {file: file.stat().st_mtime_ns for file in place.rglob("*.*")}

    report = build([folder], place)

    assert _counts(report) == (0, 0, 0, 3)
    assert {file: file.stat().st_mtime_ns for file in place.rglob("*.*")} == before


def test_added_changed_and_removed_documents_are_counted_and_the_corpus_is_as_from_nothing(
    corpus: Corpus, folder: Path, tmp_path: Path
) -> None:
    (folder / "new.txt").write_text("A new sublease.", encoding="utf-8")
    (folder / "lease.txt").write_text("A changed lease.", encoding="utf-8")
    (folder / "café.txt").unlink()

    report = build([folder], corpus.path)

    assert _counts(report) == (1, 1, 1, 1)
    now = open_corpus(corpus.path)
    assert sorted(now.documents) == ["lease", "new", "sub/wheel"]
    assert now.document_text(now.document_index("lease")) == "A changed lease."
    assert now.digest != corpus.digest
    build([folder], tmp_path / "fresh.corpus")

    assert contents(corpus.path) == contents(tmp_path / "fresh.corpus")


def test_only_files_that_look_otherwise_are_opened_and_only_new_ones_read(
    corpus: Corpus, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    read: list[str] = []
    module = sys.modules["tools.corpus.building.collect"]
    digest_of, add, before = module.digest_of, PartReading.add, corpus.files
    monkeypatch.setattr(
        module, "digest_of", lambda file: opened.append(file.name) or digest_of(file)
    )
    monkeypatch.setattr(
        PartReading, "add", lambda self, file: read.append(file.path) or add(self, file)
    )
    os.utime(folder / "lease.txt", (2_000_000, 2_000_000))
    for _ in range(2):
        assert _counts(build([folder], corpus.path)) == (0, 0, 0, 3)

    now = open_corpus(corpus.path)
    assert (opened, read) == (["lease.txt"], [])
    assert now.digest == corpus.digest
    assert now.files != before
    (folder / "new.txt").write_text("A new sublease.", encoding="utf-8")
    build([folder], corpus.path)
    assert read == ["new.txt"]


@pytest.mark.parametrize(("when", "found"), [(1_000_000_000, 0), (4_000_000_000, 1)])
def test_a_change_that_keeps_size_and_time_needs_a_checksum_if_the_time_was_past(
    folder: Path, tmp_path: Path, when: int, found: int
) -> None:
    lease = folder / "lease.txt"
    for rent, checksum, updated in (("900", False, 0), ("800", False, found), ("700", True, 1)):
        lease.write_text(f"Rent: {rent}\n", encoding="utf-8")
        os.utime(lease, (when, when))
        report = build([folder], tmp_path / "x.corpus", checksum=checksum)
        assert report.updated == updated


def test_a_file_beside_that_takes_the_name_renames_the_unchanged_one(
    corpus: Corpus, folder: Path
) -> None:
    (folder / "lease.pdf").write_bytes(b"%PDF-1.4 broken")
    build([folder], corpus.path)
    taken = open_corpus(corpus.path)
    build([folder], corpus.path.with_name("fresh.corpus"))

    assert taken.documents == open_corpus(corpus.path.with_name("fresh.corpus")).documents
    assert len(taken.manifest.unreadable) == 1


def test_a_file_that_becomes_unreadable_is_noted_though_nothing_else_changed(
    corpus: Corpus, folder: Path
) -> None:
    (folder / "empty.txt").write_bytes(b"")

    build([folder], corpus.path)

    now = open_corpus(corpus.path)
    assert now.digest == corpus.digest
    assert [file.path for file in now.manifest.unreadable] == ["empty.txt"]


def test_runs_survive_a_build_old_generations_do_not_and_an_open_corpus_reads_on(
    corpus: Corpus, folder: Path
) -> None:
    corpus.runs.mkdir()
    (corpus.runs / "run.db").write_bytes(b"run")
    before = corpus.chunk_text(0)
    (folder / "new.txt").write_text("A new sublease.", encoding="utf-8")

    build([folder], corpus.path)

    assert (corpus.runs / "run.db").read_bytes() == b"run"
    assert len(list((corpus.path / "generations").iterdir())) == 1
    assert corpus.chunk_text(0) == before
    assert corpus.lexical.postings("tenant").tolist()
    assert corpus.vectors.rows().shape[0] == len(corpus)


@pytest.mark.faults
def test_a_second_writer_is_told_so(corpus: Corpus, folder: Path) -> None:
    with writing(corpus.path / "lock"), pytest.raises(CorpusLocked, match="another process"):
        build([folder], corpus.path)

    build([folder], corpus.path)


def test_the_digest_depends_on_content_and_settings_not_on_the_place(
    folder: Path, tmp_path: Path
) -> None:
    build([folder], tmp_path / "a.corpus")
    folder.rename(tmp_path / "moved")
    build([tmp_path / "moved"], tmp_path / "b.corpus")
    shutil.copytree(tmp_path / "b.corpus", tmp_path / "c.corpus")
    other = BuildSettings(chunk_tokens=10, overlap=2)
    build([tmp_path / "moved"], tmp_path / "c.corpus", settings=other)
    a, b, c = (open_corpus(tmp_path / f"{name}.corpus") for name in "abc")

    assert a.digest == b.digest != c.digest
    assert len(c) > len(b)


@pytest.mark.parametrize(("size", "overlap"), [(10, 10), (10, -1), (0, 0)])
def test_an_impossible_overlap_is_a_settings_error(size: int, overlap: int) -> None:
    with pytest.raises(SettingsError, match="overlap"):
        BuildSettings(chunk_tokens=size, overlap=overlap)


def test_vectors_of_unchanged_documents_are_not_paid_for_again(
    folder: Path, tmp_path: Path, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("OPENAI_BASE_URL", provider.url)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    paid = BuildSettings(embedder="openai:small")
    build([folder], tmp_path / "x.corpus", settings=paid)
    first = open_corpus(tmp_path / "x.corpus")
    provider.embedded.clear()
    (folder / "anew.txt").write_text("A new sublease.", encoding="utf-8")

    build([folder], tmp_path / "x.corpus", settings=paid)

    assert [request["input"] for request in provider.embedded] == [["A new sublease."]]
    now = open_corpus(tmp_path / "x.corpus")
    place, old = now.document_index("lease"), first.document_index("lease")
    np.testing.assert_array_equal(
        now.vectors.rows()[now.chunks_of(place).start],
        first.vectors.rows()[first.chunks_of(old).start],
    )
    assert now.manifest.dimensions == now.embedder.embed(["x"]).shape[1]


@pytest.mark.faults
def test_a_build_that_fails_while_it_swaps_leaves_the_old_corpus(
    corpus: Corpus, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "new.txt").write_text("A new sublease.", encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(layout, "replace_file", full)
        with pytest.raises(OSError, match="No space"):
            build([folder], corpus.path)

    assert open_corpus(corpus.path).digest == corpus.digest
    assert _counts(build([folder], corpus.path)) == (1, 0, 0, 3)


@pytest.mark.parametrize("content", [b"\xff\x00", b"", b"..", b"x" * 5000])
@pytest.mark.faults
def test_a_damaged_name_of_the_generation_is_a_damaged_corpus(
    corpus: Corpus, folder: Path, content: bytes
) -> None:
    (corpus.path / "CURRENT").write_bytes(content)
    with pytest.raises(CorpusDamaged):
        open_corpus(corpus.path)

    build([folder], corpus.path)

    assert open_corpus(corpus.path).digest == corpus.digest


@pytest.mark.parametrize(
    ("files", "told"), [({}, "no document below"), ({"empty.txt": ""}, r"'empty\.txt': empty")]
)
def test_after_a_build_that_found_nothing_the_next_one_may_use_the_place(
    files: dict[str, str], told: str, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "none").mkdir()
    with pytest.raises(CorpusError, match=told):
        build([write(tmp_path / "none", files)], tmp_path / "x.corpus")

    assert build([folder], tmp_path / "x.corpus").documents == 3


@pytest.mark.parametrize("beside", [(), ("lock",), ("lock", "CURRENT", "id")])
@pytest.mark.parametrize(
    "name", ["CURRENT", "generations/1/work.txt", "generations/1/manifest.json", "lock/x", "a.txt"]
)
def test_another_programs_folder_or_file_is_never_taken_for_a_corpus(
    folder: Path, tmp_path: Path, name: str, beside: tuple[str, ...]
) -> None:
    own = tmp_path / "mine" / name
    own.parent.mkdir(parents=True)
    for each in beside:
        (tmp_path / "mine" / each).exists() or (tmp_path / "mine" / each).write_text("1")
    own.write_text("precious")

    for target, told in ((tmp_path / "mine", "not a corpus"), (own, "is a file")):
        with pytest.raises(SettingsError, match=told):
            build([folder], target)

    assert own.read_text() == "precious"


def test_a_build_leaves_a_folder_that_it_did_not_make_where_its_generations_lie(
    corpus: Corpus, folder: Path
) -> None:
    (kept := corpus.path / "generations/1").mkdir()
    (kept / "manifest.json").write_text("{}")
    (corpus.path / "id").unlink()
    build([folder], corpus.path)
    assert (kept / "manifest.json").read_text() == "{}"


@pytest.mark.parametrize(
    "files",
    [
        {"a/x.txt": "Words.", "a/x.txt#y.txt": ""},
        {"a/x": "Words.", "a/x#y.jsonl": '{"text": "a"}\n{'},
        {"a/x": "Words.", "a/x#1/y.txt": ""},
        {"a/x.jsonl": '{"text": "a"}\n{', "b/x.jsonl": '{"text": "b"}'},
    ],
    ids=["a file", "a file of rows", "a folder", "another root"],
)
def test_what_cannot_be_read_stays_its_own_files_when_unchanged(
    files: dict[str, str], tmp_path: Path
) -> None:
    write(age(write(tmp_path / "docs", files)), {"b/new.txt": ""})
    roots = [tmp_path / "docs" / "a", tmp_path / "docs" / "b"]

    first = build(roots, tmp_path / "x.corpus")
    (tmp_path / "docs" / "a" / "new.txt").write_text("More.", encoding="utf-8")

    assert build(roots, tmp_path / "x.corpus").unreadable == first.unreadable
    assert len(first.unreadable) == 2
