"""Rich Text Format: the words, by striprtf."""

import re

from tools.corpus.readers.extracted import Extracted, normalised

_ASIDE = re.compile(r"(?:\\\*)?\\(?:footnote|header[lrf]?|footer[lrf]?)(?![a-z])")
"""What begins a part that stands beside the text, and that striprtf leaves out."""
_CELL = re.compile(r"\n\|")
_LAST_CELL = re.compile(r" \| *$", re.MULTILINE)


def read_rtf(data: bytes, encoding: str | None) -> list[Extracted]:
    """Return the document's text; footnotes, headers and footers where the file has them.

    Bytes beyond ASCII are read as the file says, else by `encoding`.

    Raises Exception: Any that striprtf raises, if it is damaged.
    """
    from striprtf.striprtf import rtf_to_text

    source, ansi = _ASIDE.sub(" ", data.decode("latin-1")), encoding or "cp1252"
    read = rtf_to_text(source, encoding=ansi, errors="replace")  # type: ignore[no-untyped-call]
    text, notes = normalised(_LAST_CELL.sub("", _CELL.sub(" | ", read)))
    return [Extracted(text=text, warnings=notes)]
