import io
from collections.abc import Callable

import pytest

from agent.errors import DocumentUnreadable
from tests.tools.corpus.readers.made_files import repacked, saved
from tools.corpus.readers.docx import read_docx
from tools.corpus.readers.extracted import REVISED


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
    return saved(document.save)


def test_headings_paragraphs_and_rows_come_in_order() -> None:
    (extracted,) = read_docx(_saved(), None)
    assert extracted.text == "# Lease\n\nIt is made today.\n\n## Rent\n\na | b\nc | d\n\nAfter.\n"
    assert extracted.properties["Author"] == "Ann Lee"
    assert extracted.encoding is None


def _repacked(change: Callable[[bytes], bytes]) -> bytes:
    """Return a sound archive whose document is changed."""
    return repacked(_saved(), {"word/document.xml": change})


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ("<w:ins w:id='1'><w:r><w:t>in</w:t></w:r></w:ins>", True),
        ("<w:sdt><w:sdtContent><w:r><w:t>in</w:t></w:r></w:sdtContent></w:sdt>", True),
        ("<w:r><w:t>i<!-- of XML --></w:t><m:t xmlns:m='urn:math'>n</m:t></w:r>", True),
        ("<w:del w:id='1'><w:r><w:delText>in</w:delText></w:r></w:del>", False),
        ("<w:moveFrom w:id='1'><w:r><w:t>in</w:t></w:r></w:moveFrom>", False),
    ],
    ids=["insertion", "content-control", "formula", "deletion", "moved away"],
)
def test_revisions_and_controls(markup: str, shown: bool) -> None:
    old, new = b"<w:r><w:t>After.</w:t></w:r>", f"<w:r><w:t>After</w:t></w:r>{markup}".encode()
    data = _repacked(lambda xml: xml.replace(old, new))
    (found,) = read_docx(data, None)
    assert found.text.endswith("Afterin\n" if shown else "After\n")
    assert found.warnings == (() if shown else (REVISED,))


ONE, TWO = (f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in ("One", "two"))
CELLS = f"<w:tc>{ONE}{TWO}</w:tc><w:sdt><w:sdtContent><w:tc>{TWO}</w:tc></w:sdtContent></w:sdt>"
MARKUP = (
    f"<w:p><w:r><w:pict><w:txbxContent>{ONE}{TWO}</w:txbxContent></w:pict></w:r></w:p>"
    f"<w:tbl><w:tr>{CELLS}</w:tr></w:tbl>"
    f"<w:tbl><w:tr><w:tc><w:tbl><w:tr>{CELLS}</w:tr></w:tbl></w:tc></w:tr></w:tbl>"
    "<w:p><w:r><w:t>non</w:t><w:noBreakHyphen/><w:t>compete</w:t></w:r></w:p>"
    f"<w:moveTo w:id='1'>{ONE}</w:moveTo><w:sectPr"
)


def test_no_text_is_lost_or_runs_together() -> None:
    data = _repacked(lambda xml: xml.replace(b"<w:sectPr", MARKUP.encode(), 1))
    behind = read_docx(data, None)[0].text.partition("After.\n\n")[2]
    assert behind == "One\ntwo\n\nOne two | two\n\nOne two two\n\nnon-compete\n\nOne\n"


def test_headers_are_read_once_and_comments_are_named() -> None:
    from docx import Document

    document = Document(io.BytesIO(_saved()))
    assert not len(document.comments)  # which makes their part, as pandoc does
    assert read_docx(saved(document.save), None)[0].warnings == ()
    document.add_comment(document.paragraphs[1].runs, "Not so.")
    for section in (document.sections[0], document.add_section()):
        section.header.is_linked_to_previous = False
        section.header.paragraphs[0].text = "Case 4711"
    (extracted,) = read_docx(saved(document.save), None)
    assert extracted.text.endswith("After.\n\nCase 4711\n")
    assert extracted.warnings == ("parts not read: comments",)


def test_a_document_without_a_body_is_refused() -> None:
    lost = _repacked(lambda xml: xml.replace(b"w:document", b"w:documents"))
    with pytest.raises(DocumentUnreadable, match="no body"):
        read_docx(lost, None)
