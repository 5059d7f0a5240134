"""The visible text of an HTML page, a block a line, without a library."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser

__all__ = ("VisibleText", "plain_text", "visible_text")

_HIDDEN = frozenset({"script", "style", "template", "noscript", "head"})
_FURNITURE = frozenset({"nav", "aside", "footer"})
_SPACED = frozenset({"p", "table", "ul", "ol", "dl"})
_OPENED_BY_NEXT = frozenset({"tr", "li", "dt", "dd"})
_ONE_LINE = frozenset({"address", "blockquote", "br", "caption", "div", "figcaption", "hr", "pre"})
_SECTIONS = frozenset({"article", "aside", "details", "figure", "footer", "form", "header", "main"})
_BLOCKS = _SPACED | _OPENED_BY_NEXT | _ONE_LINE | _SECTIONS | {"nav", "section", "summary"}
_BULLET = "\n- "


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
