"""Rich Text (RTF): its text, with what it says of itself."""

import codecs
import re
from itertools import chain
from typing import Final

from agent.errors import DocumentUnreadable
from agent.value import counted
from tools.corpus.readers.extracted import Extracted, normalised

_CODE_PAGE: Final = re.compile(rb"\\ansicpg(\d+)")
_ABOUT: Final = re.compile(r"\{\\(title|author|subject) ((?:[^{}\\]|\\[^\n])*)\}")
_CREATED: Final = re.compile(r"\{\\creatim\\yr(\d{4})\\mo(\d{1,2})\\dy(\d{1,2})")
_EMPTY: Final = re.compile(r"\n{3,}")
_GROUP: Final = re.compile(
    r"\\[\\{}]|\{(?:(?:\\\*)?\s*\\(footnote|header[lrf]?|footer[lrf]?|shptxt)(?![a-z]))?|\}"
)
"""Where groups begin and end; those with a name hold text that striprtf would leave out."""
_CELL_END: Final = re.compile(r"\\par(?=\s*\}?\s*\\(?:nest)?cell(?![a-z]))")
"""The end of a cell's last paragraph, which pandoc writes, too."""
_DELETED: Final = re.compile(r"\\(?:deleted|mvf)(?![a-z0])")
"""Begins what a tracked change deletes, or moves elsewhere."""
_UNREAD: Final = {
    r"\pict": "pictures",
    r"{\*\annotation": "comments",
    r"{\*\moMath": "formulas",
    r"{\*\objdata": "objects",
    r"\dptxbxtext": "text boxes",
}
"""Other groups that it leaves out, and what is in them; newer text boxes have the older beside."""


def read_rich_text(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return the document, with its notes, page headers and text boxes behind.

    Pictures, comments and formulas are named in warnings; where pages end is not read. Raises
    DocumentUnreadable where it is no Rich Text or tracked changes delete some of it, and any that
    striprtf raises where it is damaged.
    """
    if not data.lstrip().startswith(b"{\\rtf"):
        raise DocumentUnreadable("no Rich Text in it, in spite of its name; give it another suffix")
    written = _decoded(data)
    text, notes = normalised(rich_text(data))
    if lost := text.count("\ufffd"):
        unknown = counted(lost, "character")
        notes += (f"{unknown} that its code page does not have: replaced by U+FFFD",)
    told = {
        key.title(): rich_text(value.encode()).strip() for key, value in _ABOUT.findall(written)
    }
    if created := _CREATED.search(written):
        year, month, day = map(int, created.groups())
        told["Created"] = f"{year}-{month:02}-{day:02}"
    unread = [told for code, told in _UNREAD.items() if code in written]
    if r"{\shptxt" in written and "text boxes" in unread:
        unread.remove("text boxes")
    if unread:
        notes += (f"parts not read: {', '.join(unread)}",)
    properties = {key: value for key, value in told.items() if value}
    return [Extracted(text=text, properties=properties, warnings=notes)]


def rich_text(data: bytes) -> str:
    """Return the plain text of Rich Text; of HTML within it, which mails have, too.

    Raises DocumentUnreadable where tracked changes delete some of it.
    """
    from striprtf.striprtf import remove_pict_groups, rtf_to_text

    written = remove_pict_groups(_decoded(data))  # type: ignore[no-untyped-call]
    if _DELETED.search(written):
        raise DocumentUnreadable("tracked changes delete text: accept or reject them, and save it")
    written = _CELL_END.sub("", _ordered(written))
    text: str = rtf_to_text(written, errors="replace")  # type: ignore[no-untyped-call]
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # of halves
    lines = (line.rstrip() for line in whole.split("\n"))
    return _EMPTY.sub("\n\n", "\n".join(lines)).strip() + "\n"


def _ordered(written: str) -> str:
    r"""Return the codes with notes, page headers and text boxes as groups at the end, each once.

    >>> _ordered(r"{\rtf1 One{\footnote two}.}")
    '{\\rtf1 One.{\\par  two}}'
    """
    open_groups, moved, at = [[""]], dict[str, None](), 0
    names = list[str | None]()
    for found in _GROUP.finditer(written):
        sign = found[0]
        open_groups[-1].append(written[at : found.start()])
        at = found.end()
        if sign == "}" and names:
            if len(names) == 1:
                open_groups[-1] += moved
            if names.pop():
                moved["".join(open_groups.pop()) + "}"] = None
                continue
        elif sign[0] == "{":
            names.append(found[1])
            if found[1]:
                open_groups.append([r"{\par "])
                continue
        open_groups[-1].append(sign)
    cut = moved if names else ()
    return "".join(chain(*open_groups, [written[at:]], cut)) if moved else written


def _decoded(data: bytes) -> str:
    """Return its codes as text; where they are no ASCII, by the code page that they name."""
    named = _CODE_PAGE.search(data[:1024])
    page = f"cp{int(named[1])}" if named else "cp1252"
    try:
        codecs.lookup(page)
    except LookupError:
        page = "cp1252"
    return data.decode(page, "replace")
