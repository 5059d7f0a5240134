"""Word documents: paragraphs, headings as `#` lines, tables row by row, notes, page headers."""

import io
import re
from collections.abc import Iterator, Mapping
from typing import Any

from agent.errors import DocumentUnreadable
from tools.corpus.readers.archives import archive_of, core_properties
from tools.corpus.readers.extracted import REVISED, Extracted, normalised

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_SIGNS = {f"{_W}tab": "\t", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-"}
_UNSHOWN = {f"{_W}{name}" for name in ("pPr", "del", "moveFrom", "instrText")} | {_FALLBACK}
_OWN = "{0} | *[not(self::{0})]//{0}"
_BEHIND = {"footnotes", "endnotes", "header", "footer"}
_UNREAD = {"aFChunk", "chart", "comments", "diagramData", "oleObject", "package"}
"""Relations to other parts: those whose text comes behind, and those that are only named."""


def read_docx(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return the document's text; warnings name deleted revisions and parts that are not read."""
    from docx import Document
    from docx.oxml import parse_xml

    with archive_of(data):
        document = Document(io.BytesIO(data))
    body = getattr(document.element, "body", None)
    if body is None:
        raise DocumentUnreadable("damaged DOCX (no body); save it again")
    levels = _heading_levels(document)
    parts = [(each.reltype.rsplit("/", 1)[-1], each) for each in document.part.rels.values()]
    roots = [parse_xml(each.target_part.blob) for kind, each in parts if kind in _BEHIND]
    behind = dict.fromkeys("\n\n".join(_blocks(each, levels)) for each in roots)
    blocks = [*_blocks(body, levels), *filter(None, behind)]
    text, notes = normalised("\n\n".join(blocks) + "\n")
    unread = _UNREAD.intersection(kind for kind, _ in parts)
    if not len(document.comments):  # pandoc writes their part without one
        unread -= {"comments"}
    if unread:
        notes += (f"parts not read: {', '.join(sorted(unread))}",)
    gone = [f".//{_W}delText", f".//{_W}moveFrom"]
    if any(each.find(tag) is not None for each in (body, *roots) for tag in gone):
        notes += (REVISED,)
    properties = core_properties(document.core_properties)
    return [Extracted(text=text, properties=properties, warnings=notes)]


def _heading_levels(document: Any) -> dict[str, int]:
    """Return the heading level of each style, by its built-in name: ids differ by language."""
    named = {style.style_id: (style.name or "").lower() for style in document.styles}
    found = {key: re.fullmatch(r"title|heading (\d)", name) for key, name in named.items()}
    return {key: min(int(match[1] or 1), 6) for key, match in found.items() if match}


def _blocks(parent: Any, levels: Mapping[str, int]) -> Iterator[str]:
    """Yield the text of each paragraph and table, whatever they are wrapped in."""
    for element in parent:
        if element.tag == f"{_W}p":
            if text := _paragraph(element, levels):
                yield text
        elif element.tag == f"{_W}tbl":
            yield "\n".join(_rows(element))
        elif element.tag not in _UNSHOWN:
            yield from _blocks(element, levels)


def _paragraph(element: Any, levels: Mapping[str, int]) -> str:
    text = _text(element).strip()
    style = element.find(f"{_W}pPr/{_W}pStyle")
    level = 0 if style is None else levels.get(str(style.get(f"{_W}val")), 0)
    return f"{'#' * level} {' '.join(text.split())}" if level and text else text


def _text(element: Any) -> str:
    """Return the text of all runs below: links, insertions, formulas and text boxes included."""
    pieces: list[str] = []
    for child in element:
        if str(child.tag).endswith("}t"):
            pieces.append("".join(child.itertext()))
        elif child.tag not in _UNSHOWN:
            apart = "\n" * (child.tag == f"{_W}p")
            pieces.append(_SIGNS.get(child.tag) or apart + _text(child))
    return "".join(pieces)


def _rows(table: Any) -> Iterator[str]:
    """Yield the rows of a table, not those of tables in its cells, whatever they are wrapped in."""
    for row in table.xpath(_OWN.format("w:tr")):
        yield " | ".join(" ".join(_text(cell).split()) for cell in row.xpath(_OWN.format("w:tc")))
