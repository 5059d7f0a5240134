"""PowerPoint presentations: a slide a page, its title as a heading, tables row by row, notes."""

import io
from collections.abc import Iterable, Iterator
from typing import Any, Final

from tools.corpus.readers.archives import archive_of, core_properties
from tools.corpus.readers.extracted import Extracted, normalised

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
    text, notes = normalised(_PAGE.join("\n\n".join(_blocks(each)) + "\n" for each in slides))
    shows = [each.element.get("show") for each in slides]
    hidden = [str(n) for n, show in enumerate(shows, 1) if show in {"0", "false"}]
    notes += (f"slides that are hidden: {', '.join(hidden)}",) if hidden else ()
    unread = sum(_is_unread(shape) for each in slides for shape in _flat(each.shapes))
    unread += sum(len(each.element.xpath(_ALTERNATIVES)) for each in slides)
    notes += (f"pictures, charts and other objects not read: {unread}",) if unread else ()
    kinds = {rel.reltype.rsplit("/", 1)[-1] for each in slides for rel in each.part.rels.values()}
    notes += ("comments not read",) if "comments" in kinds else ()
    properties = core_properties(shown.core_properties)
    return [Extracted(text=text, properties=properties, warnings=notes)]


def _blocks(slide: Any) -> Iterator[str]:
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
