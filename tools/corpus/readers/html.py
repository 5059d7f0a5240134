"""HTML: the page's own text by trafilatura, with headings marked and tables row by row."""

import codecs
import functools
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tools.corpus.fields.key_lines import is_key_line
from tools.corpus.readers.encoding import decode, normalised
from tools.corpus.readers.page_headings import letters, with_headings
from tools.corpus.readers.reading import Reading
from tools.corpus.readers.visible_text import visible_text

__all__ = ("read_html",)

_LITTLE = 0.3
_MOST = 0.5


def read_html(data: bytes, encoding: str | None) -> list[Reading]:
    """Return the page as one document; without its navigation where that can be told apart.

    Where the extraction runs the page's rows, items and paragraphs together, as it does for short
    pages, all of the page's own text outside `nav`, `aside` and `footer` is taken instead.
    """
    source, found, notes = decode(data, _declared(data) or encoding)
    shown = visible_text(source)
    extract, broken = _extractor()
    if extract is None:
        note = f"all the page's text is kept, navigation too: trafilatura does not start ({broken})"
        return [Reading(text=shown.whole, encoding=found, warnings=(*notes, note))]
    page = extract(source, include_tables=True, favor_recall=True, with_metadata=True)
    extracted = _rendered(page.body) if page is not None and page.body is not None else ""
    if not extracted.strip():
        note = "no main text was found in the page: all its text is kept"
        return [Reading(text=shown.whole, encoding=found, warnings=(*notes, note))]
    if _runs_together(extracted, shown.own):
        extracted = _together(shown.own.rstrip("\n").split("\n\n"))
    elif len(extracted) < _LITTLE * len(shown.whole):
        share = round(100 * len(extracted) / len(shown.whole))
        notes += (f"main text is {share} % of the page's text; the rest is taken for navigation",)
    extracted = _keyed(with_headings(extracted, shown.own, shown.headings), shown.own)
    known = {"Author": page.author, "Date": page.date, "Site": page.sitename}
    text, replaced = normalised(extracted + "\n")
    return [
        Reading(
            text=text,
            encoding=found,
            title=page.title or None,
            properties={key: str(value) for key, value in known.items() if value},
            warnings=(*notes, *replaced),
        )
    ]


@functools.cache
def _extractor() -> tuple[Callable[..., Any] | None, str]:
    """Return trafilatura's extraction, or None and why it cannot be imported.

    It needs `lxml_html_clean`, which some resolvers leave out since it hides behind an extra.
    """
    try:
        from trafilatura import bare_extraction
    except ImportError as error:
        return None, str(error).splitlines()[0]
    return bare_extraction, ""


def _declared(data: bytes) -> str | None:
    """Return the encoding that the page's first kilobyte declares, if Python knows it."""
    match = re.search(rb"charset\s*=\s*[\"']?([A-Za-z0-9_.:-]+)", data[:2048])
    try:
        return codecs.lookup(match[1].decode("ascii")).name if match else None
    except LookupError:
        return None


def _runs_together(extracted: str, own: str) -> bool:
    """Tell whether most of the extracted text is in lines that span several of the page's own."""
    lines = list(filter(None, map(letters, extracted.split("\n"))))
    parted = "\n".join(map(letters, own.split("\n")))
    whole = parted.replace("\n", "")
    joined = sum(len(line) for line in lines if line not in parted and line in whole)
    return joined > _MOST * sum(map(len, lines))


def _keyed(extracted: str, own: str) -> str:
    """Return the text with the rows that are a key and its value in the page's own text as such."""
    keys = {letters(line): line for line in own.split("\n") if is_key_line(line)}
    lines = extracted.split("\n")
    return "\n".join(
        keys.get(letters(line), line) if line.count(" | ") == 1 else line for line in lines
    )


def _rendered(body: Any) -> str:
    return _together(filter(str.strip, _told(body)))


def _together(blocks: Iterable[str]) -> str:
    """Return the blocks with a blank line between them; keys with their values stand together."""
    text = ""
    for block in blocks:
        keys = _ends_in_key(text) and all(map(is_key_line, block.split("\n")))
        text += ("\n" if keys else "\n\n") + block
    return text.lstrip("\n")


def _ends_in_key(text: str) -> bool:
    return is_key_line(text[text.rfind("\n") + 1 :])


def _told(body: Any) -> Iterator[str]:
    """Yield the text of each block; a term and its description are one."""
    term = ""
    for element in _blocks(body):
        text, role = _block(element), str(element.get("rend") or "")
        if element.tag == "item" and role.startswith("dt"):
            yield term
            term = text.removeprefix("- ").rstrip(":")
        elif term and role.startswith("dd"):
            yield f"{term}: {text.removeprefix('- ')}"
            term = ""
        else:
            yield term
            yield text
            term = ""
    yield term


def _blocks(element: Any) -> Iterator[Any]:
    """Yield the elements that hold a block of text, down to those that hold no further block."""
    for child in element:
        if child.tag in {"list", "quote", "div"} and len(child) and not (child.text or "").strip():
            yield from _blocks(child)
        else:
            yield child


def _block(element: Any) -> str:
    if element.tag == "table":
        return "\n".join(_row(row) for row in element.iter("row"))
    if element.tag == "code":
        return "".join(element.itertext())
    lines = (" ".join(line.split()) for line in _broken(element).split("\v"))
    text = "\n".join(filter(None, lines))
    if element.tag == "head" and text:
        rank = str(element.get("rend") or "h2")[1:]
        return f"{'#' * (int(rank) if rank.isdigit() else 2)} {text}"
    return f"- {text}" if element.tag == "item" and text else text


def _broken(element: Any) -> str:
    """Return the text of an element, with a vertical tab for each line break."""
    parts = [element.text or ""]
    for child in element:
        parts += ["\v" if child.tag == "lb" else _broken(child), child.tail or ""]
    return "".join(parts)


def _row(row: Any) -> str:
    return " | ".join(" ".join("".join(cell.itertext()).split()) for cell in row.iter("cell"))
