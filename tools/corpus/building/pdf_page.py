"""A page of a PDF as it looks, and where words stand on it; in a process apart, as all reading."""

import base64
import hashlib
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from ctypes import byref, c_int
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agent.errors import DocumentUnreadable
from tools.corpus.documents import MOST_BYTES
from tools.corpus.processes import limited
from tools.quotes import locate

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage, PdfTextPage

_SCALE: Final = 2.0
"""Pixels a point, at most: a point is 1/72 inch."""
_MOST_PIXELS: Final = 4_000_000
_FINE: Final = 10
"""Steps a point in which the place of words is told."""
_HYPHENS: Final = {0x02: "-", 0xFFFE: "-"}
"""What PDFium makes of a hyphen at the end of a line."""


def draw_page(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return a page's image in base64, or its size and where quotes stand on it.

    Asked are the `files` of which one has the `digest`, the `page` from 0, and the `quotes`, each
    with how many times its words stand before it on the page; without them it is drawn. Boxes are
    left, top, width and height in points; a quote that is not found has none.

    Raises DocumentUnreadable: no file is the one that was indexed, or its page cannot be drawn.
    """
    from pypdfium2 import PdfDocument, PdfiumError

    with limited(asked["seconds"], asked["memory_mb"] << 20):
        data = _data(asked["files"], asked["digest"])
        try:
            with PdfDocument(data) as pdf:
                return _of_page(pdf, asked)
        except PdfiumError as error:
            raise DocumentUnreadable(f"its pages cannot be drawn ({error})") from error


def _data(files: Sequence[str], digest: str) -> bytes:
    for each in map(Path, files):
        if each.stat().st_size <= MOST_BYTES:
            data = each.read_bytes()
            if hashlib.sha256(data).hexdigest() == digest:
                return data
    raise DocumentUnreadable("its file has changed since it was indexed")


def _of_page(pdf: "PdfDocument", asked: Mapping[str, Any]) -> dict[str, Any]:
    if not 0 <= asked["page"] < len(pdf):
        raise DocumentUnreadable(f"it has {len(pdf)} pages, no page {asked['page'] + 1}")
    pdf.init_forms()
    page = pdf[asked["page"]]
    width, height = page.get_size()
    if not (1 <= width < math.inf and 1 <= height < math.inf):
        raise DocumentUnreadable(f"page {asked['page'] + 1} has no size")
    if asked["quotes"] is None:
        scale = min(_SCALE, math.sqrt(_MOST_PIXELS / (width * height)))
        image = io.BytesIO()
        page.render(scale=scale).to_pil().save(image, "PNG")
        return {"image": base64.b64encode(image.getvalue()).decode()}
    words = page.get_textpage()
    text = _text(words)
    spans = (_located(quote, text, before) for quote, before in asked["quotes"])
    boxes = [list(_boxes(page, words, span)) if span else [] for span in spans]
    return {"pages": len(pdf), "width": width, "height": height, "boxes": boxes}


def _text(words: "PdfTextPage") -> str:
    """Return the page's text, a character for each that PDFium counts."""
    from pypdfium2.raw import FPDFText_GetUnicode

    codes = (FPDFText_GetUnicode(words, at) for at in range(words.count_chars()))
    return "".join(_HYPHENS.get(code) or chr(code if code < 0x110000 else 0xFFFD) for code in codes)


def _located(quote: str, text: str, before: int) -> tuple[int, int] | None:
    """Return the span of the quote behind so many others of the same words; else of the last."""
    found, at = None, 0
    for _ in range(before + 1):
        span = locate(quote, text[at:])
        if span is None:
            break
        found = at + span[0], at + span[1]
        at = found[1]
    return found


def _boxes(
    page: "PdfPage", words: "PdfTextPage", span: tuple[int, int]
) -> Iterator[tuple[float, float, float, float]]:
    """Yield a box for each line of a span, as the page is turned and cut when it is drawn."""
    lines: list[list[float]] = []
    for each in range(words.count_rects(span[0], span[1] - span[0])):
        left, bottom, right, top = words.get_rect(each)
        (x1, y1), (x2, y2) = _drawn(page, left, bottom), _drawn(page, right, top)
        box = [min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)]
        last = lines[-1] if lines else box
        if lines and last[1] < (box[1] + box[3]) / 2 < last[3] and last[0] <= box[0]:
            lines[-1] = [*map(min, last[:2], box[:2]), *map(max, last[2:], box[2:])]
        else:
            lines.append(box)
    for left, top, right, bottom in lines:
        yield left, top, right - left, bottom - top


def _drawn(page: "PdfPage", x: float, y: float) -> tuple[float, float]:
    """Return where a point of the page's own space is drawn, from the top left."""
    from pypdfium2.raw import FPDF_PageToDevice

    across, down = c_int(), c_int()
    size = (math.ceil(each * _FINE) for each in page.get_size())
    FPDF_PageToDevice(page, 0, 0, *size, 0, x, y, byref(across), byref(down))
    return across.value / _FINE, down.value / _FINE
