"""What a reader returns."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

__all__ = ("Reader", "Reading")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One document as a format's reader found it; a table gives one for each row."""

    text: str
    encoding: str | None = None
    """None for binary formats, which declare their own."""
    title: str | None = None
    """The title where the format has a place for it."""
    key: str | None = None
    """A row's name within its file; None where the file is one document."""
    source: str | None = None
    """A row as it stands in the file, for its digest."""
    properties: Mapping[str, str] = field(default_factory=dict)
    """What the format itself says of the document: author, date, a row's other columns."""
    warnings: tuple[str, ...] = ()
    broken: str | None = None
    """Why a row cannot be read; it has no text then."""


Reader = Callable[[bytes, str | None], list[Reading]]
"""Reads a file's bytes; the second argument is the encoding to try after BOM and strict UTF-8.

Raises `DocumentUnreadable` with one reason.
"""
