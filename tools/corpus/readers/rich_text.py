"""Rich Text (RTF): its text, with what it says of itself."""

import codecs
import re
from typing import Final

from agent.errors import DocumentUnreadable
from agent.value import counted
from tools.corpus.readers.extracted import Extracted, normalised

_CODE_PAGE: Final = re.compile(rb"\\ansicpg(\d+)")
_ABOUT: Final = re.compile(r"\{\\(title|author|subject) ((?:[^{}\\]|\\[^\n])*)\}")
_CREATED: Final = re.compile(r"\{\\creatim\\yr(\d{4})\\mo(\d{1,2})\\dy(\d{1,2})")
_EMPTY: Final = re.compile(r"\n{3,}")


def read_rich_text(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return the document; its pictures, and where its pages end, are not read.

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
    if r"\pict" in written:
        notes += ("pictures not read",)
    properties = {key: value for key, value in told.items() if value}
    return [Extracted(text=text, properties=properties, warnings=notes)]


def rich_text(data: bytes) -> str:
    """Return the plain text of Rich Text; of HTML within it, which mails have, too."""
    from striprtf.striprtf import rtf_to_text

    text: str = rtf_to_text(_decoded(data), errors="replace")  # type: ignore[no-untyped-call]
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # of halves
    lines = (line.rstrip() for line in whole.split("\n"))
    return _EMPTY.sub("\n\n", "\n".join(lines)).strip() + "\n"


def _decoded(data: bytes) -> str:
    """Return its codes as text; where they are no ASCII, by the code page that they name."""
    named = _CODE_PAGE.search(data[:1024])
    page = f"cp{int(named[1])}" if named else "cp1252"
    try:
        codecs.lookup(page)
    except LookupError:
        page = "cp1252"
    return data.decode(page, "replace")
