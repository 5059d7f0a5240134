"""What could not be read from a document: kept and counted, never dropped."""

from typing import Literal

from agent.value import Value

__all__ = ("DocumentState", "Failure", "ReadStatus")

ReadStatus = Literal["read", "partial", "failed", "stale"]
"""read: nothing failed; partial: records and failures; failed: only failures; stale: to be read
again, since the schema changed; its records are kept until then."""


class Failure(Value):
    """A document, a part of it or a value in it that could not be read."""

    document: str
    reason: str
    kind: str = ""
    """Of which kind a record was sought; empty for all."""
    attribute: str = ""
    """Which value could not be read; empty for the whole record."""
    original: str = ""
    """The value as written."""
    start: int | None = None
    """Where the part begins that could not be read; None for the whole document."""
    end: int | None = None


class DocumentState(Value):
    """What is known of one document."""

    document: str
    digest: str
    """Of the text that was read."""
    status: ReadStatus
    kinds: tuple[str, ...]
    """For which kinds it was read."""
    records: int
    failures: int
