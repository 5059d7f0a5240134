"""HTML: the page's own text by trafilatura, with headings marked and tables row by row."""

import codecs
import functools
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

from tools.corpus.fields.header import is_key_line
from tools.corpus.readers.extracted import Extracted, decode, normalised

_COMPARED = 60
"""Letters and digits by which a line is known again."""
_HIDDEN = frozenset({"script", "style", "template", "noscript", "head"})
_FURNITURE = frozenset({"nav", "aside", "footer"})
_SPACED = frozenset({"p", "table", "ul", "ol", "dl"})
_OPENED_BY_NEXT = frozenset({"tr", "li", "dt", "dd"})
_ONE_LINE = frozenset({"address", "blockquote", "br", "caption", "div", "figcaption", "hr", "pre"})
_SECTIONS = frozenset({"article", "aside", "details", "figure", "footer", "form", "header", "main"})
_BLOCKS = _SPACED | _OPENED_BY_NEXT | _ONE_LINE | _SECTIONS | {"nav", "section", "summary"}
_BULLET = "\n- "
_LITTLE = 0.3
_MOST = 0.5


def letters(line: str) -> str:
    """Return the letters and digits of a line."""
    return re.sub(r"[\W_]+", "", line)


def with_headings(extracted: str, own: str, headings: Collection[str]) -> str:
    r"""Return the extracted text with those headings that its lines stand under in the page.

    A heading comes back above the first line of its section that was extracted and that the page
    has once; one whose section was left out stays out.

    Args:
        extracted: the page's main text.
        own: all the page's own text, a block a line.
        headings: the lines of `own` that are headings, each with its marks.

    >>> own = "# Knots\n\nIt holds.\n\n# Links\n\nHome"
    >>> with_headings("It holds.", own, ["# Knots", "# Links"])
    '# Knots\n\nIt holds.'
    """
    lines = extracted.split("\n")
    places = _places(lines, own.split("\n"))
    held = set(map(letters, lines))
    above: dict[int, list[str]] = {}
    lost: list[str] = []
    for line in own.split("\n"):
        if line in headings:
            lost = [each for each in lost if _level(each) < _level(line)]
            if letters(line) not in held:
                lost.append(line)
                continue
        if lost and (place := places.get(_letters(line))) is not None:
            above.setdefault(place, []).extend(lost)
            lost = []
    return "\n".join(_put(lines, above))


def _put(lines: Iterable[str], above: dict[int, list[str]]) -> list[str]:
    """Return the lines with headings above them, a blank line before and behind each."""
    put: list[str] = []
    for place, line in enumerate(lines):
        for heading in above.get(place, ()):
            put += ["", heading, ""] if put and put[-1] else [heading, ""]
        put.append(line)
    return put


def _places(lines: Iterable[str], own: Iterable[str]) -> dict[str, int]:
    """Return where each line stands by what it is known by, if it and the page have it once."""
    counts, shown = Counter(map(_letters, lines)), Counter(map(_letters, own))
    return {
        own: place
        for place, own in enumerate(map(_letters, lines))
        if own and counts[own] == 1 and shown[own] == 1
    }


def _letters(line: str) -> str:
    return letters(line)[:_COMPARED]


def _level(heading: str) -> int:
    return len(heading) - len(heading.lstrip("#"))


@dataclass(frozen=True, slots=True)
class VisibleText:
    """What a page shows."""

    whole: str
    """All visible text, a block a line."""
    own: str
    """Without what stands in `nav`, `aside` and `footer`."""
    headings: frozenset[str]
    """The lines of `own` that are headings, each with its marks."""


def visible_text(source: str) -> VisibleText:
    """Return what a page shows, with and without its furniture, parsed once."""
    whole, own = _Stripper(_HIDDEN), _Stripper(_HIDDEN | _FURNITURE)
    parser = _Several((whole, own))
    parser.feed(source)
    parser.close()
    return VisibleText(whole.text(), own.text(), frozenset(own.headings))


def plain_text(source: str) -> str:
    r"""Return all the visible text of a page, a block a line.

    Cells are parted by bars; a term and its description, and a head and its value in a table of
    such rows only, are a `Key: value` line.

    >>> plain_text("<table><tr><th>City</th><td>Oslo</td></tr></table><ul><li>a</ul>")
    'City: Oslo\n\n- a\n'
    """
    stripper = _Stripper(_HIDDEN)
    stripper.feed(source)
    stripper.close()
    return stripper.text()


