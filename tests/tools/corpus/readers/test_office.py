"""Office files and books: what pandoc made, what is made here, and some that are odd."""

import io
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from agent.errors import DocumentUnreadable
from tests.tools.corpus.readers.made_files import Change, repacked, saved, zipped
from tools.corpus.readers import SUFFIXES, Extracted
from tools.corpus.readers.extracted import REVISED
from tools.corpus.readers.office import read_docx

MADE = Path(__file__).parent / "made"
"""By pandoc, of one text with headings, a list, a table and a footnote."""
ROWS = "Room | Area\nHall | 12\nLoft | 30"


def read(name: str, data: bytes | None = None) -> Extracted:
    data = (MADE / name).read_bytes() if data is None else data
    (extracted,) = SUFFIXES[Path(name).suffix][1](data, None)
    return extracted


def changed(name: str, changes: Mapping[str, Change]) -> bytes:
    return repacked((MADE / name).read_bytes(), changes)


@pytest.mark.parametrize("suffix", ["odt", "pptx"])
def test_what_pandoc_writes_is_read_whole(suffix: str) -> None:
    document = read(f"lease.{suffix}")
    text = document.text
    words = ("Lease of the north barn", "The tenant pays £900 a month", "one month’s rent")
    for each in (*words, "kept by Zoë & Co", "By standing order.", "Two years “from” 1 April"):
        assert each in text, each
    assert ROWS in text
    assert not document.warnings
    assert "# Rent\n\n" in text
    assert document.properties["Author"] == "Ann Lee"
    assert document.properties["Title"] == "Lease of the north barn"


def test_groups_notes_and_hidden_slides_are_read_and_what_is_no_text_is_counted() -> None:
    from pptx import Presentation

    made = Presentation()
    first = made.slides.add_slide(made.slide_layouts[5])
    first.shapes.title.text = "Third\nquarter"
    first.shapes.add_group_shape().shapes.add_textbox(0, 0, 1, 1).text_frame.text = "in a group"
    first.notes_slide.notes_text_frame.text = "Say it slowly."
    second = made.slides.add_slide(made.slide_layouts[6])
    second.shapes.add_textbox(0, 0, 1, 1).text_frame.text = "not for all"
    second.element.set("show", "0")
    data = second.shapes.add_table(1, 1, 0, 0, 9, 9).element.xpath(".//a:graphicData")[0]
    data.remove(data[0])
    data.set("uri", "diagram")
    document = read("a.pptx", saved(made.save))
    shown, hidden = document.text.split("\f")
    assert shown == "# Third quarter\n\nin a group\n\nNotes: Say it slowly.\n"
    assert hidden == "not for all\n"
    unread = "pictures, charts and other objects not read: 1"
    assert document.warnings == ("slides that are hidden: 2", unread)


CONTENT = """<office:document-content
 xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
 xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0">
<office:body><office:text>{}</office:text></office:body></office:document-content>"""


def opened(body: str) -> Extracted:
    data = changed(
        "lease.odt",
        {"content.xml": CONTENT.format(body).encode(), "meta.xml": None, "styles.xml": None},
    )
    return read("a.odt", data)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            "<text:p>x<draw:frame><text:p>One</text:p><text:p>2</text:p></draw:frame>y</text:p>",
            "x\nOne\n2\ny\n",
        ),
        ("<text:p>a<!-- not --><?not me?>b</text:p>", "ab\n"),
        ("<text:h text:outline-level='-3'>Top</text:h>", "# Top\n"),
        (
            (
                "<table:table><table:table-row>"
                "<table:table-cell table:number-columns-repeated='-5'><text:p>A</text:p>"
                "</table:table-cell><table:table-cell><table:table>"
                "<table:table-row table:number-rows-repeated='2'>"
                "<table:table-cell><text:p>B</text:p></table:table-cell>"
                "</table:table-row></table:table></table:table-cell>"
                "</table:table-row></table:table>"
            ),
            "A | B\nB\n",
        ),
        ("<text:p>a<text:s text:c='2'/>b<text:tab/>c<text:line-break/>d</text:p>", "a  b\tc\nd\n"),
        ("<text:section><text:p>in</text:p></text:section>", "in\n"),
        ("<text:p><text:span>in <text:a>it</text:a></text:span> all</text:p>", "in it all\n"),
        (
            "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:p>in</text:p>",
            "in\n",
        ),
        ("<text:h text:outline-level='9'>Deep</text:h>", "###### Deep\n"),
        (
            (
                "<table:table><table:table-row><table:table-cell"
                " table:number-columns-repeated='1000000'/></table:table-row><table:table-row>"
                "<table:table-cell><text:p>1</text:p><text:p>2</text:p></table:table-cell>"
                "</table:table-row></table:table>"
            ),
            "1 2\n",
        ),
        (
            (
                "<draw:page><draw:frame><text:p>One</text:p></draw:frame></draw:page><draw:page>"
                "<presentation:notes><text:p>Two</text:p></presentation:notes></draw:page>"
            ),
            "One\n\fNotes: Two\n",
        ),
    ],
)
def test_an_opendocument_text_is_read_as_it_shows(body: str, text: str) -> None:
    assert opened(body).text == text


def test_comments_are_named_and_no_text() -> None:
    comment = "<office:annotation><text:p>who?</text:p></office:annotation>"
    document = opened(f"<text:p>in{comment} it</text:p>")
    assert (document.text, document.warnings) == ("in it\n", ("comments not read: 1",))


@pytest.mark.parametrize("suffix", ["docx", "odt", "pptx", "xlsx", "zip"])
def test_what_unpacks_to_far_too_much_is_refused(suffix: str) -> None:
    bomb = zipped({"xl/workbook.xml": b"0" * 60_000_000})
    with pytest.raises(DocumentUnreadable, match="unpacks from"):
        read(f"a.{suffix}", bomb)


def test_nothing_outside_a_file_is_looked_up(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    entity = f'<!DOCTYPE x [<!ENTITY e SYSTEM "{secret.as_uri()}">]>'
    body = CONTENT.format("<text:p>in &e; it</text:p>")
    data = changed("lease.odt", {"content.xml": f"{entity}{body}".encode()})
    assert "secret" not in read("a.odt", data).text


def test_an_encrypted_text_needs_a_password() -> None:
    manifest = b"<manifest><encryption-data/></manifest>"
    with pytest.raises(DocumentUnreadable, match="password"):
        read("lease.odt", changed("lease.odt", {"META-INF/manifest.xml": manifest}))


def test_a_text_is_no_title_and_a_transition_no_object_as_libreoffice_writes_them() -> None:
    from lxml import etree
    from pptx import Presentation

    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = "first item\nsecond item"
    slide.shapes.title.element.ph.attrib.pop("type")
    space = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    etree.SubElement(slide.element, f"{{{space}}}AlternateContent")
    document = read("a.pptx", saved(made.save))
    assert document.text == "first item\nsecond item\n"
    assert not document.warnings


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
