"""HTML: the page's own text, with headings marked and tables row by row.

A page that says where its main part is, as sites of documentation do, is taken at its word; of
another, trafilatura tells which lines are its main text.
"""

import codecs
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from agent.errors import DocumentUnreadable
from tools.corpus.fields.header import is_key_line
from tools.corpus.readers.extracted import Extracted, decode, normalised

_HIDDEN = frozenset({"script", "style", "template", "noscript", "head", "title"})
"""What nobody sees; a title within the body is that of a drawing."""
_FURNITURE = frozenset({"nav", "aside", "footer"})
_BESIDE_MAIN = frozenset({"nav", "footer", "button", "dialog"})
"""What is no content within the main part, either: of its asides, docutils makes footnotes."""
_ROLES = frozenset({"navigation", "complementary", "contentinfo", "search", "dialog"})
_LISTS = frozenset({"index", "search"})
_NAMES = ("name", "property", "rel")
_SAYS = frozenset({"canonical", "robots", "docusaurus_tag"})
_ANCHORS = frozenset({"¶", "#", "§", "🔗", "\u200b", "\uf0c1", "↩", "↩\ufe0e"})
"""What a link from a heading to itself shows, or from a footnote to where it is called."""
_FEW = 5
"""Words outside an article and outside links that leave it all that its main part says."""
_PROSE = 40
"""Words outside the main part and outside links, above which it is not all that the page says."""
_SPACED = frozenset({"p", "table", "ul", "ol", "dl"})
_OPENED_BY_NEXT = frozenset({"tr", "li", "dt", "dd"})
_ONE_LINE = frozenset(
    {"address", "blockquote", "br", "caption", "div", "figcaption", "hr", "pre", "text", "textarea"}
)
_UNSAID = frozenset({"button", "file", "hidden", "image", "password", "reset", "search", "submit"})
"""Types of input whose value is nothing that somebody filled in, or no text to keep."""
_BOXES = frozenset({"checkbox", "radio"})
_SECTIONS = frozenset({"article", "aside", "details", "figure", "footer", "form", "header", "main"})
_BLOCKS = _SPACED | _OPENED_BY_NEXT | _ONE_LINE | _SECTIONS | {"nav", "section", "summary"}
_VERBATIM = frozenset({"pre", "textarea"})
_EMPTY = frozenset({"br", "hr"})
_BULLET = "\n- "
_CELL = 100
"""Pieces of a cell of one paragraph, at most: a larger one lays out a page."""
_LITTLE = 0.5
_MOST_ATTRIBUTES = 2_000
"""Of one element in a page that trafilatura is given, which takes their square."""
_DEEPEST = 250
"""Elements in elements: what stands deeper, and behind it, trafilatura does not see."""
_HEADING = re.compile(r"(#{1,6}) ")
_WORD = re.compile(r"\w+")
_BLANKS = re.compile(r"\n{3,}")
_TELLING = 24
"""Letters at a line's beginning or end by which it is known again."""
_SKIPPED = 50
"""How far off the line before may end, in letters, for each letter of a line that is compared."""


def plain_text(source: str) -> str:
    r"""Return the visible text of a page, a block a line.

    Cells are parted by bars; a term and its description, and a head and its value in a table of
    such rows only, are a `Key: value` line.

    >>> plain_text("<table><tr><th>City</th><td>Oslo</td></tr></table><ul><li>a</ul>")
    'City: Oslo\n\n- a\n'
    """
    return _stripped(source, _HIDDEN).text()


def _stripped(
    source: str, hidden: frozenset[str], roles: frozenset[str] = frozenset()
) -> "_Stripper":
    from lxml.etree import HTMLParser, ParserError, XMLSyntaxError

    stripper = _Stripper(hidden, roles)
    parser = HTMLParser(target=stripper, huge_tree=True)
    with suppress(ParserError, XMLSyntaxError):  # a page without any element
        parser.feed(source)
        parser.close()
    return stripper


