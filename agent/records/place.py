"""Where records lie, and over which documents they are."""

from pathlib import Path

from agent.value import Value

__all__ = ("RecordsPlace",)


class RecordsPlace(Value):
    """Records made for one question, apart from those of the corpus."""

    path: Path
    """The SQLite file."""
    documents: tuple[str, ...]
    """The documents that bear on the question; no other is read."""
