import io
import zlib

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DictionaryObject, EncodedStreamObject, NameObject

from agent.errors import DocumentUnreadable
from tests.tools.corpus.readers.made_files import saved
from tools.corpus.readers.ocr import NO_OCR, lacking
from tools.corpus.readers.pdf import read_pdf


def pdf_of(*pages: str, marks: str = "[]") -> bytes:
    """Return a PDF with a line of text on each page that has one, and marks on each."""
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    marked = f"/Annots {marks} " if marks != "[]" else ""
    shared = marked + "/MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>"
    for index, text in enumerate(pages):
        content = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET" if text else ""
        objects += [
            f"<< /Type /Page /Parent 2 0 R {shared} /Contents {5 + 2 * index} 0 R >>",
            f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        ]
    file = io.BytesIO(b"%PDF-1.4\n")
    file.seek(0, io.SEEK_END)
    places = []
    for number, body in enumerate(objects, 1):
        places.append(file.tell())
        file.write(f"{number} 0 obj\n{body}\nendobj\n".encode())
    table = file.tell()
    rows = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    file.write(f"xref\n0 {size}\n0000000000 65535 f \n{rows}".encode())
    file.write(f"trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n".encode())
    return file.getvalue()


def test_pages_are_read_in_order_and_empty_ones_are_named() -> None:
    (extracted,) = read_pdf(pdf_of("First page.", "", "Third page."), None)
    assert extracted.text == "First page.\n\f\n\n\f\nThird page.\n"
    assert extracted.warnings == ("pages without text: 2",)
    assert not read_pdf(pdf_of("", ""), None)[0].text.strip()


@pytest.mark.parametrize(("was", "now"), [
    (b"/Count 2", b"/Count /X"),
    (b"/Pages 2 0 R >>", b"/Pages 2 0 R /AcroForm 3 >>"),
])  # fmt: skip
def test_damage_beside_the_pages_costs_no_page(was: bytes, now: bytes) -> None:
    (extracted,) = read_pdf(pdf_of("One.", "Two.").replace(was, now), None)
    assert extracted.text == "One.\n\f\nTwo.\n"


def test_lost_pages_and_forms_are_told() -> None:
    (lost,) = read_pdf(pdf_of("One.", "Two.").replace(b"6 0 R]", b"9 0 R]"), None)
    assert (lost.text, lost.warnings) == ("One.\n", ("pages that are named and not there: 1",))
    form = pdf_of("One.").replace(b"/Catalog", b"/Catalog /AcroForm << /Fields [9] >>")
    assert read_pdf(form, None)[0].warnings == ("what is filled into its form is not read",)


@pytest.mark.parametrize(
    ("marks", "count"),
    [
        ("[<< /Subtype /Text /Contents (Ask Ann.) >> << /Subtype /FreeText /Contents (No.) >>]", 2),
        ("[<< /Subtype /Highlight >> << /Subtype /Link /Contents (Home) >>]", 0),
        ("<< /A (b) >>", 0),
        ("[[] /X (b) 99 0 R null << /Contents [] >>]", 0),
    ],
    ids=["comments", "others", "damaged", "damaged within"],
)
def test_comments_on_pages_are_counted(marks: str, count: int) -> None:
    (extracted,) = read_pdf(pdf_of("One.", marks=marks), None)
    told = (f"comments on its pages are not read: {count}",) if count else ()
    assert (extracted.text, extracted.warnings) == ("One.\n", told)


def test_a_page_with_something_else_for_its_resources_is_named() -> None:
    resources = b"/Resources << /Font << /F1 3 0 R >> >>"
    odd = pdf_of("One.", "Two.").replace(resources, b"/Resources /Font", 1)
    cut = "pages whose text may be cut (damaged): 1"
    unread = f"pages without a text layer, not read ({lacking(NO_OCR)}): 1"
    assert read_pdf(odd, None)[0].warnings == (unread, cut)


@pytest.mark.parametrize("form", [False, True])
@pytest.mark.parametrize("lost", [0, 30])
def test_a_page_with_a_stream_that_ends_early_is_named(lost: int, form: bool) -> None:
    lines = "".join(f"BT /F1 9 Tf 9 {at} Td (Line {at % 7}.) Tj ET " for at in range(99, 0, -1))
    packed = zlib.compress(lines.encode())
    stream = EncodedStreamObject()
    stream._data = packed[: len(packed) - lost]
    stream[NameObject("/Filter")] = NameObject("/FlateDecode")
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf_of("First page.", "Second /X Do"))))
    page = writer.pages[1]
    if form:
        stream[NameObject("/Subtype")] = NameObject("/Form")
        named = DictionaryObject({NameObject("/X"): writer._add_object(stream)})
        page[NameObject("/Resources")][NameObject("/XObject")] = named
    else:
        page[NameObject("/Contents")] = writer._add_object(stream)
    told = ("pages whose text may be cut (damaged): 2",) if lost else ()
    assert read_pdf(saved(writer.write), None)[0].warnings == told


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_a_pdf_is_decrypted_unless_it_needs_a_password(algorithm: str) -> None:
    def encrypted(password: str) -> bytes:
        writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf_of("A lease."))))
        writer.encrypt(password, "owner", algorithm=algorithm)
        return saved(writer.write)

    assert read_pdf(encrypted(""), None)[0].text == "A lease.\n"
    with pytest.raises(DocumentUnreadable, match="password"):
        read_pdf(encrypted("key"), None)
