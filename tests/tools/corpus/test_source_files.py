import os
from pathlib import Path

import pytest

from agent.errors import DocumentUnreadable
from tests.built import write
from tools.corpus.build import build
from tools.corpus.corpus import open_corpus
from tools.corpus.source_files import files_below, path_text


def test_links_have_names_and_never_take_a_files_name(tmp_path: Path) -> None:
    (tmp_path / "a.rst").write_text("text")
    (tmp_path / "a.md").symlink_to("lost.md")
    (tmp_path / "loop").symlink_to(".")
    assert {each.path: each.name for each in files_below([tmp_path])} == {
        "a.md": "a.md",
        "a.rst": "a",
        "loop": "loop",
    }


def test_a_file_that_goes_meanwhile_is_unreadable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "exists", lambda _: True)
    with pytest.raises(DocumentUnreadable, match="gone"):
        list(files_below([tmp_path / "gone.txt"]))


@pytest.mark.skipif(os.name == "nt", reason="names there are text")
def test_a_name_that_is_no_text_is_indexed_under_one_that_is(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / os.fsdecode(b"bad\xff.txt")).write_text("A lease.")
    build([tmp_path / "docs"], tmp_path / "x.corpus")
    assert list(open_corpus(tmp_path / "x.corpus").documents) == ["bad\ufffd"]
    assert path_text(Path("a", "b")) == "a/b"


def test_a_file_is_yielded_once_whatever_way_leads_to_it(folder: Path) -> None:
    ways = [folder, folder / "sub" / "..", folder / "lease.txt"]
    assert len(list(files_below(ways))) == len(list(files_below([folder])))


def test_what_cannot_be_listed_or_followed_is_named_with_a_reason(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for link, target in (("circle.txt", "circle.txt"), ("dangling.txt", "lost"), ("loop", ".")):
        (folder / link).symlink_to(target)
    scandir = os.scandir

    def barred(place: str | int | Path) -> None:
        if str(place).endswith("sub"):
            raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", lambda place: barred(place) or scandir(place))
    report = build([folder], tmp_path / "x.corpus")
    assert report.documents == 2
    assert {path: why.partition(" (")[0] for path, why in report.unreadable} == {
        "circle.txt": "not a regular file, or a broken link",
        "dangling.txt": "not a regular file, or a broken link",
        "loop": "symbolic link to a folder; index that folder itself",
        "sub": "a folder whose files cannot be listed",
    }


def test_what_lies_beside_an_index_is_a_document_and_the_index_is_named(
    folder: Path, tmp_path: Path
) -> None:
    every = tmp_path / "all"
    build([folder], every / "x.corpus")
    (every / "x.corpus" / "mine.txt").write_text("A lease.")
    assert [each.path for each in files_below([every])] == ["x.corpus/mine.txt"]
    for _ in range(2):
        report = build([every], every / "all.corpus")
        assert report.documents == 1
        assert report.notes == (("x.corpus", "a corpus, skipped: CURRENT, generations, id, lock"),)


@pytest.mark.parametrize("name", ["A lease here", "0123456789ab", "{}"])
def test_documents_that_are_named_like_an_indexs_files_are_documents(
    name: str, tmp_path: Path
) -> None:
    named = ["CURRENT", "generations/1/manifest.json", "id", "lock", "runs/contract.txt"]
    own = [f"s/{each}" for each in named]
    write(tmp_path / "all", dict.fromkeys(own, f"{name}\n"))
    assert sorted(each.path for each in files_below([tmp_path / "all"])) == sorted(own)
