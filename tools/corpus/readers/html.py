"""HTML: the page's own text by trafilatura, with headings marked and tables row by row."""

import codecs
import functools
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any

from tools.corpus.key_lines import is_key_line
from tools.corpus.readers.encoding import decode, normalised
from tools.corpus.readers.reading import Reading

__all__ = ("plain_text", "read_html")

_LITTLE = 0.3


def read_html(data: bytes, encoding: str | None) -> list[Reading]:
    """Return the page as one document; without its navigation where that can be told apart."""
    source, found, notes = decode(data, _declared(data) or encoding)
    everything = plain_text(source)
    extract, broken = _extractor()
    if extract is None:
        note = f"all the page's text is kept, navigation too: trafilatura does not start ({broken})"
        return [Reading(text=everything, encoding=found, warnings=(*notes, note))]
    page = extract(source, include_tables=True, favor_recall=True, with_metadata=True)
    extracted = _rendered(page.body) if page is not None and page.body is not None else ""
    if not extracted.strip():
        note = "no main text was found in the page: all its text is kept"
        return [Reading(text=everything, encoding=found, warnings=(*notes, note))]
    if len(extracted) < _LITTLE * len(everything):
        share = round(100 * len(extracted) / len(everything))
        notes += (f"main text is {share} % of the page's text; the rest is taken for navigation",)
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


def _rendered(body: Any) -> str:
    """Return the blocks with a blank line between them; keys with their values stand together."""
    text = ""
    for block in filter(str.strip, _told(body)):
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


class _Stripper(HTMLParser):
    """Collects a page's text; block elements end lines, cells are parted by bars."""

    _HIDDEN = frozenset({"script", "style", "template", "noscript", "head"})
    _BLOCKS = frozenset(
        {
            "p",
            "div",
            "br",
            "li",
            "tr",
            "table",
            "ul",
            "ol",
            "section",
            "article",
            "blockquote",
            "pre",
        }
    )

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag in self._HIDDEN:
            self._hidden += 1
        elif tag in self._BLOCKS:
            self.pieces.append("\n")
        elif tag in {"td", "th"}:
            self.pieces.append(" | ")
        elif len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.pieces.append(f"\n\n{'#' * int(tag[1])} ")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag in self._BLOCKS or (len(tag) == 2 and tag[0] == "h" and tag[1].isdigit()):
            self.pieces.append("\n\n" if tag in {"p", "table"} or tag[0] == "h" else "\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.pieces.append(" ".join(data.split()) if data.strip() else " ")


def plain_text(source: str) -> str:
    """Return all the visible text of a page, a block a line."""
    stripper = _Stripper()
    stripper.feed(source)
    stripper.close()
    lines = (
        " ".join(line.split()).removeprefix("| ") for line in "".join(stripper.pieces).split("\n")
    )
    return "\n".join(_single_blanks(lines)).strip() + "\n"


def _single_blanks(lines: Iterator[str]) -> Iterator[str]:
    before = ""
    for line in lines:
        if line or before:
            yield line
        before = line
