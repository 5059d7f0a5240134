"""PDF: the text layer, page by page; by OCR the pages that are pictures."""

import io
import math
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agent.errors import DocumentUnreadable
from tools.corpus.readers.extracted import Extracted, normalised
from tools.corpus.readers.ocr import (
    UNREAD,
    ReadPicture,
    ScanUnread,
    confidence_of,
    lacking,
    languages,
    read_picture,
)

if TYPE_CHECKING:
    from pypdf import PdfReader
    from pypdfium2 import PdfPage

_PAGES_NAMED = 20
_AT_ONCE = 2**20
_BARE = 100
"""Letters below which a page that a picture fills is a scan: a stamp or a number on it, at most."""
_SCALE = 300 / 72
_NO_REMARKS = {"/Link", "/Widget", "/Popup", "/Screen"}
"""What a page may have besides: words there describe it."""
_MOST_PIXELS = 25_000_000


def read_pdf(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return the PDF as one document, pages parted by a form feed on a line of its own.

    Raises ScanUnread where it is a scan, and OCR is not there.
    """
    reader = _opened(data)
    pages = _pages(reader)
    scans = _scans(data, pages)
    texts = [scans.read[n].text if n in scans.read else text for n, (_, text) in pages.items()]
    if not any(map(str.strip, texts)) and scans.unread:
        reason = f"no text layer (scanned?): {scans.why}"
        raise (ScanUnread if scans.lacking else DocumentUnreadable)(reason)
    text, notes = normalised("\n\f\n".join(texts).rstrip() + "\n")
    empty = [n for n, each in enumerate(texts, 1) if not each.strip() and n not in scans.unread]
    for what, numbers in (
        ("without text", empty),
        (f"without a text layer, not read ({scans.why})", scans.unread),
        ("whose text may be cut (damaged)", _cut(reader)),
    ):
        if numbers:
            named = ", ".join(map(str, numbers[:_PAGES_NAMED]))
            notes += (f"pages {what}: {named}{' …' * (len(numbers) > _PAGES_NAMED)}",)
    confidence, unsure = confidence_of(scans.read)
    notes += unsure
    root: Any = reader.root_object
    told = root["/Pages"].get("/Count")  # whatever a damaged file has there
    if isinstance(told, int) and (lost := told - len(reader.pages)) > 0:
        notes += (f"pages that are named and not there: {lost}",)
    forms = [root[name] for name in ("/AcroForm",) if name in root]
    if any(isinstance(each, dict) and each.get("/Fields") for each in forms):
        notes += ("what is filled into its form is not read",)
    names = [root[name] for name in ("/Names",) if name in root]
    if any(isinstance(each, dict) and "/EmbeddedFiles" in each for each in names):
        notes += ("files that are attached to it are not read",)
    if remarks := _remarks(reader):
        notes += (f"comments on its pages are not read: {remarks}",)
    ocr = UNREAD if scans.lacking else languages() if scans.read or scans.unread else ""
    properties = {**_properties(reader), **confidence}
    return [Extracted(text=text, properties=properties, warnings=notes, ocr=ocr)]


@dataclass(slots=True)
class _Scans:
    """The pages that are pictures, by number."""

    read: dict[int, ReadPicture] = field(default_factory=dict)
    unread: list[int] = field(default_factory=list)
    why: str = ""
    """Of those that are not read."""
    lacking: bool = False
    """Whether they would be if OCR were there."""


def _scans(data: bytes, pages: Mapping[int, tuple[int, str]]) -> _Scans:
    """Read by OCR the pages that are pictures, but those whose text layer says more."""
    from pypdfium2 import PdfDocument, PdfiumError

    found = _Scans()
    bare = [n for n, (_, text) in pages.items() if len("".join(text.split())) < _BARE]
    if not bare:
        return found
    try:
        with PdfDocument(data) as pdf:
            for number in bare:
                index, text = pages[number]
                if _is_scan(page := pdf[index], text):
                    _read_scan(page, number, text, found)
    except PdfiumError as error:
        found.why = f"its pages cannot be drawn: {error}"
        left = (n for n in bare if n not in found.read and n not in found.unread)
        found.unread += [n for n in left if not pages[n][1].strip()]
    return found


def _read_scan(page: "PdfPage", number: int, text: str, found: _Scans) -> None:
    if why := lacking(languages()):
        found.why, found.lacking = why, True
        if not text.strip():
            found.unread.append(number)
        return
    width, height = page.get_size()
    scale = min(_SCALE, math.sqrt(_MOST_PIXELS / (width * height)))
    try:
        read = read_picture(page.render(scale=scale, grayscale=True).to_pil())
    except DocumentUnreadable as error:
        found.why = str(error)
        found.unread.append(number)
    else:
        if not text.strip() or len(read.text.split()) > len(text.split()):
            found.read[number] = read


def _is_scan(page: "PdfPage", text: str) -> bool:
    """Tell whether a page shows something, and one with text a picture over half of it."""
    from pypdfium2.raw import FPDF_PAGEOBJ_IMAGE, FPDFPage_CountObjects

    if not text.strip():
        return bool(FPDFPage_CountObjects(page) > 0)
    width, height = page.get_size()
    pictures = (each.get_bounds() for each in page.get_objects([FPDF_PAGEOBJ_IMAGE], max_depth=3))
    shown = sum((right - left) * (top - bottom) for left, bottom, right, top in pictures)
    return bool(2 * shown > width * height)


def _opened(data: bytes) -> "PdfReader":
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise DocumentUnreadable("PDF needs a password; save a copy without one")
    return reader


def _pages(reader: "PdfReader") -> dict[int, tuple[int, str]]:
    """Return each different page's index in the file and its text by its number, from 1."""
    texts: dict[object, tuple[int, str]] = {}
    for index, page in enumerate(reader.pages):
        reference = page.indirect_reference
        own = index if reference is None else (reference.idnum, reference.generation)
        if own not in texts:
            texts[own] = index, page.extract_text().replace("\f", " ")
    return dict(enumerate(texts.values(), 1))


def _cut(reader: "PdfReader") -> list[int]:
    """Return the pages that a packed stream draws on which ends early: pypdf takes what it gets.

    So are pages that have something else where a dictionary or a stream belongs.
    """
    whole: dict[int, bool] = {}
    cut = []
    for number, page in enumerate(reader.pages, 1):
        try:
            streams = {id(own): own for own in _streams(page)}
        except AttributeError:
            cut.append(number)
            continue
        whole |= {key: _is_whole(streams[key]) for key in streams.keys() - whole.keys()}
        cut += [number] * (not all(whole[key] for key in streams))
    return cut


def _streams(page: Any) -> list[Any]:
    """Return what draws a page; raises AttributeError where the page is damaged."""
    from pypdf.generic import ArrayObject, DictionaryObject

    contents = page.get("/Contents", ArrayObject()).get_object()
    resources = page.get("/Resources", DictionaryObject()).get_object()
    forms = resources.get("/XObject", DictionaryObject()).get_object().values()
    drawn = [*(contents if isinstance(contents, list) else [contents]), *forms]
    return [each.get_object() for each in drawn]


def _is_whole(stream: Any) -> bool:
    from pypdf.generic import StreamObject

    packed = isinstance(stream, StreamObject) and stream.get("/Subtype") != "/Image"
    if not packed or stream.get("/Filter") not in ("/FlateDecode", ["/FlateDecode"]):
        return True
    unpacker, left = zlib.decompressobj(), stream._data  # noqa: SLF001 - there is no public way
    with suppress(zlib.error):
        while left and not unpacker.eof:
            unpacker.decompress(left, _AT_ONCE)
            left = unpacker.unconsumed_tail
    return unpacker.eof


def _remarks(reader: "PdfReader") -> int:
    """Return how many notes and marks on the pages have words of their own."""
    lists = [page["/Annots"] for page in reader.pages if "/Annots" in page]
    marks: list[Any] = [each.get_object() for own in lists if isinstance(own, list) for each in own]
    return sum(
        isinstance(each, dict)
        and each.get("/Subtype") not in _NO_REMARKS
        and bool(str(each.get("/Contents") or "").strip())
        for each in marks
    )


def _properties(reader: "PdfReader") -> dict[str, str]:
    about = reader.metadata
    if about is None:
        return {}
    known = {"Title": about.title, "Author": about.author, "Subject": about.subject}
    properties = {key: str(value).strip() for key, value in known.items() if value}
    created = str(about.get("/CreationDate") or "").removeprefix("D:")[:8]
    if len(created) == 8 and created.isdigit():
        properties["Created"] = f"{created[:4]}-{created[4:6]}-{created[6:]}"
    return {key: value for key, value in properties.items() if value}
