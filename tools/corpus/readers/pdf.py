"""PDF: the text layer, page by page."""

import io
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from agent.errors import DocumentUnreadable
from tools.corpus.readers.extracted import Extracted, normalised

if TYPE_CHECKING:
    from pypdf import PdfReader

_PAGES_NAMED = 20
_AT_ONCE = 2**20


def read_pdf(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return the PDF as one document, pages parted by a form feed on a line of its own.

    Raises:
        DocumentUnreadable: If it needs a password, or has no text layer.
        Exception: Any that pypdf raises, if it is damaged.
    """
    reader = _opened(data)
    pages = _pages(reader)
    properties = _properties(reader)
    empty = [number for number, page in enumerate(pages, 1) if not page.strip()]
    if len(empty) == len(pages):
        raise DocumentUnreadable("no text layer (scanned?); run OCR first")
    text, notes = normalised("\n\f\n".join(pages).rstrip() + "\n")
    cut = _cut(reader)
    for what, numbers in (
        ("without text (scanned?)", empty),
        ("whose text may be cut (damaged)", cut),
    ):
        if numbers:
            named = ", ".join(map(str, numbers[:_PAGES_NAMED]))
            notes += (f"pages {what}: {named}{' …' * (len(numbers) > _PAGES_NAMED)}",)
    root: Any = reader.root_object
    told = root["/Pages"].get("/Count")  # whatever a damaged file has there
    if isinstance(told, int) and (lost := told - len(reader.pages)) > 0:
        notes += (f"pages that are named and not there: {lost}",)
    forms = [root[name] for name in ("/AcroForm",) if name in root]
    if any(isinstance(each, dict) and each.get("/Fields") for each in forms):
        notes += ("what is filled into its form is not read",)
    return [Extracted(text=text, properties=properties, warnings=notes)]


def _opened(data: bytes) -> "PdfReader":
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise DocumentUnreadable("PDF needs a password; save a copy without one")
    return reader


def _pages(reader: "PdfReader") -> list[str]:
    """Return the text of each page, once where it is named several times: pages form a tree."""
    texts: dict[object, str] = {}
    for number, page in enumerate(reader.pages):
        reference = page.indirect_reference
        own = number if reference is None else (reference.idnum, reference.generation)
        if own not in texts:
            texts[own] = page.extract_text().replace("\f", " ")
    return list(texts.values())


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
