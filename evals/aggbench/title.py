"""Headings as they are compared: without number, marks and case."""

import re
from typing import Final

__all__ = ("OUTER", "bare_title", "heading_key")

OUTER: Final = "()[]{}<>«»“”‘’\"'`*_.,;:!?…|~-–—"
"""Marks that stand around words and are no part of them."""
_NUMBERING: Final = re.compile(r"^(?:(?:\d+(?:\.\d+)*|[IVXLC]+|[A-Z])[.):]?\s+)")


def heading_key(title: str) -> str:
    """Return what two writings of one heading share: words, without number, marks and case.

    >>> heading_key("2.1 Rejected  Ideas:"), heading_key("## Rejected ideas")
    ('rejected ideas', 'rejected ideas')
    """
    return bare_title(title).casefold()


def bare_title(title: str) -> str:
    """Return a heading's words as written, without its number and marks."""
    bare = _NUMBERING.sub("", title.strip().lstrip("#").strip())
    return " ".join(bare.strip(OUTER + "= ").split())
