"""Word's texts, with headings as `#` lines, and PowerPoint's slides, a page each."""

import io
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from agent.errors import DocumentUnreadable
from tools.corpus.readers.extracted import REVISED, Extracted, normalised
from tools.corpus.readers.packed import archive_of

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
    properties = _properties(document.core_properties)
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


_PAGE: Final = "\f"
_TITLES: Final = frozenset({"TITLE", "CENTER_TITLE", "VERTICAL_TITLE"})
_ALTERNATIVES: Final = "//*[local-name()='spTree']//*[local-name()='AlternateContent']"
"""Shapes of newer versions, which stand beside a picture for older ones; transitions are none."""


def read_slides(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return the presentation's text; slides that are not shown are read too, and named."""
    from pptx import Presentation

    with archive_of(data):
        shown = Presentation(io.BytesIO(data))
    slides = list(shown.slides)
    text, notes = normalised(_PAGE.join("\n\n".join(_on_slide(each)) + "\n" for each in slides))
    shows = [each.element.get("show") for each in slides]
    hidden = [str(n) for n, show in enumerate(shows, 1) if show in {"0", "false"}]
    notes += (f"slides that are hidden: {', '.join(hidden)}",) if hidden else ()
    unread = sum(_is_unread(shape) for each in slides for shape in _flat(each.shapes))
    unread += sum(len(each.element.xpath(_ALTERNATIVES)) for each in slides)
    notes += (f"pictures, charts and other objects not read: {unread}",) if unread else ()
    kinds = {rel.reltype.rsplit("/", 1)[-1] for each in slides for rel in each.part.rels.values()}
    notes += ("comments not read",) if "comments" in kinds else ()
    properties = _properties(shown.core_properties)
    return [Extracted(text=text, properties=properties, warnings=notes)]


def _on_slide(slide: Any) -> Iterator[str]:
    held = ((each.placeholder_format.type, each) for each in slide.placeholders)
    title = next((each for kind, each in held if kind is not None and kind.name in _TITLES), None)
    if title is not None and (text := " ".join(title.text_frame.text.split())):
        yield f"# {text}"
    for shape in _flat(slide.shapes):
        if title is not None and shape.element is title.element:
            continue
        if shape.has_text_frame and (text := _lines(shape.text_frame)):
            yield text
        elif shape.has_table:
            rows = ([_line(cell.text) for cell in row.cells] for row in shape.table.rows)
            yield "\n".join(" | ".join(row) for row in rows)
    if slide.has_notes_slide:
        frame = slide.notes_slide.notes_text_frame
        if frame is not None and (text := _lines(frame)):
            yield f"Notes: {text}"


def _flat(shapes: Iterable[Any]) -> Iterator[Any]:
    """Yield shapes as they stand, those of groups in their place."""
    for shape in shapes:
        inner = getattr(shape, "shapes", None)
        if inner is None:
            yield shape
        else:
            yield from _flat(inner)


def _is_unread(shape: Any) -> bool:
    """Tell whether a shape shows what is no text and no table of its own; a line shows nothing."""
    kind = shape.element.tag.rpartition("}")[2]
    return kind == "pic" or (kind == "graphicFrame" and not shape.has_table)


def _lines(frame: Any) -> str:
    lines = (_line(each.text) for each in frame.paragraphs)
    return "\n".join(line for line in lines if line)


def _line(text: str) -> str:
    return " ".join(text.split())


def _properties(core: Any) -> dict[str, str]:
    """Return what the core properties of an Office file tell."""
    known = {"Title": core.title, "Author": core.author, "Subject": core.subject}
    known["Created"] = core.created.date().isoformat() if core.created else ""
    return {key: value for key, value in known.items() if value}
