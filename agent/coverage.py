"""What happened to the chunks, in numbers that add up."""

from typing import Literal

from agent.value import Value

__all__ = ("Coverage", "CoverageState")

CoverageState = Literal["unseen", "pruned", "yes", "no", "unparsable", "failed", "reverted"]


class Coverage(Value):
    """Chunks by what happened to them: pruned + judged + unparsable + failed + unseen = chunks."""

    chunks: int = 0
    pruned: int = 0
    """Ruled out by a filter or decided by metadata elsewhere in the document."""
    judged: int = 0
    """Judged yes or no on at least one condition."""
    matched: int = 0
    """Judged yes on at least one condition; part of `judged`."""
    unparsable: int = 0
    """The reply about the chunk could not be used, twice."""
    failed: int = 0
    """The request about the chunk failed, after retries."""
    unseen: int = 0
    """Candidates not reached, for instance because the budget ended."""
