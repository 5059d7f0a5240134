"""PowerPoint presentations: a slide a page, its title as a heading, tables row by row, notes."""

import io
from collections.abc import Iterable, Iterator
from typing import Any, Final

from tools.corpus.readers.archives import archive_of
from tools.corpus.readers.extracted import Extracted, normalised

_PAGE: Final = "\f"


def read_slides(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return the presentation's text; slides that are not shown are read too, and named.

    Raises:
        DocumentUnreadable: If it would unpack to far more than it is.
        Exception: Any that python-pptx raises, if it is damaged.
    """
    from pptx import Presentation

    with archive_of(data):
        shown = Presentation(io.BytesIO(data))
    slides = list(shown.slides)
    text, notes = normalised(_PAGE.join("\n\n".join(_blocks(each)) + "\n" for each in slides))
    hidden = [str(n) for n, each in enumerate(slides, 1) if each.element.get("show") == "0"]
    notes += (f"slides that are hidden: {', '.join(hidden)}",) if hidden else ()
    pictures = sum(_is_unread(shape) for each in slides for shape in _flat(each.shapes))
    notes += (f"charts and pictures not read: {pictures}",) if pictures else ()
    core = shown.core_properties
    known = {"Title": core.title, "Author": core.author, "Subject": core.subject}
    known["Created"] = core.created.date().isoformat() if core.created else ""
    properties = {key: value for key, value in known.items() if value}
    return [Extracted(text=text, properties=properties, warnings=notes)]


def _blocks(slide: Any) -> Iterator[str]:
    title = slide.shapes.title
    if title is not None and (text := " ".join(title.text_frame.text.split())):
        yield f"# {text}"
    for shape in _flat(slide.shapes):
        if title is not None and shape.shape_id == title.shape_id:
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
    from pptx.enum.shapes import MSO_SHAPE_TYPE

    return bool(shape.has_chart) or shape.shape_type == MSO_SHAPE_TYPE.PICTURE


def _lines(frame: Any) -> str:
    lines = (_line(each.text) for each in frame.paragraphs)
    return "\n".join(line for line in lines if line)


def _line(text: str) -> str:
    return " ".join(text.split())
