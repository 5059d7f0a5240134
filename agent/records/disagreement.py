"""What a trial reading of a schema showed to be amiss with an attribute or a kind."""

from typing import Literal

from agent.value import Value

__all__ = ("Disagreement", "Trouble")

Trouble = Literal["empty", "untyped", "units", "forms", "constant", "unread"]
"""empty: hardly a document states it; untyped: values that do not fit the type; units: values in
several units and none declared; forms: text values of unlike shape; constant: one value in all
records of several; unread: documents in which nothing of the kind was found."""


class Disagreement(Value):
    """One attribute's trouble, or a kind's where no attribute is named."""

    kind: str
    attribute: str | None = None
    trouble: Trouble
    filled: int = 0
    """Records that state it."""
    records: int = 0
    """Records that were tried."""
    values: tuple[str, ...] = ()
    """Values as written that show it, each with its unit; or the documents' names for unread."""
    why: str = ""
    """In one sentence, what is amiss."""
