"""EPUB books: the chapters in reading order, each the visible text of a page of HTML."""

import posixpath
from typing import Any, Final
from urllib.parse import unquote
from zipfile import BadZipFile

from agent.errors import DocumentUnreadable
from tools.corpus.readers.extracted import Extracted, decode, normalised
from tools.corpus.readers.html import plain_text
from tools.corpus.readers.packed import archive_of, told_in, xml_of

_CONTAINER: Final = "META-INF/container.xml"
_NAMED: Final = 20
"""Pages that a note names."""
_DUBLIN: Final = "{http://purl.org/dc/elements/1.1/}"
_TOLD: Final = {"Title": "title", "Author": "creator", "Subject": "subject", "Date": "date"}


def read_epub(data: bytes, encoding: str | None) -> list[Extracted]:
    """Return the book as one document; pages that cannot be read are named in a note."""
    with archive_of(data) as archive:
        root = next(xml_of(archive.read(_CONTAINER)).iter("{*}rootfile"), None)
        if root is None:
            raise DocumentUnreadable("the book does not say where its contents are listed")
        place = root.get("full-path", "")
        package = xml_of(archive.read(place))
        order, others = _pages(package, posixpath.dirname(place))
        chapters, unread = [], []
        for name in order:
            try:
                source, _, _ = decode(archive.read(name), encoding)
            except (KeyError, RuntimeError, BadZipFile, DocumentUnreadable):
                unread.append(name)
            else:
                chapters.append(plain_text(source))
    notes = [
        f"{what} ({len(names)}): {', '.join(names[:_NAMED])}"
        for what, names in (
            ("pages missing or damaged", unread),
            ("pages outside the order", others),
        )
        if names
    ]
    text, broken = normalised("\n\n".join(filter(str.strip, chapters)))
    properties = told_in(package, {name: f"{_DUBLIN}{tag}" for name, tag in _TOLD.items()})
    return [Extracted(text=text, properties=properties, warnings=(*notes, *broken))]


def _pages(package: Any, folder: str) -> tuple[list[str], list[str]]:
    """Return the names of the pages in their order, each once, and of those that have no place."""

    def path(item: Any) -> str:
        href = unquote(item.get("href", "").partition("#")[0])
        return posixpath.normpath(posixpath.join(folder, href))

    items = list(package.iter("{*}item"))
    files = {each.get("id"): path(each) for each in items}
    named = [each.get("idref", "") for each in package.iter("{*}itemref")]
    order = list(dict.fromkeys(files.get(each, each) for each in named))
    pages = [path(each) for each in items if each.get("media-type") == "application/xhtml+xml"]
    contents = {path(each) for each in items if "nav" in each.get("properties", "").split()}
    return order, [each for each in pages if each not in {*order, *contents}]
