"""Scans: PDFs and pictures that Tesseract reads, and what is told where it is not there."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageFilter
from pypdf import PdfReader, PdfWriter

from agent.errors import DocumentUnreadable
from tests.built import write
from tests.tools.corpus.readers.made_files import LEASE, needs_ocr, picture, saved, scan
from tests.tools.corpus.readers.test_pdf import pdf_of
from tools.corpus.build import BuildReport, BuildSettings, build
from tools.corpus.corpus import open_corpus
from tools.corpus.readers import Extracted, read_as
from tools.corpus.readers.ocr import ScanUnread, _data_folder, reading_in

BLANK = picture("")


def read(name: str, data: bytes) -> Extracted:
    with reading_in("eng"):
        (extracted,) = read_as(name, data, None)[1]
    return extracted


def joined(*files: bytes) -> bytes:
    writer = PdfWriter()
    for each in files:
        writer.append(PdfReader(io.BytesIO(each)))
    return saved(writer.write)


@pytest.fixture
def without_tesseract(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("PATH", "")
        patch.delenv("TESSDATA_PREFIX", raising=False)
        _data_folder.cache_clear()
        yield
    _data_folder.cache_clear()


@needs_ocr
@pytest.mark.parametrize("form", ["tiff", "pdf"])
def test_each_picture_is_a_page_and_one_upside_down_is_turned(form: str) -> None:
    pages = [picture("The first page."), BLANK, picture(LEASE).rotate(180)]
    found = read(f"a.{form}", scan(pages, form))
    assert [page.split() for page in found.text.split("\f")] == [
        ["The", "first", "page."], [], LEASE.split()
    ]  # fmt: skip


@needs_ocr
def test_what_is_read_with_little_confidence_is_named() -> None:
    unsharp = picture(LEASE).filter(ImageFilter.GaussianBlur(5))
    found = read("a.png", scan([unsharp], "png"))
    sure = found.properties["ocr confidence"]
    assert found.warnings == (f"pages that OCR is unsure of: 1 ({sure} %)",)


@needs_ocr
def test_a_page_full_of_specks_is_read_in_seconds() -> None:
    large = picture(LEASE).resize((2400, 1800))
    specks = Image.effect_noise(large.size, 60)
    noisy = ImageChops.add(large, specks, scale=1, offset=-128)
    found = read("a.png", scan([noisy], "png"))
    assert found.text.split() == LEASE.split()


@needs_ocr
def test_transparency_is_white() -> None:
    image = picture(LEASE)
    clear = Image.merge("RGBA", (image, image, image, image.point(lambda each: 255 - each)))
    assert read("a.png", scan([clear], "png")).text.split() == LEASE.split()


@needs_ocr
def test_pages_with_text_are_not_read_by_ocr_but_a_stamp_is_no_text() -> None:
    scanned = joined(pdf_of("A typed page."), scan([picture(LEASE)], "pdf"))
    stamped = PdfWriter(clone_from=PdfReader(io.BytesIO(scanned)))
    stamped.pages[1].merge_page(PdfReader(io.BytesIO(pdf_of("ABC-0002"))).pages[0])
    typed, read_by_ocr = read("a.pdf", saved(stamped.write)).text.split("\f")
    assert typed == "A typed page.\n"
    assert "tenant keeps one dog." in read_by_ocr


@pytest.mark.parametrize(("name", "data"), [
    ("a.png", scan([picture(LEASE)], "png")),
    ("a.pdf", scan([picture(LEASE)], "pdf")),
])  # fmt: skip
@pytest.mark.usefixtures("without_tesseract")
def test_without_tesseract_a_scan_is_named_with_what_to_install(name: str, data: bytes) -> None:
    with pytest.raises(ScanUnread, match=r"headcount\[ocr\]|apt install tesseract-ocr"):
        read(name, data)
    mixed = read("a.pdf", joined(pdf_of("Typed."), scan([picture(LEASE)], "pdf")))
    assert mixed.text.startswith("Typed.\n")
    assert mixed.warnings[0].startswith("pages without a text layer, not read (to read it by OCR, ")
    assert mixed.ocr == "-"


@needs_ocr
def test_a_language_that_is_not_there_is_named_with_those_that_are() -> None:
    with reading_in("xyz"), pytest.raises(ScanUnread, match=r"no language 'xyz', only .*eng"):
        read_as("a.png", scan([BLANK], "png"), None)


def test_a_vast_picture_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.corpus.readers.ocr.lacking", lambda _: "")
    vast = scan([Image.new("1", (13_000, 13_000))], "png")
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", None)
    with pytest.raises(DocumentUnreadable, match="13000 × 13000 pixels: refused"):
        read("a.png", vast)


@needs_ocr
@pytest.mark.slow
def test_scans_are_read_once_ocr_is_there_and_stay_when_it_is_not(tmp_path: Path) -> None:
    mixed = joined(pdf_of("A typed page."), scan([picture("The deposit is 300 pounds.")], "pdf"))
    papers: dict[str, str | bytes] = {
        "barn.png": scan([picture(LEASE)], "png"),
        "mixed.pdf": mixed,
        "photo.webp": scan([BLANK], "webp"),
        "note.txt": "The rent is not said.",
    }
    folder = write(tmp_path / "papers", papers)

    def indexed(ocr: str) -> BuildReport:
        return build([folder], tmp_path / "a.corpus", settings=BuildSettings(ocr=ocr))

    before = indexed("none")
    assert [path for path, _ in before.unreadable] == ["barn.png", "photo.webp"]
    assert (before.added, len(before.notes)) == (2, 1)
    now = indexed("eng")
    assert (now.added, now.updated, now.unchanged) == (1, 1, 1)
    assert now.unreadable == (("photo.webp", "no text in it"),)
    assert not now.notes
    corpus = open_corpus(tmp_path / "a.corpus")
    assert [each.ocr for each in corpus.files] == ["eng", "eng", "", "eng"]
    tables = (tmp_path / "a.corpus").rglob("*.arrow")
    written = {  # a file that was new at the first build has its time noted by the next
        path: path.stat().st_mtime_ns for path in tables if path.name != "files.arrow"
    }
    for ocr in ("eng", "none", "xyz"):
        again = indexed(ocr)
        assert (again.unchanged, again.unreadable) == (3, now.unreadable)
    assert all(path.stat().st_mtime_ns == at for path, at in written.items())


@needs_ocr
def test_what_is_no_picture_is_refused_without_an_object_of_ours() -> None:
    with reading_in("eng"), pytest.raises(DocumentUnreadable) as refused:
        read_as("a.png", b"\x89PNG broken", None)
    assert str(refused.value) == "damaged picture (of no known format); save it again"
