"""Files as bytes: written in memory, archives that are changed, pictures of text for OCR."""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from typing import IO

import pytest
from PIL import Image, ImageDraw, ImageFont

from tools.corpus.readers.ocr import lacking

Change = Callable[[bytes], bytes] | bytes | None
"""What a file becomes: what is made of it, other bytes, or nothing."""


def saved(save: Callable[[IO[bytes]], object]) -> bytes:
    """Return what a document's method that saves it writes."""
    file = io.BytesIO()
    save(file)
    return file.getvalue()


def repacked(data: bytes, changes: Mapping[str, Change]) -> bytes:
    """Return an archive of which some files are changed."""
    target = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as source,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for entry in source.namelist():
            found = source.read(entry)
            change = changes.get(entry, found)
            content = change(found) if callable(change) else change
            if content is not None:
                archive.writestr(entry, content)
    return target.getvalue()


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """Return an archive of these files, by their paths."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


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
