"""Word documents: paragraphs, headings as `#` lines, tables row by row, then the notes."""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

from agent.errors import DocumentUnreadable
from tools.corpus.readers.extracted import Extracted, normalised

_MOST_BYTES = 512 * 1024 * 1024
_FREE_BYTES = 16 * 1024 * 1024
_MOST_RATIO = 100
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"


def read_docx(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return the document's text; deleted revisions, headers and footers are left out.

    Raises:
        DocumentUnreadable: If it would unpack to far more than it is.
        Exception: Any that python-docx raises, if it is damaged.
    """
    from docx import Document

    _refuse_bomb(data)
    document = Document(io.BytesIO(data))
    levels = _heading_levels(document)
    blocks = [*_blocks(document.element.body, levels), *_notes(document, levels)]
    core = document.core_properties
    created = core.created
    known = {"Title": core.title, "Author": core.author, "Subject": core.subject}
    if created is not None:
        known["Created"] = created.date().isoformat()
    text, notes = normalised("\n\n".join(blocks) + "\n")
    properties = {key: value for key, value in known.items() if value}
    return [Extracted(text=text, properties=properties, warnings=notes)]


def _refuse_bomb(data: bytes) -> None:
    """Refuse by the sizes the archive declares; `zipfile` never unpacks an entry beyond its own."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
    if unpacked > _MOST_BYTES or unpacked > max(_FREE_BYTES, _MOST_RATIO * len(data)):
        raise DocumentUnreadable(f"unpacks from {len(data)} to {unpacked} bytes: refused")


def _heading_levels(document: Any) -> dict[str, int]:
    """Return the heading level of each style, by its built-in name: ids differ by language."""
    levels: dict[str, int] = {}
    for style in document.styles:
        name = (style.name or "").lower()
        if match := re.fullmatch(r"heading (\d)", name):
            levels[style.style_id] = min(int(match[1]), 6)
        elif name == "title":
            levels[style.style_id] = 1
    return levels


def _blocks(parent: Any, levels: Mapping[str, int]) -> Iterator[str]:
    """Yield the text of each paragraph and table, also inside content controls."""
    for element in parent:
        if element.tag == f"{_W}p":
            if text := _paragraph(element, levels):
                yield text
        elif element.tag == f"{_W}tbl":
            yield "\n".join(_rows(element))
        elif element.tag in {f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins", f"{_W}customXml"}:
            yield from _blocks(element, levels)


def _paragraph(element: Any, levels: Mapping[str, int]) -> str:
    text = _text(element).strip()
    style = element.find(f"{_W}pPr/{_W}pStyle")
    level = 0 if style is None else levels.get(str(style.get(f"{_W}val")), 0)
    return f"{'#' * level} {' '.join(text.split())}" if level and text else text


def _text(element: Any) -> str:
    """Return the text of all runs below: links, insertions and text boxes included."""
    pieces: list[str] = []
    for child in element:
        if child.tag == f"{_W}t":
            pieces.append(child.text or "")
        elif child.tag in {f"{_W}tab", f"{_W}br", f"{_W}cr"}:
            pieces.append("\t" if child.tag == f"{_W}tab" else "\n")
        elif child.tag not in {f"{_W}pPr", f"{_W}del", f"{_W}instrText", _FALLBACK}:
            pieces.append(_text(child))
    return "".join(pieces)


def _rows(table: Any) -> Iterator[str]:
    for row in table.iter(f"{_W}tr"):
        cells = (" ".join(_text(cell).split()) for cell in row.iterchildren(f"{_W}tc"))
        yield " | ".join(cells)


def _notes(document: Any, levels: Mapping[str, int]) -> Iterator[str]:
    from docx.oxml import parse_xml

    for relation in document.part.rels.values():
        if relation.reltype.rsplit("/", 1)[-1] in {"footnotes", "endnotes"}:
            for note in parse_xml(relation.target_part.blob):
                yield from _blocks(note, levels)
