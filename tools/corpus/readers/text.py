"""Plain text, Markdown and reStructuredText: as they are."""

from tools.corpus.readers.encoding import decode
from tools.corpus.readers.reading import Reading

__all__ = ("read_text",)


def read_text(data: bytes, encoding: str | None) -> list[Reading]:
    """Return the whole file as one document."""
    text, found, warnings = decode(data, encoding)
    return [Reading(text=text, encoding=found, warnings=warnings)]
