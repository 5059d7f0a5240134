"""Pages as they look: the words marked where they stand, of the file that was indexed alone."""

import base64
import hashlib
import io
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter
from pypdf.generic import RectangleObject

from agent.errors import DocumentUnreadable
from tests.tools.corpus.readers.made_files import saved
from tests.tools.corpus.readers.test_pdf import pdf_of
from tools.corpus.build_settings import FileLimits
from tools.corpus.building.build_processes import Workers
from tools.corpus.document_table import SourceFile
from tools.corpus.readers.pdf import read_pdf
from tools.corpus.source_pages import SourcePages

Indexed = Callable[[bytes], Any]


@pytest.fixture(scope="module")
def sources() -> Iterator[SourcePages]:
    with Workers() as workers:
        yield SourcePages(workers)


@pytest.fixture
def indexed(tmp_path: Path) -> Indexed:
    """What is asked of a corpus that was made of a PDF."""

    def made(pdf: bytes) -> Any:
        (tmp_path / "papers").mkdir()
        (tmp_path / "papers" / "a.pdf").write_bytes(pdf)
        (extracted,) = read_pdf(pdf, None)
        digest = hashlib.sha256(pdf).hexdigest()
        return SimpleNamespace(
            files=[SourceFile("a.pdf", "a", digest, 1, "", "", None)],
            manifest=SimpleNamespace(sources=(str(tmp_path / "papers"),)),
            document_text=lambda _: extracted.text,
        )

    return made


def span(corpus: Any, words: str, start: int = 0) -> tuple[int, int]:
    at = corpus.document_text(0).index(words, start)
    return at, at + len(words)


def drawn(sheet: dict[str, Any]) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(sheet["image"])))


def changed(pdf: bytes, turned: int, cut: tuple[int, int, int, int]) -> bytes:
    """Return a PDF whose page is turned, and cut to a part."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf)))
    writer.pages[0].rotate(turned)
    writer.pages[0].cropbox = RectangleObject(cut)
    return saved(writer.write)


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
@pytest.mark.parametrize("cut", [(0, 0, 612, 792), (50, 600, 400, 770)])
def test_a_quote_is_marked_where_its_ink_is(
    turned: int, cut: tuple[int, int, int, int], sources: SourcePages, indexed: Indexed
):
    corpus = indexed(changed(pdf_of("Dogs may be kept here."), turned, cut))
    sheet = sources.sheet(corpus, 0, 0, [span(corpus, "Dogs may be kept here.")])
    ((box,),) = sheet["boxes"]
    image = drawn(sheet).convert("L")
    rows, columns = np.nonzero(np.asarray(image) < 128)
    assert image.size == (sheet["width"], sheet["height"])
    inked = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
    left, top, width, height = box
    marked = [left, top, left + width, top + height]
    assert inked == pytest.approx(marked, abs=3)


def test_of_words_that_stand_twice_the_quoted_ones_are_marked(
    sources: SourcePages, indexed: Indexed
):
    corpus = indexed(pdf_of("A dog sat by the dog.", "", "Another dog."))
    first = span(corpus, "dog")
    second = span(corpus, "dog", first[1])
    sheet = sources.sheet(corpus, 0, 0, [second, first])
    ((right,), (left,)) = sheet["boxes"]
    assert left[0] + left[2] < right[0]
    assert sheet["pages"] == 3
    third = span(corpus, "dog", second[1])
    assert len(sources.sheet(corpus, 0, 2, [third])["boxes"][0]) == 1


def test_a_quote_over_two_pages_is_marked_on_each_and_one_that_is_not_there_on_none(
    sources: SourcePages, indexed: Indexed
):
    corpus = indexed(pdf_of("A dog may be", "kept by all."))
    whole = span(corpus, "may be\n\f\nkept by")
    widths = [sources.sheet(corpus, 0, page, [whole])["boxes"][0][0][2] for page in (0, 1)]
    assert all(60 < width < 100 for width in widths)
    corpus.document_text = lambda _: "Nothing of the kind.\n"
    assert sources.sheet(corpus, 0, 0, [(0, 20)])["boxes"] == [[]]


def test_a_pdf_that_changed_or_went_is_not_shown(
    sources: SourcePages, indexed: Indexed, tmp_path: Path
):
    corpus, place = indexed(pdf_of("A dog.")), tmp_path / "papers" / "a.pdf"
    place.write_bytes(pdf_of("A cat."))
    with pytest.raises(DocumentUnreadable, match="has changed since it was indexed"):
        sources.sheet(corpus, 0, 0, [])
    place.unlink()
    with pytest.raises(DocumentUnreadable, match="is not where it was indexed"):
        sources.sheet(corpus, 0, 0, [])


@pytest.mark.parametrize(
    ("path", "root"),
    [("../secret.pdf", ""), ("link.pdf", ""), ("{absolute}", ""), ("beside.pdf", "a.pdf")],
)
def test_nothing_outside_of_the_folder_or_file_that_was_indexed_is_opened(
    path: str, root: str, sources: SourcePages, indexed: Indexed, tmp_path: Path
):
    corpus = indexed(pdf_of("A dog."))
    corpus.manifest.sources = (str(tmp_path / "papers" / root),)
    assert drawn(sources.sheet(corpus, 0, 0, []))
    secret = tmp_path / "secret.pdf"
    secret.write_bytes(pdf_of("A dog."))
    (tmp_path / "papers" / "link.pdf").symlink_to(secret)
    shutil.copy(secret, tmp_path / "papers" / "beside.pdf")
    corpus.files = [corpus.files[0]._replace(path=path.format(absolute=secret))]
    with pytest.raises(DocumentUnreadable, match="is not where it was indexed"):
        sources.sheet(corpus, 0, 0, [])


def test_a_page_takes_no_more_than_a_file_may(sources: SourcePages, indexed: Indexed):
    huge = pdf_of("A dog.").replace(b"[0 0 612 792]", b"[0 0 99999 9999]")
    corpus = indexed(huge)
    width, height = drawn(sources.sheet(corpus, 0, 0, [])).size
    assert width * height < 4_100_000
    with Workers(FileLimits(seconds=1e-6)) as workers:
        short = SourcePages(workers)
        for _ in range(2):
            with pytest.raises(DocumentUnreadable, match="HEADCOUNT_FILE_SECONDS"):
                short.sheet(corpus, 0, 0, [])
    with pytest.raises(DocumentUnreadable, match="it has 1 pages, no page 2"):
        sources.sheet(corpus, 0, 1, [])