class _Stripper:
    """Collects a page's text as it is parsed; block elements end lines, cells are parted by bars.

    lxml calls its methods: unlike Python's parser it takes linear time, whatever it parses.
    """

    def __init__(self, hidden: frozenset[str], roles: frozenset[str]) -> None:
        self.pieces: list[str] = []
        self.parts: dict[str, list[slice]] = {"main": [], "article": [], "form": [], "svg": []}
        """The pieces of each of these elements, those within another one left out."""
        self.filled = 0
        """The fields of forms that have a value, a mark or a choice."""
        self._options: list[tuple[int, bool]] = []
        """Of the open list, each option's first piece and whether it is chosen."""
        self.is_extreme = False
        """Whether trafilatura is not to be given it."""
        self._lists = ""
        self._says: dict[str, str] = {}
        """What the page's head says of it, by name."""
        self._depth = 0
        self._hides = hidden
        self._roles = roles
        self._hidden = 0
        """How deep the element stands that is hidden with all that is in it; 0 where none is."""
        self._open: dict[str, tuple[int, int]] = {}
        """How deep the open ones of these elements stand, and their first piece."""
        self._link: tuple[int, bool] = 0, False
        """How deep the open link stands, and whether it leads to a place in the page."""
        self._linked: set[int] = set()
        """The pieces that are links."""
        self._verbatim = 0
        self._tables: list[list[list[tuple[bool, int]]]] = []
        """The open tables: for each cell of each row, whether it is a head and its first piece."""
        self._term: int | None = None
        """The piece before an open term's text."""

    def text(self, part: slice = slice(None)) -> str:
        """Return the text collected, or some pieces of it."""
        lines = (" ".join(line.split()) for line in "".join(self.pieces[part]).split("\n"))
        kept = (line.removeprefix("| ") for line in lines if line not in {"-", "|"})
        return _BLANKS.sub("\n\n", "\n".join(kept)).strip() + "\n"

    def lists(self) -> str:
        """Return what the page is of its site by its own word, if that is no document.

        That is its `index`, its `search`, an `error`, or a `list` of its posts or tags.
        """
        last = self._says.get("canonical", "").rstrip("/").rpartition("/")[2]
        if last == "404.html":
            return "error"
        if last == "search" and "noindex" in self._says.get("robots", ""):
            return "search"
        listed = self._says.get("docusaurus_tag", "").endswith(("_list", "_posts"))
        return "list" if listed else self._lists

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element."""
        self._note(tag, attributes)
        if self._hidden:
            return
        role = attributes.get("role", "")
        if tag in self._hides or role in self._roles:
            self._hidden = self._depth
            return
        self._open_part("main" if role == "main" else tag, attributes.get("href", ""))
        if tag in {"td", "th"}:
            if self._tables and self._tables[-1]:
                self._tables[-1][-1].append((tag == "th", len(self.pieces)))
            self.pieces.append(" | ")
        elif tag == "dd" and self._term is not None:
            self._pair(self._term, len(self.pieces))
            self._term = None
        elif tag in _BLOCKS or _is_heading(tag):
            self._verbatim += tag in _VERBATIM
            self._open_block(tag)
        elif tag in {"input", "option", "select"}:
            self._field(tag, attributes)

    def _field(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take what a field of a form says by its attributes."""
        kind = attributes.get("type", "text").lower() if tag == "input" else ""
        said = attributes.get("value", "").strip() if kind and kind not in _UNSAID else ""
        if kind in _BOXES:
            said = "☒" if "checked" in attributes else "☐"
        elif tag == "select":
            self._options = []
        elif tag == "option":
            self._options.append((len(self.pieces), "selected" in attributes))
        self.filled += "selected" in attributes or said not in {"", "☐"}
        self.pieces.append(f" {said} ")

    def _close_list(self) -> None:
        """Leave of a list what is chosen, else its first option, as it is shown."""
        ends = [*(first for first, _ in self._options[1:]), len(self.pieces)]
        shown = any(chosen for _, chosen in self._options)
        for at, ((first, chosen), end) in enumerate(zip(self._options, ends, strict=False)):
            if not (chosen if shown else at == 0):
                self.pieces[first:end] = [""] * (end - first)
        self._options = []

    def end(self, tag: str) -> None:
        """Close an element."""
        depth, self._depth = self._depth, self._depth - 1
        if self._hidden:
            self._hidden = 0 if depth <= self._hidden else self._hidden
            return
        self._close_parts(depth)
        if tag == "table" and self._tables:
            self._close_table(self._tables.pop())
        elif tag in {"td", "th"}:
            self._close_cell()
        elif tag == "select":
            self._close_list()
        elif tag in _SPACED or _is_heading(tag):
            self.pieces.append("\n\n")
        elif tag in _BLOCKS - _OPENED_BY_NEXT - _EMPTY:
            self._verbatim = max(0, self._verbatim - (tag in _VERBATIM))
            self.pieces.append("\n")

    def close(self) -> None:
        """Do nothing at the end of the page."""

    def _note(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take what an element tells of the page, seen or not."""
        self._depth += 1
        self.is_extreme |= len(attributes) > _MOST_ATTRIBUTES or self._depth > _DEEPEST
        if tag == "link" and attributes.get("href") == "#" and attributes.get("rel") in _LISTS:
            self._lists = attributes["rel"]
        if tag in {"link", "meta"}:
            name = next((attributes[key] for key in _NAMES if key in attributes), "")
            if name in _SAYS:
                self._says[name] = attributes.get("content") or attributes.get("href", "")
        if tag == "body":
            self._hidden = 0

    def _open_part(self, part: str, href: str) -> None:
        """Open a link, or an element whose pieces are kept in mind."""
        if part == "a":
            self._link = self._depth, href.startswith("#")
        elif part in self.parts:
            self._open.setdefault(part, (self._depth, len(self.pieces)))

    def _close_parts(self, depth: int) -> None:
        """Close the link and the other elements of this depth."""
        if depth <= self._link[0]:
            self._link = 0, False
        for part, (own, first) in [*self._open.items()]:
            if depth <= own:
                self.parts[part].append(slice(first, len(self.pieces)))
                del self._open[part]

    def data(self, data: str) -> None:
        """Take text."""
        if self._hidden or (self._link[1] and data.strip() in _ANCHORS):
            return
        if self._link[0]:
            self._linked.add(len(self.pieces))
        if self._verbatim:
            self.pieces.append(data)
        else:
            left, right = " " * data[:1].isspace(), " " * data[-1:].isspace()
            self.pieces.append(left + " ".join(data.split()) + right)

    def lost(self, text: str) -> tuple[str, ...]:
        """Name the forms and drawings of which words are not in a text of the page."""
        kept, notes = set(text.split("\n")), list[str]()
        for part, what in (("form", "forms"), ("svg", "drawings (SVG)")):
            lines = "\n".join(map(self.text, self.parts[part])).split("\n")
            words = sum(len(_WORD.findall(line)) for line in lines if line not in kept)
            if words > (0 if self.filled else _FEW):
                notes.append(f"words of {what} that are left out: {words}")
        return tuple(notes)

    def main(self) -> str:
        """Return the text of the one main part; empty where there is none, or prose beside it.

        Where all but links stands in one article of it, only that, below the main part's title.
        """
        if len(self.parts["main"]) != 1:
            return ""
        (main,) = self.parts["main"]
        if self._prose(slice(0, main.start)) + self._prose(slice(main.stop, None)) > _PROSE:
            return ""
        within = [e for e in self.parts["article"] if main.start <= e.start and e.stop <= main.stop]
        if len(within) == 1:
            around = slice(main.start, within[0].start), slice(within[0].stop, main.stop)
            if sum(map(self._prose, around)) <= _FEW:
                return _titled(self.text(within[0]), self.text(main))
        return self.text(main)

    def _prose(self, part: slice) -> int:
        """Return the words of some pieces outside links."""
        places = set(range(len(self.pieces))[part]) - self._linked
        return sum(len(_WORD.findall(self.pieces[each])) for each in places)

    def _open_block(self, tag: str) -> None:
        if tag == "table":
            self._tables.append([])
        elif tag == "tr" and self._tables:
            self._tables[-1].append([])
        if _is_heading(tag):
            self.pieces.append(f"\n\n{'#' * int(tag[1])} ")
        elif tag == "li":
            self.pieces.append(_BULLET)
        elif next((each for each in reversed(self.pieces) if each.strip(" ")), "") != _BULLET:
            self.pieces.append("\n")
        self._term = len(self.pieces) - 1 if tag == "dt" else self._term

    def _close_cell(self) -> None:
        """Leave a cell of one paragraph, as office programs write all, on the line of its row."""
        row = self._tables[-1][-1] if self._tables and self._tables[-1] else []
        first = row[-1][1] + 1 if row else len(self.pieces)
        own = self.pieces[first:] if len(self.pieces) - first <= _CELL else []
        if "\n" not in "".join(own).strip():
            self.pieces[first : first + len(own)] = [each if each.strip() else " " for each in own]

    def _close_table(self, rows: list[list[tuple[bool, int]]]) -> None:
        """End a table; it is keys with values where every row is a head and one value.

        Lone cells, such as a caption, may stand between them.
        """
        pairs = [row for row in rows if len(row) != 1]
        if all([head for head, _ in row] == [True, False] for row in pairs):
            for (_, key), (_, value) in pairs:
                self._pair(key, value)
        self.pieces.append("\n\n")

    def _pair(self, key: int, value: int) -> None:
        """Join the key after one piece with the value from another on, if the key is one line."""
        name = "".join(self.pieces[key + 1 : value]).strip().rstrip(": ")
        if name and "\n" not in name:
            self.pieces[key + 1 : value] = [name] + [""] * (value - key - 2)
            self.pieces[value : value + 1] = [": "]


def _is_heading(tag: str) -> bool:
    return len(tag) == 2 and tag[0] == "h" and tag[1].isdigit()


def read_html(data: bytes, encoding: str | None) -> list[Extracted]:
    """Return the page as one document; without its navigation where that can be told apart.

    trafilatura tells which of the page's lines are its main text.
    """
    from trafilatura import bare_extraction, extract_metadata

    source, found, notes = decode(data, _declared(data) or encoding)
    stripper = _stripped(source, _HIDDEN)
    if kind := stripper.lists():
        raise DocumentUnreadable(f"the {kind} page of a site: it says nothing of its own")
    whole = stripper.text()
    within = _stripped(source, _HIDDEN | _BESIDE_MAIN, _ROLES)
    text = _titled(within.main().strip(), whole)
    if not text:
        within = _stripped(source, _HIDDEN | _FURNITURE)
        text = within.text().strip() if within.filled > 1 else ""
    page: Any = None
    if stripper.is_extreme:
        text = ""
    elif text:
        page = extract_metadata(source, extensive=False)
    else:
        page = bare_extraction(source, include_tables=True, favor_recall=True, with_metadata=True)
        body = "" if page is None or page.body is None else "".join(page.body.itertext())
        text = main_text(within.text(), body)
        notes += within.lost(text) if text else ()
    if not text:
        note = "no main text was found in the page: all its text is kept"
        return [Extracted(text=whole, encoding=found, warnings=(*notes, note))]
    if len(text) < _LITTLE * len(whole):
        share = round(100 * len(text) / len(whole))
        notes += (f"main text is {share} % of the page's text; the rest is taken for navigation",)
    known = {"Author": page.author, "Date": page.date, "Site": page.sitename}
    text, replaced = normalised(text + "\n")
    return [
        Extracted(
            text=text,
            encoding=found,
            title=(page.title or "").rstrip("".join(_ANCHORS)).strip() or None,
            properties={key: str(value) for key, value in known.items() if value},
            warnings=(*notes, *replaced),
        )
    ]


def _titled(text: str, whole: str) -> str:
    """Return a part below the one title of the whole, where it has none itself."""
    titles = [line for line in whole.split("\n") if line.startswith("# ")]
    lacks = len(titles) == 1 and "\n# " not in f"\n{text}"
    return f"{titles[0]}\n\n{text}" if text.strip() and lacks else text


def main_text(own: str, extracted: str) -> str:
    r"""Return those lines of a page's own text that were extracted, under their headings.

    A line was extracted where its letters stand in the extraction near those of the line before or,
    where they are many, anywhere. A heading stays where it or a line of its section does.

    >>> main_text("# Knots\n\nIt holds.\n\n# Links\n\nHome", "It holds.")
    '# Knots\n\nIt holds.'
    """
    letters, at = _letters(extracted), 0
    kept: list[str] = []
    above: list[str] = []
    here = False
    for line in own.split("\n"):
        wanted = _letters(line)
        end = _found(wanted, letters, at) if wanted else -1
        heading = _HEADING.match(line)
        if heading:
            above = [each for each in above if each.index(" ") < len(heading[1])]
        here = end >= 0 or (here and not wanted)
        if here:
            kept += [each for lost in above for each in ("", lost, "")]
            kept.append(line)
            above, at = [], end if wanted else at
        elif heading:
            above.append(line)
        elif kept and kept[-1]:
            kept.append("")
    blocks = _BLANKS.sub("\n\n", "\n".join(kept)).strip("\n")
    return _together(blocks.split("\n\n")) if blocks else ""


def _letters(line: str) -> str:
    return re.sub(r"[\W_]+", "", line)


def _found(wanted: str, letters: str, at: int) -> int:
    """Return where a line's letters end behind a place, or anywhere if they are many; else -1."""
    for part in dict.fromkeys((wanted[:_TELLING], wanted[-_TELLING:])):
        reach = _SKIPPED * len(part)
        place = letters.find(part, max(0, at - reach), at + reach)
        if place < 0 and len(part) == _TELLING:
            place = max(letters.find(part, at), letters.find(part, 0, at))
        if place >= 0:
            return place + len(part)
    return -1


def _declared(data: bytes) -> str | None:
    """Return the encoding that the page's first kilobyte declares, if Python knows it."""
    match = re.search(rb"charset\s*=\s*[\"']?([A-Za-z0-9_.:-]+)", data[:2048])
    try:
        return codecs.lookup(match[1].decode("ascii")).name if match else None
    except LookupError:
        return None


def _together(blocks: Iterable[str]) -> str:
    """Return the blocks with a blank line between them; keys with their values stand together."""
    text = ""
    for block in blocks:
        keys = is_key_line(text[text.rfind("\n") + 1 :]) and all(
            map(is_key_line, block.split("\n"))
        )
        text += ("\n" if keys else "\n\n") + block
    return text.lstrip("\n")
