"""OpenDocument texts and presentations: `#` headings, tables row by row, slides as pages."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from agent.errors import DocumentUnreadable
from tools.corpus.readers.extracted import REVISED, Extracted, normalised
from tools.corpus.readers.packed import archive_of, told_in, xml_of

_N: Final = "{urn:oasis:names:tc:opendocument:xmlns:"
_TEXT, _TABLE, _DRAW = f"{_N}text:1.0}}", f"{_N}table:1.0}}", f"{_N}drawing:1.0}}"
_STYLE = f"{_N}style:1.0}}"
_OFFICE, _PRESENTATION = f"{_N}office:1.0}}", f"{_N}presentation:1.0}}"
_META: Final = f"{_N}meta:1.0}}"
_DUBLIN: Final = "{http://purl.org/dc/elements/1.1/}"
_PROPERTIES: Final = {
    "Title": f"{_DUBLIN}title",
    "Subject": f"{_DUBLIN}subject",
    "Author": f"{_META}initial-creator",
    "Created": f"{_META}creation-date",
}
_UNSHOWN: Final = {
    f"{_TEXT}tracked-changes", f"{_OFFICE}annotation", f"{_OFFICE}forms", f"{_TEXT}sequence-decls",
    f"{_TEXT}page-number", f"{_TEXT}page-count",
}  # fmt: skip
_SIGNS: Final = {f"{_TEXT}tab": "\t", f"{_TEXT}line-break": "\n"}
_MOST_SPACES: Final = 1000
_MOST_REPEATED: Final = 50
"""Equal rows and cells that are written out: a sheet's empty rest is one row, a million times."""


def read_opendocument(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return the document's text, with headers and footers behind; comments are named in a note."""
    with archive_of(data) as archive:
        if b"encryption-data" in archive.read("META-INF/manifest.xml"):
            raise DocumentUnreadable("it needs a password; save a copy without one")
        content = xml_of(archive.read("content.xml"))
        styles = xml_of(archive.read("styles.xml")) if "styles.xml" in archive.namelist() else None
        told = xml_of(archive.read("meta.xml")) if "meta.xml" in archive.namelist() else None
    body = content.find(f"{_OFFICE}body")
    pages = list(body.iter(f"{_DRAW}page")) or [body]
    beside = () if styles is None else styles.iter(f"{_STYLE}header", f"{_STYLE}footer")
    behind = dict.fromkeys("\n\n".join(_blocks(each)) for each in beside)
    texts = ["\n\n".join(_blocks(each)) for each in pages]
    texts[-1] = "\n\n".join(filter(None, [texts[-1], *behind]))
    text, notes = normalised("\f".join(f"{each}\n" for each in texts))
    if objects := sum(1 for _ in body.iter(f"{_DRAW}object", f"{_DRAW}object-ole")):
        notes += (f"charts and objects not read: {objects}",)
    if comments := sum(1 for _ in body.iter(f"{_OFFICE}annotation")):
        notes += (f"comments not read: {comments}",)
    if body.find(f".//{_TEXT}deletion") is not None:
        notes += (REVISED,)
    properties = {} if told is None else told_in(told, _PROPERTIES)
    return [Extracted(text=text, properties=properties, warnings=notes)]


def _blocks(parent: Any) -> Iterator[str]:
    """Yield the text of each paragraph, heading, list item and table, whatever it lies in."""
    for element in parent.iterchildren("*"):
        if element.tag in _UNSHOWN:
            continue
        whole = _WHOLE.get(element.tag)
        if whole is None:
            yield from _blocks(element)
        elif text := whole(element):
            yield text


def _heading(element: Any) -> str:
    text, level = _inline(element).strip(), _count(element, f"{_TEXT}outline-level")
    return text and f"{'#' * min(level, 6)} {text}"


def _notes(element: Any) -> str:
    text = "\n".join(_blocks(element))
    return text and f"Notes: {text}"


_WHOLE: Final[Mapping[str, Callable[[Any], str]]] = {
    f"{_TEXT}p": lambda element: _inline(element).strip(),
    f"{_TEXT}h": _heading,
    f"{_TEXT}list": lambda items: "\n".join(f"- {' '.join(_blocks(item))}" for item in items),
    f"{_TABLE}table": lambda table: "\n".join(_rows(table)),
    f"{_PRESENTATION}notes": _notes,
}
"""By tag, what makes one block of an element."""


def _rows(table: Any) -> Iterator[str]:
    for row in table.iterchildren("*"):
        if row.tag != f"{_TABLE}table-row":
            yield from _rows(row)  # those of a head, or of a group
            continue
        cells: list[str] = []
        for cell in row.iterchildren("*"):
            times = _count(cell, f"{_TABLE}number-columns-repeated")
            cells += [" ".join(_blocks(cell))] * min(times, _MOST_REPEATED)
        if any(cells):
            times = _count(row, f"{_TABLE}number-rows-repeated")
            yield from [" | ".join(cells)] * min(times, _MOST_REPEATED)


def _count(element: Any, name: str) -> int:
    """Return a number that an attribute tells, at least 1, which it is where it tells none."""
    told = element.get(name, "")
    return max(1, int(told)) if told.isascii() and told.isdigit() else 1


def _inline(element: Any) -> str:
    """Return the words of a paragraph, with what stands in it and its notes behind."""
    parts = [element.text or ""]
    for child in element:
        if not isinstance(child.tag, str):  # a comment or an instruction
            pass
        elif child.tag == f"{_TEXT}s":
            parts.append(" " * min(_count(child, f"{_TEXT}c"), _MOST_SPACES))
        elif child.tag in _SIGNS:
            parts.append(_SIGNS[child.tag])
        elif child.tag == f"{_TEXT}note":
            parts.append(f" [{' '.join(_blocks(child))}]")
        elif child.tag.startswith(_DRAW):  # a frame with a text, a table, a picture's description
            parts += ["\n", "\n".join(_blocks(child)), "\n"]
        elif child.tag not in _UNSHOWN:
            parts.append(_inline(child))
        parts.append(child.tail or "")
    return "".join(parts)