class _Stripper(HTMLParser):
    """Collects a page's text; block elements end lines, cells are parted by bars."""

    def __init__(self, hidden: frozenset[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.headings: list[str] = []
        """Each heading's line."""
        self._heading: int | None = None
        """The piece that begins an open heading."""
        self._hides = hidden
        self._hidden = 0
        self._tables: list[list[list[tuple[bool, int]]]] = []
        """The open tables: for each cell of each row, whether it is a head and its first piece."""
        self._term: int | None = None
        """The piece before an open term's text."""

    def text(self) -> str:
        """Return the text collected."""
        lines = (" ".join(line.split()) for line in "".join(self.pieces).split("\n"))
        kept = (line.removeprefix("| ") for line in lines if line not in {"-", "|"})
        return "\n".join(_single_blanks(kept)).strip() + "\n"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag == "body":
            self._hidden = 0
        elif tag in self._hides:
            self._hidden += 1
        elif self._hidden:
            return
        elif tag in {"td", "th"}:
            self._open_cell(head=tag == "th")
        elif tag == "dd" and self._term is not None:
            self._pair(self._term, len(self.pieces))
            self._term = None
        elif tag in _BLOCKS or _is_heading(tag):
            self._open_block(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._hides:
            self._hidden = max(0, self._hidden - 1)
        elif self._hidden:
            return
        elif tag == "table" and self._tables:
            self._close_table(self._tables.pop())
        elif tag in _SPACED or _is_heading(tag):
            self._close_heading()
            self.pieces.append("\n\n")
        elif tag in _BLOCKS - _OPENED_BY_NEXT:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            left, right = " " * data[:1].isspace(), " " * data[-1:].isspace()
            self.pieces.append(left + " ".join(data.split()) + right)

    def _open_block(self, tag: str) -> None:
        if tag == "table":
            self._tables.append([])
        elif tag == "tr" and self._tables:
            self._tables[-1].append([])
        if _is_heading(tag):
            self._heading = len(self.pieces)
            self.pieces.append(f"\n\n{'#' * int(tag[1])} ")
        elif tag == "li":
            self.pieces.append(_BULLET)
        elif not self._is_at_bullet():
            self.pieces.append("\n")
        self._term = len(self.pieces) - 1 if tag == "dt" else self._term

    def _close_heading(self) -> None:
        if self._heading is not None:
            self.headings.append(" ".join("".join(self.pieces[self._heading :]).split()))
            self._heading = None

    def _is_at_bullet(self) -> bool:
        return next((piece for piece in reversed(self.pieces) if piece.strip(" ")), "") == _BULLET

    def _open_cell(self, *, head: bool) -> None:
        if self._tables and self._tables[-1]:
            self._tables[-1][-1].append((head, len(self.pieces)))
        self.pieces.append(" | ")

    def _close_table(self, rows: list[list[tuple[bool, int]]]) -> None:
        if _is_keyed([[head for head, _ in row] for row in rows]):
            for row in rows:
                if len(row) == 2:
                    self._pair(row[0][1], row[1][1])
        self.pieces.append("\n\n")

    def _pair(self, key: int, value: int) -> None:
        """Join the key after one piece with the value from another on, if the key is one line."""
        name = "".join(self.pieces[key + 1 : value]).strip().rstrip(": ")
        if name and "\n" not in name:
            self.pieces[key + 1 : value] = [name] + [""] * (value - key - 2)
            self.pieces[value : value + 1] = [": "]


class _Several(HTMLParser):
    """Parses a page once for several collectors."""

    def __init__(self, collectors: Sequence[HTMLParser]) -> None:
        super().__init__(convert_charrefs=True)
        self._collectors = collectors

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for each in self._collectors:
            each.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        for each in self._collectors:
            each.handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        for each in self._collectors:
            each.handle_data(data)


def _is_keyed(rows: Sequence[Sequence[bool]]) -> bool:
    """Tell whether a table is keys with values, by which cells of its rows are heads.

    Every row is a head and one value, or a lone cell, such as a caption.
    """
    pairs = [list(row) for row in rows if len(row) != 1]
    return bool(pairs) and all(row == [True, False] for row in pairs)


def _is_heading(tag: str) -> bool:
    return len(tag) == 2 and tag[0] == "h" and tag[1].isdigit()


def _single_blanks(lines: Iterable[str]) -> Iterator[str]:
    before = ""
    for line in lines:
        if line or before:
            yield line
        before = line


def read_html(data: bytes, encoding: str | None) -> list[Extracted]:
    """Return the page as one document; without its navigation where that can be told apart.

    Where the extraction runs the page's rows, items and paragraphs together, as it does for short
    pages, all of the page's own text outside `nav`, `aside` and `footer` is taken instead.
    """
    source, found, notes = decode(data, _declared(data) or encoding)
    shown = visible_text(source)
    extract, broken = _extractor()
    if extract is None:
        note = f"all the page's text is kept, navigation too: trafilatura does not start ({broken})"
        return [Extracted(text=shown.whole, encoding=found, warnings=(*notes, note))]
    page = extract(source, include_tables=True, favor_recall=True, with_metadata=True)
    extracted = _rendered(page.body) if page is not None and page.body is not None else ""
    if not extracted.strip():
        note = "no main text was found in the page: all its text is kept"
        return [Extracted(text=shown.whole, encoding=found, warnings=(*notes, note))]
    if _runs_together(extracted, shown.own):
        extracted = _together(shown.own.rstrip("\n").split("\n\n"))
    elif len(extracted) < _LITTLE * len(shown.whole):
        share = round(100 * len(extracted) / len(shown.whole))
        notes += (f"main text is {share} % of the page's text; the rest is taken for navigation",)
    extracted = _keyed(with_headings(extracted, shown.own, shown.headings), shown.own)
    known = {"Author": page.author, "Date": page.date, "Site": page.sitename}
    text, replaced = normalised(extracted + "\n")
    return [
        Extracted(
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
    return _together(filter(str.strip, _lines_of(body)))


def _together(blocks: Iterable[str]) -> str:
    """Return the blocks with a blank line between them; keys with their values stand together."""
    text = ""
    for block in blocks:
        keys = _ends_in_key(text) and all(map(is_key_line, block.split("\n")))
        text += ("\n" if keys else "\n\n") + block
    return text.lstrip("\n")


def _ends_in_key(text: str) -> bool:
    return is_key_line(text[text.rfind("\n") + 1 :])


def _lines_of(body: Any) -> Iterator[str]:
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
