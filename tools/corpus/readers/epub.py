"""EPUB books: the chapters in reading order, each as the page of HTML that it is."""

import posixpath
from typing import Any, Final
from urllib.parse import unquote

from agent.errors import DocumentUnreadable
from tools.corpus.readers.archives import archive_of, xml_of
from tools.corpus.readers.extracted import Extracted, normalised
from tools.corpus.readers.html import read_html

_CONTAINER: Final = "META-INF/container.xml"
_DUBLIN: Final = "{http://purl.org/dc/elements/1.1/}"
_PROPERTIES: Final = {"Title": "title", "Author": "creator", "Subject": "subject", "Date": "date"}


def read_epub(data: bytes, encoding: str | None) -> list[Extracted]:
    """Return the book as one document; chapters that the archive lacks are named in a note.

    Raises:
        DocumentUnreadable: If it has no reading order, or would unpack to far more than it is.
        Exception: Any that zipfile or lxml raises, if it is damaged.
    """
    with archive_of(data) as archive:
        root = next(xml_of(archive.read(_CONTAINER)).iter("{*}rootfile"), None)
        if root is None:
            raise DocumentUnreadable("the book does not say where its contents are listed")
        place = root.get("full-path", "")
        package = xml_of(archive.read(place))
        chapters, notes = [], []
        for name in _reading_order(package, posixpath.dirname(place)):
            if name in archive.NameToInfo:
                (page,) = read_html(archive.read(name), encoding)
                chapters.append(page.text)
            else:
                notes.append(f"chapter missing in the archive: {name}")
    text, broken = normalised("\n\n".join(filter(str.strip, chapters)))
    properties = {}
    for name, tag in _PROPERTIES.items():
        value = next(package.iter(f"{_DUBLIN}{tag}"), None)
        if value is not None and value.text:
            properties[name] = value.text
    return [Extracted(text=text, properties=properties, warnings=(*notes, *broken))]


def _reading_order(package: Any, folder: str) -> list[str]:
    """Return the names of the chapters' files, each once."""
    files = {each.get("id"): each.get("href", "") for each in package.iter("{*}item")}
    named = [each.get("idref") for each in package.iter("{*}itemref")]
    paths = (posixpath.join(folder, unquote(files[each])) for each in named if each in files)
    return list(dict.fromkeys(posixpath.normpath(each) for each in paths))
