"""A round of reading: which chunks were chosen, why, and how many of them were relevant."""

from typing import Literal

from agent.value import Value

__all__ = ("Purpose", "ReadingRound")

Purpose = Literal["search", "audit"]


class ReadingRound(Value):
    """One round; the next is chosen by what this one brought."""

    purpose: Purpose
    """To find more, by rank; or to learn what is left, at random."""
    selection: str
    """The chosen chunks, an id set of the run store."""
    size: int
    """How many they are."""
    why: str
    """Why these, and so many."""
    hits: int | None = None
    """How many were judged relevant to a condition; None while they are being read."""
