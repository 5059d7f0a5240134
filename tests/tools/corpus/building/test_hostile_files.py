"""Whatever a stranger's file does to its reader, that file is listed and the others are indexed."""

import bz2
import io
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.corpus.readers.test_docx import _saved
from tools.corpus.build import BuildReport, build
from tools.corpus.build_settings import FileLimits
from tools.corpus.building import build_processes
from tools.corpus.corpus import open_corpus

linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux alone")
GOOD = ("lease", "sub/wheel", "café")
PLANTED = """
import os
from tools.corpus.readers import SUFFIXES, Extracted
SUFFIXES[".crash"] = ("crash", lambda data, encoding: os.kill(os.getpid(), 11))
SUFFIXES[".half"] = ("half", lambda data, encoding: [Extracted(text="half \\ud800")])
SUFFIXES[".ever"] = ("ever", lambda data, encoding: [None for _ in iter(int, 1)])
SUFFIXES[".vast"] = ("vast", lambda data, encoding: [Extracted(text="x" * 999_999_999)])
SUFFIXES[".long"] = ("long", lambda data, encoding: [Extracted(text="word " * 200_001)])
SUFFIXES[".exit"] = ("exit", lambda data, encoding: os._exit(3))
SUFFIXES[".odd"] = ("odd", lambda data, encoding: {}["no such key"])
"""


def listed(report: BuildReport) -> dict[str, str]:
    return dict(report.unreadable)


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the reading processes readers that fail in every way."""
    monkeypatch.setattr(build_processes, "_SERVE", PLANTED + build_processes._SERVE)


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize(
    ("suffix", "reason", "limits"),
    [
        ("odd", "damaged ODD ('no such key')", {}),
        ("crash", "Segmentation fault", {}),
        ("exit", "exit code 3", {}),
        ("half", "surrogates not allowed", {}),
        ("ever", "HEADCOUNT_FILE_SECONDS", {"seconds": 1.0}),
        ("long", "HEADCOUNT_FILE_TEXT_MB", {"text_mb": 1}),
        pytest.param("vast", "HEADCOUNT_FILE_MEMORY_MB", {"memory_mb": 512}, marks=linux),
    ],
)
def test_a_file_that_its_reader_cannot_bear_is_listed_and_the_others_are_indexed(
    folder: Path, tmp_path: Path, suffix: str, reason: str, limits: dict[str, float]
) -> None:
    for place in ("a", "kept", "sub/z"):
        (folder / f"{place}.{suffix}").write_text("as it is")
    report = build([folder], tmp_path / "x.corpus", limits=FileLimits(**limits))
    assert set(listed(report)) == {f"{place}.{suffix}" for place in ("a", "kept", "sub/z")}
    assert all(reason in why for why in listed(report).values())
    assert sorted(open_corpus(tmp_path / "x.corpus").documents) == sorted(GOOD)


def _flipped(data: bytes) -> bytes:
    """Damage one byte of the packed text."""
    place = data.index(b"word/document.xml") + 200
    return data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]


def _marked(field: int, value: bytes) -> Callable[[bytes], bytes]:
    """Write into a field of every entry's headers: 6 is its flags, 8 its method."""

    def marked(data: bytes) -> bytes:
        for mark, further in ((b"PK\x03\x04", 0), (b"PK\x01\x02", 2)):
            pieces = data.split(mark)
            at = field + further - len(mark)
            own = [each[:at] + value + each[at + 2 :] for each in pieces[1:]]
            data = mark.join([pieces[0], *own])
        return data

    return marked


def _bad_bz2(data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("[Content_Types].xml", b"<Types/>" * 99)
    return file.getvalue().replace(bz2.compress(b"")[:4], b"BZh0", 1)


@pytest.mark.parametrize(
    "damage",
    [_flipped, _marked(6, b"\1\0"), _marked(8, b"\x63\0"), _bad_bz2],
    ids=["one-byte", "password-flags", "unknown-method", "bad-bz2"],
)
def test_a_damaged_docx_is_listed(
    folder: Path, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    (folder / "a.docx").write_bytes(damage(_saved()))
    report = build([folder], tmp_path / "x.corpus")
    assert report.documents == len(GOOD)
    assert listed(report)["a.docx"].startswith("damaged DOCX")
