"""Rich Text (RTF): its text, with what it says of itself."""

import codecs
import re
from itertools import chain
from typing import Final

from agent.errors import DocumentUnreadable
from agent.value import counted
from tools.corpus.readers.extracted import REVISED, Extracted, normalised

_CODE_PAGE: Final = re.compile(rb"\\ansicpg(\d+)")
_ABOUT: Final = re.compile(r"\{\\(title|author|subject) ((?:[^{}\\]|\\[^\n])*)\}")
_CREATED: Final = re.compile(r"\{\\creatim\\yr(\d{4})\\mo(\d{1,2})\\dy(\d{1,2})")
_EMPTY: Final = re.compile(r"\n{3,}")
_GROUP: Final = re.compile(
    r"\\[\\{}]|\{(?:(?:\\\*)?\s*\\(footnote|header[lrf]?|footer[lrf]?|shptxt)(?![a-z]))?|\}"
)
"""Where groups begin and end; those with a name hold text that striprtf would leave out."""
_CODE: Final = re.compile(r"\\([a-z]+)(-?\d+)? ?|\\'..|\\.|[{}]|[^\\{}]+", re.DOTALL)
_CELL_END: Final = re.compile(r"\\par(?=\s*\}?\s*\\(?:nest)?cell(?![a-z]))")
"""The end of a cell's last paragraph, which pandoc writes, too."""
_DELETED: Final = re.compile(r"\\(?:deleted|mvf)(?![a-z0])")
"""Begins what a tracked change deletes, or moves elsewhere."""
_SIGNS: Final = frozenset({
    "par", "line", "tab", "u", "emdash", "endash", "bullet",
    "lquote", "rquote", "ldblquote", "rdblquote",
})  # fmt: skip
"""Codes that are a sign of the text."""
_UNREAD: Final = {
    r"{\*\annotation": "comments",
    r"{\*\moMath": "formulas",
    r"{\*\objdata": "objects",
    r"{\sn gtextUNICODE}": "WordArt",
    r"\dptxbxtext": "text boxes",
}
"""Other groups that it leaves out, and what is in them; newer text boxes have the older beside."""


def read_rich_text(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return the document, with its notes, page headers and text boxes behind.

    Deleted revisions are left out. They, pictures, comments and formulas are named in warnings;
    where pages end is not read.

    Raises:
        DocumentUnreadable: If it is no Rich Text.
        Exception: Any that striprtf raises, if it is damaged.
    """
    if not data.lstrip().startswith(b"{\\rtf"):
        raise DocumentUnreadable("no Rich Text in it, in spite of its name; give it another suffix")
    text, notes = normalised(rich_text(data))
    if lost := text.count("\ufffd"):
        unknown = counted(lost, "character")
        notes += (f"{unknown} that its code page does not have: replaced by U+FFFD",)
    written = _decoded(data)
    told = {
        key.title(): rich_text(value.encode()).strip() for key, value in _ABOUT.findall(written)
    }
    if created := _CREATED.search(written):
        year, month, day = map(int, created.groups())
        told["Created"] = f"{year}-{month:02}-{day:02}"
    if _DELETED.search(written):
        notes += (REVISED,)
    if r"\pict" in written:
        notes += ("pictures not read",)
    unread = [told for code, told in _UNREAD.items() if code in written]
    if r"{\shptxt" in written and "text boxes" in unread:
        unread.remove("text boxes")
    if unread:
        notes += (f"parts not read: {', '.join(unread)}",)
    properties = {key: value for key, value in told.items() if value}
    return [Extracted(text=text, properties=properties, warnings=notes)]


def rich_text(data: bytes) -> str:
    """Return the plain text of Rich Text; of HTML within it, which mails have, too."""
    from striprtf.striprtf import remove_pict_groups, rtf_to_text

    written = remove_pict_groups(_decoded(data))  # type: ignore[no-untyped-call]
    written = _ordered(_kept(written) if _DELETED.search(written) else written)
    written = _CELL_END.sub("", written)
    text: str = rtf_to_text(written, errors="replace")  # type: ignore[no-untyped-call]
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # of halves
    lines = (line.rstrip() for line in whole.split("\n"))
    return _EMPTY.sub("\n\n", "\n".join(lines)).strip() + "\n"


def _kept(written: str) -> str:
    r"""Return the codes without the text that is marked as deleted.

    >>> _kept(r"{Rent: {\deleted 9{\b 0}0\par }950.}"), _kept(r"A\deleted B\plain C")
    ('{Rent: {\\deleted {\\b }}950.}', 'A\\deleted \\plain C')
    """
    deleted, kept = [False], list[str]()
    for found in _CODE.finditer(written):
        sign, word, value = found.group(0, 1, 2)
        if sign == "{":
            deleted.append(deleted[-1])
        elif sign == "}":
            del deleted[max(1, len(deleted) - 1) :]
        elif word in {"deleted", "mvf"}:
            deleted[-1] = value != "0"
        elif word == "plain":
            deleted[-1] = False
        elif deleted[-1] and (word is None or word in _SIGNS):
            continue
        kept.append(sign)
    return "".join(kept)


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
