"""OCR: what stands on a page or a picture, read by Tesseract within this process."""

import io
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from agent.errors import DocumentUnreadable
from tools.corpus.processes import more_time
from tools.corpus.readers.extracted import Extracted, normalised

if TYPE_CHECKING:
    from PIL.Image import Image

NO_OCR: Final = "none"
"""Instead of languages: nothing is to be read by OCR."""
UNREAD: Final = "-"
"""Instead of languages: there are scans, and OCR was not there to read them."""
LOW: Final = 70
"""A page read with less confidence, of 100, is named: about every tenth word of it is wrong."""
UNSURE: Final = "pages that OCR is unsure of"
_PAGE_MS: Final = 45_000
_SHOWN: Final = 20
_SPECKLED: Final = 0.003
_LARGE: Final = 1_200
"""Pixels of the shorter side of a page at 150 an inch: print is speckled at fewer."""
_languages: ContextVar[str] = ContextVar("languages", default=NO_OCR)


class ScanUnread(DocumentUnreadable):
    """A picture of text that OCR would read if it were there, with what to install."""


class ReadPicture(NamedTuple):
    """What stands on a picture."""

    text: str
    confidence: int
    """Tesseract's own mean over the words, 0 to 100."""


@contextmanager
def reading_in(languages: str) -> Iterator[None]:
    """Have readers read pictures in these languages of Tesseract, as `eng+deu`."""
    before = _languages.set(languages)
    try:
        yield
    finally:
        _languages.reset(before)


def languages() -> str:
    """Return the languages that pictures are read in."""
    return _languages.get()


def lacking(wanted: str) -> str:
    """Return why pictures cannot be read in these languages, and what to do; empty if they can."""
    if wanted == NO_OCR:
        return f"OCR is switched off: index with --ocr and a language other than {NO_OCR!r}"
    if find_spec("tesserocr") is None:
        return "to read it by OCR, `pip install 'headcount[ocr]'` and Tesseract, and index again"
    if (folder := _data_folder()) is None:
        told = "(Debian: `apt install tesseract-ocr`; its language data may be in TESSDATA_PREFIX)"
        return f"to read it by OCR, install Tesseract {told}, and index again"
    files = {name: folder / f"{name}.traineddata" for name in wanted.split("+")}
    if absent := [name for name, file in files.items() if not file.is_file()]:
        known = sorted(each.name.partition(".")[0] for each in folder.glob("*.traineddata"))
        told = f"Tesseract has no language {absent[0]!r}, only {', '.join(known) or 'none'}"
        return (
            f"{told}: install it (Debian: `apt install tesseract-ocr-LANG`), or name one by --ocr"
        )
    return ""


def read_picture(image: "Image") -> ReadPicture:
    """Return what stands on a picture; one that lies on its side or its head is turned.

    Each reading of it has the time of a file, and raises DocumentUnreadable beyond.
    """
    image = _despeckled(image)
    found = _read(image)
    for angle in (180, 90, 270):
        if found.confidence >= LOW or not found.text.strip():
            break
        turned = _read(image.rotate(angle, expand=True))
        found = max(found, turned, key=lambda each: each.confidence)
    return found


def confidence_of(pages: Mapping[int, ReadPicture]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the least of pages, by number, on which there is text; a note that names the low."""
    told = {number: each.confidence for number, each in pages.items() if each.text.strip()}
    low = [f"{number} ({sure} %)" for number, sure in told.items() if sure < LOW]
    note = f"{UNSURE}: {', '.join(low[:_SHOWN])}{' …' * (len(low) > _SHOWN)}"
    return {"ocr confidence": str(min(told.values()))} if told else {}, (note,) if low else ()


def _despeckled(image: "Image") -> "Image":
    """Return a grey picture, of half the size as long as it is full of specks.

    Tesseract would take minutes over the part of each in the layout. Of a clean copy no dark pixel
    has but white ones beside it, of a bad one several of a hundred.
    """
    import numpy as np

    while min(image.size) >= _LARGE:
        dark = np.asarray(image) < 128
        beside = dark[:-2, 1:-1] | dark[2:, 1:-1] | dark[1:-1, :-2] | dark[1:-1, 2:]
        if float(np.mean(dark[1:-1, 1:-1] & ~beside)) < _SPECKLED:
            break
        image = image.reduce(2)
    return image


def _read(image: "Image") -> ReadPicture:
    """Return what Tesseract reads; raises DocumentUnreadable: it takes too long."""
    from tesserocr import PSM, PyTessBaseAPI

    more_time()
    with PyTessBaseAPI(path=str(_data_folder()), lang=languages(), psm=PSM.AUTO) as tesseract:
        tesseract.SetImage(image)
        if not tesseract.Recognize(_PAGE_MS):
            raise DocumentUnreadable("OCR takes too long over it")
        text = tesseract.GetUTF8Text().replace("\f", " ").rstrip()
        return ReadPicture(text, tesseract.MeanTextConf())


@cache
def _data_folder() -> Path | None:
    """Return the folder of Tesseract's language data, as its variable or its program tells."""
    if named := os.environ.get("TESSDATA_PREFIX"):
        return Path(named)
    if (program := shutil.which("tesseract")) is None:
        return None
    told = subprocess.run([program, "--list-langs"], capture_output=True, text=True, check=False)  # noqa: S603 - the person's own
    found = re.search('"(.+)"', told.stdout + told.stderr)
    return Path(found[1]) if found else None


IMAGES: Final = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp")
"""Suffixes."""
_MOST_PIXELS: Final = 150_000_000
_SIDE: Final = 6_000
"""Pixels that a side is reduced to: of A3 about 360 an inch."""


def read_image(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return the text of the picture, of an animation that of its first; raises ScanUnread."""
    from PIL import Image, UnidentifiedImageError

    if why := lacking(languages()):
        raise ScanUnread(why)
    try:
        picture = Image.open(io.BytesIO(data))
    except UnidentifiedImageError as error:  # which names an object of ours
        raise DocumentUnreadable("damaged picture (of no known format); save it again") from error
    with picture as opened:
        frames = getattr(opened, "n_frames", 1)
        count = frames if opened.format == "TIFF" else 1
        pages = {}
        for number in range(count):
            opened.seek(number)
            pages[number + 1] = read_picture(_upright(opened))
    text, notes = normalised("\n\f\n".join(each.text for each in pages.values()) + "\n")
    properties, unsure = confidence_of(pages)
    notes += unsure
    notes += (f"moving pictures not read: {frames - 1}",) if frames > count else ()
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
