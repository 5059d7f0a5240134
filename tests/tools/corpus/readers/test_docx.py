import io
import zipfile
from collections.abc import Callable

import pytest

from agent.errors import DocumentUnreadable
from tools.corpus.readers.docx import read_docx


def _saved() -> bytes:
    from docx import Document

    document = Document()
    document.core_properties.author = "Ann Lee"
    document.add_heading("Lease", 0)
    document.add_paragraph("It is made today.")
    document.add_heading("Rent", 2)
    table = document.add_table(2, 2)
    for cell, text in zip((c for row in table.rows for c in row.cells), "abcd", strict=True):
        cell.text = text
    document.add_paragraph("After.")
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def test_headings_paragraphs_and_rows_come_in_order() -> None:
    (extracted,) = read_docx(_saved(), None)
    assert extracted.text == "# Lease\n\nIt is made today.\n\n## Rent\n\na | b\nc | d\n\nAfter.\n"
    assert extracted.properties["Author"] == "Ann Lee"
    assert extracted.encoding is None


def _repacked(change: Callable[[bytes], bytes]) -> bytes:
    """Return a sound archive whose document is changed."""
    source, target = zipfile.ZipFile(io.BytesIO(_saved())), io.BytesIO()
    with source, zipfile.ZipFile(target, "w") as archive:
        for entry in source.infolist():
            data = source.read(entry)
            changed = entry.filename == "word/document.xml"
            archive.writestr(entry, change(data) if changed else data)
    return target.getvalue()


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ("<w:ins w:id='1'><w:r><w:t>in</w:t></w:r></w:ins>", True),
        ("<w:sdt><w:sdtContent><w:r><w:t>in</w:t></w:r></w:sdtContent></w:sdt>", True),
        ("<w:del w:id='1'><w:r><w:delText>in</w:delText></w:r></w:del>", False),
    ],
    ids=["insertion", "content-control", "deletion"],
)
def test_revisions_and_controls(markup: str, shown: bool) -> None:
    old, new = b"<w:r><w:t>After.</w:t></w:r>", f"<w:r><w:t>After</w:t></w:r>{markup}".encode()
    data = _repacked(lambda xml: xml.replace(old, new))
    assert read_docx(data, None)[0].text.endswith("Afterin\n" if shown else "After\n")


def test_an_archive_that_unpacks_to_far_more_is_refused() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"0" * (64 * 1024 * 1024))
    with pytest.raises(DocumentUnreadable, match="unpacks"):
        read_docx(file.getvalue(), None)
