"""A chunk that was kept, as it is shown."""

from dataclasses import dataclass

__all__ = ("Passage",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A chunk's place and text."""

    document: str
    """The document's name."""
    start: int
    """Character offset in the document's text, inclusive."""
    end: int
    """Character offset, exclusive."""
    text: str
    """The document's text from start to end."""
