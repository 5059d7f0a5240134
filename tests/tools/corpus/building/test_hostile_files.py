"""Whatever a stranger's file does to its reader, that file is listed and the others are indexed."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.corpus.readers.made_files import repacked
from tests.tools.corpus.readers.test_sheets import workbook
from tools.corpus.build import build
from tools.corpus.build_settings import FileLimits
from tools.corpus.building import build_processes
from tools.corpus.corpus import open_corpus

pytestmark = [pytest.mark.faults, pytest.mark.slow]

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
SUFFIXES[".ever"] = ("ever", lambda data, encoding: [any(iter(int, 1))])
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
        ("ever", "HEADCOUNT_FILE_SECONDS", FileLimits(seconds=4.0)),
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


def far(*places: tuple[int, int]) -> bytes:
    """Return a workbook that holds nothing but a cell at each place."""
    return workbook({"One": []}, lambda sheet: [sheet.write(*each, "far") for each in places])


ODS = Path(__file__).parents[1] / "readers/made/formats/rooms.ods"


def repeated(cell: bytes) -> bytes:
    """Return an ODS file with as many rows and columns of a cell as there can be."""
    cells = b'<table:table-cell table:number-columns-repeated="16384"' + cell
    row = b'<table:table-row table:number-rows-repeated="1048576">%b</table:table-row>' % cells
    rows = re.compile(rb"<table:table-row.*</table:table-row>")
    return repacked(ODS.read_bytes(), {"content.xml": lambda xml: rows.sub(row, xml)})


LAST = (1_048_575, 16_383)
FILLED = b' office:value-type="string"><text:p>x</text:p></table:table-cell>'
VAST: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "a far cell": ("xlsx", lambda: far(LAST), "row 1048576 and column 16384; delete what stands"),
    "two cells far apart": ("xlsx", lambda: far((0, 0), LAST), "ended the process"),
    "columns": ("csv", lambda: b"%b\n" % (b"a," * 10**6) * 2, "1000001 columns, more than"),
    "empty cells": ("ods", lambda: repeated(b"/>"), "its sheets are empty"),
    "filled cells": ("ods", lambda: repeated(FILLED), "damaged spreadsheet"),
}


@linux
@pytest.mark.parametrize("kind", VAST)
def test_a_table_far_larger_than_its_file_is_listed_and_the_others_are_indexed(
    folder: Path, tmp_path: Path, kind: str
) -> None:
    suffix, made, reason = VAST[kind]
    (folder / f"vast.{suffix}").write_bytes(made())
    report = build([folder], tmp_path / "x.corpus")
    ((path, why),) = report.unreadable
    assert (path, reason in why) == (f"vast.{suffix}", True), why
    assert sorted(open_corpus(tmp_path / "x.corpus").documents) == sorted(GOOD)


def test_a_project_with_a_package_named_as_one_of_ours_is_indexed_from_inside_and_never_run(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    (folder / "tools").mkdir()
    for name in ("tools/__init__.py", "json.py", "polars.py"):
        Path(name).write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    assert build(["."], tmp_path / "x.corpus").documents >= len(GOOD)
    assert not (tmp_path / "ran").exists()
