"""Pictures: what stands on them by OCR; a TIFF's pictures are pages."""

import io
from typing import TYPE_CHECKING, Final

from agent.errors import DocumentUnreadable
from tools.corpus.readers.extracted import Extracted, normalised
from tools.corpus.readers.ocr import (
    check_ocr,
    languages,
    ocr_properties,
    read_picture,
    unsure_of,
)

if TYPE_CHECKING:
    from PIL.Image import Image

IMAGES: Final = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp")
"""Suffixes."""
_MOST_PIXELS: Final = 150_000_000
_SIDE: Final = 6_000
"""Pixels that a side is reduced to: of A3 about 360 an inch."""
_TOLD: Final = {"Title": 270, "Author": 315, "Created": 306}
"""Tags of TIFF and Exif."""


def read_image(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return the text of the picture, of an animation that of its first; raises ScanUnread."""
    from PIL import Image, UnidentifiedImageError

    check_ocr()
    try:
        picture = Image.open(io.BytesIO(data))
    except UnidentifiedImageError as error:  # which names an object of ours
        raise DocumentUnreadable("damaged picture (of no known format); save it again") from error
    with picture as opened:
        frames = getattr(opened, "n_frames", 1)
        count = frames if opened.format == "TIFF" else 1
        told = {key: str(opened.getexif().get(tag, "")).strip() for key, tag in _TOLD.items()}
        pages = {}
        for number in range(count):
            opened.seek(number)
            pages[number + 1] = read_picture(_upright(opened))
    text, notes = normalised("\n\f\n".join(each.text for each in pages.values()) + "\n")
    notes += unsure_of(pages)
    notes += (f"moving pictures not read: {frames - 1}",) if frames > count else ()
    told["Created"] = told["Created"][:10].replace(":", "-")  # as Exif writes 2021:03:04 10:00:00
    known = {key: value for key, value in told.items() if value}
    properties = {**known, **ocr_properties(pages)}
    return [Extracted(text=text, properties=properties, warnings=notes, ocr=languages())]


def _upright(opened: "Image") -> "Image":
    """Return a picture in grey on white, as its camera was held."""
    from PIL import Image, ImageOps

    if opened.width * opened.height > _MOST_PIXELS:
        raise DocumentUnreadable(f"a picture of {opened.width} × {opened.height} pixels: refused")
    image = ImageOps.exif_transpose(opened)
    if image.has_transparency_data:
        white = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(white, image.convert("RGBA"))
    image = image.convert("L")
    image.thumbnail((_SIDE, _SIDE))
    return image
