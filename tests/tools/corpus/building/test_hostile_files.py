"""Whatever a stranger's file does to its reader, that file is listed and the others are indexed."""

import sys
from pathlib import Path

import pytest

from tools.corpus.build import build
from tools.corpus.build_settings import FileLimits
from tools.corpus.building import build_processes
from tools.corpus.corpus import open_corpus

pytestmark = pytest.mark.faults

linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux alone")
GOOD = ("lease", "sub/wheel", "café")
PLANTED = """
import os
from tools.corpus.readers import SUFFIXES, Extracted

def crash(data, encoding):
    os.write(2, b"dead")
    os.kill(os.getpid(), 11)

SUFFIXES[".crash"] = ("crash", crash)
SUFFIXES[".half"] = ("half", lambda data, encoding: [Extracted(text="half \\ud800")])
SUFFIXES[".ever"] = ("ever", lambda data, encoding: [None for _ in iter(int, 1)])
SUFFIXES[".vast"] = ("vast", lambda data, encoding: [Extracted(text="x" * 999_999_999)])
SUFFIXES[".long"] = ("long", lambda data, encoding: [Extracted(text="word " * 200_001)])
SUFFIXES[".odd"] = ("odd", lambda data, encoding: {}["no such key"])
"""


@pytest.mark.parametrize(
    "case",
    [
        ("odd", "damaged ODD ('no such key')", FileLimits()),
        ("crash", "Segmentation fault", FileLimits()),
        ("half", "surrogates not allowed", FileLimits()),
        ("ever", "HEADCOUNT_FILE_SECONDS", FileLimits(seconds=1.0)),
        ("long", "HEADCOUNT_FILE_TEXT_MB", FileLimits(text_mb=1)),
        pytest.param(("vast", "HEADCOUNT_FILE_MEMORY_MB", FileLimits(memory_mb=512)), marks=linux),
    ],
)
def test_a_file_that_its_reader_cannot_bear_is_listed_and_the_others_are_indexed(
    folder: Path,
    tmp_path: Path,
    case: tuple[str, str, FileLimits],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    suffix, reason, limits = case
    monkeypatch.setattr(build_processes, "_SERVE", PLANTED + build_processes._SERVE)
    names = {f"a.{suffix}", f"sub/z.{suffix}"}
    for name in names:
        (folder / name).write_text("as it is")
    report = build([folder], tmp_path / "x.corpus", limits=limits)
    assert {name for name, why in report.unreadable if reason in why} == names
    assert sorted(open_corpus(tmp_path / "x.corpus").documents) == sorted(GOOD)
    assert "dead" not in capfd.readouterr().err


def test_a_project_with_a_package_named_as_one_of_ours_is_indexed_from_inside_and_never_run(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    (folder / "tools").mkdir()
    for name in ("tools/__init__.py", "json.py", "polars.py"):
        Path(name).write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    assert build(["."], tmp_path / "x.corpus").documents >= len(GOOD)
    assert not (tmp_path / "ran").exists()
