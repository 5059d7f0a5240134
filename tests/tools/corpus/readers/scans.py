"""Pictures of text, drawn by Pillow; a mark for tests that have Tesseract read them."""

import io
from collections.abc import Sequence

import pytest
from PIL import Image, ImageDraw, ImageFont

from tools.corpus.readers.ocr import lacking

needs_ocr = pytest.mark.skipif(bool(lacking("eng")), reason=lacking("eng"))
LEASE = "The rent of the barn is 900 pounds.\nThe tenant keeps one dog."


def picture(text: str) -> Image.Image:
    """Return a text as black on white, as a scanner with 200 points an inch would."""
    image = Image.new("L", (1200, 900), "white")
    draw = ImageDraw.Draw(image)
    draw.multiline_text((80, 80), text, fill="black", font=ImageFont.load_default(40), spacing=20)
    return image


def scan(images: Sequence[Image.Image], form: str) -> bytes:
    """Return pictures as the pages of a file: PDF or TIFF, or any form with one."""
    file = io.BytesIO()
    more = {"save_all": True, "append_images": images[1:]} if len(images) > 1 else {}
    images[0].save(file, form, **more)
    return file.getvalue()
