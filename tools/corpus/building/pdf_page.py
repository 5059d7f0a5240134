"""A page of a PDF as it looks, and where words stand on it."""

import base64
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from ctypes import byref, c_int
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agent.errors import DocumentUnreadable
from tools.corpus.build_settings import FileLimits
from tools.corpus.building.part import digest_of
from tools.corpus.processes import limited
from tools.quotes import locate

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage, PdfTextPage

_SCALE: Final = 2.0
"""Pixels a point, at most."""
_MOST_PIXELS: Final = 4_000_000
_Box = tuple[int, int, int, int]
_HYPHENS: Final = {0x02: "-", 0xFFFE: "-"}
"""What PDFium makes of a hyphen at the end of a line."""


def draw_page(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return a page's `image`, a PNG in base64, its `width` and `height`, and where quotes stand.

    Asked are the `files` of which one has the `digest`, the `page` from 0, and the `quotes`, each
    with how often its words stand before it on the page. For each quote `boxes` has left, top,
    width and height of its lines in pixels; nothing where it is not found, as on the picture of a
    scan. `pages` are all there are.

    Raises DocumentUnreadable: no file is the one that was indexed, or its page cannot be drawn.
    """
    from pypdfium2 import PdfDocument, PdfiumError

    limits = FileLimits(**asked["limits"])
    with limited(limits.seconds, limits.memory_mb << 20):
        files = (each for each in asked["files"] if digest_of(Path(each)) == asked["digest"])
        if (file := next(files, None)) is None:
            raise DocumentUnreadable("its file has changed since it was indexed")
        try:
            with PdfDocument(file) as pdf:
                return _of_page(pdf, asked["page"], asked["quotes"])
        except PdfiumError as error:
            raise DocumentUnreadable(f"its pages cannot be drawn ({error})") from error


def _of_page(pdf: "PdfDocument", number: int, quotes: Sequence[tuple[str, int]]) -> dict[str, Any]:
    if not 0 <= number < len(pdf):
        raise DocumentUnreadable(f"it has {len(pdf)} pages, no page {number + 1}")
    pdf.init_forms()
    page = pdf[number]
    width, height = page.get_size()
    scale = min(_SCALE, math.sqrt(_MOST_PIXELS / (width * height)))
    image, png = page.render(scale=scale).to_pil(), io.BytesIO()
    image.save(png, "PNG")
    words = page.get_textpage()
    text = _text(words)
    boxes = [list(_boxes(page, words, _located(*each, text), image.size)) for each in quotes]
    return {
        "pages": len(pdf),
        "image": base64.b64encode(png.getvalue()).decode(),
        "width": image.width,
        "height": image.height,
        "boxes": boxes,
    }


def _text(words: "PdfTextPage") -> str:
    """Return the page's text, a character for each that PDFium counts."""
    from pypdfium2.raw import FPDFText_GetUnicode

    codes = (FPDFText_GetUnicode(words, at) for at in range(words.count_chars()))
    return "".join(_HYPHENS.get(code) or chr(min(code, 0xFFFD)) for code in codes)


def _located(quote: str, before: int, text: str) -> tuple[int, int]:
    """Return the span of the quote behind so many of the same words; an empty one without it."""
    found, at = (0, 0), 0
    for _ in range(before + 1):
        if (span := locate(quote, text[at:])) is None:
            break
        found = at + span[0], at + span[1]
        at = found[1]
    return found


def _boxes(
    page: "PdfPage", words: "PdfTextPage", span: tuple[int, int], size: tuple[int, int]
) -> Iterator[_Box]:
    """Yield a box for each line of a span, as the page is turned and cut when it is drawn."""
    from pypdfium2.raw import FPDF_PageToDevice

    def drawn(x: float, y: float) -> tuple[int, int]:
        across, down = c_int(), c_int()
        FPDF_PageToDevice(page, 0, 0, *size, 0, x, y, byref(across), byref(down))
        return across.value, down.value

    boxes = []
    for each in range(words.count_rects(span[0], span[1] - span[0])):
        left, bottom, right, top = words.get_rect(each)
        (x1, y1), (x2, y2) = drawn(left, bottom), drawn(right, top)
        boxes.append([min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)])
    return _lines(boxes)


def _lines(boxes: Iterable[Sequence[int]]) -> Iterator[_Box]:
    """Yield a box for those of each line, which follow one another: left, top, width, height."""
    lines: list[Sequence[int]] = []
    for box in boxes:
        last = lines[-1] if lines else box
        if lines and last[1] < (box[1] + box[3]) / 2 < last[3] and last[0] <= box[0]:
            lines[-1] = [*map(min, last[:2], box[:2]), *map(max, last[2:], box[2:])]
        else:
            lines.append(box)
    return ((left, top, right - left, bottom - top) for left, top, right, bottom in lines)
