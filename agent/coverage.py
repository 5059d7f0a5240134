"""What happened to the chunks: their states in numbers that add up, rounds of judging, audits.

A chunk's story tells states, steps, judges and spans, never its text.
"""

from typing import Final, Literal

from pydantic import JsonValue

from agent.value import Value

CoverageState = Literal["unseen", "pruned", "yes", "no", "unparsable", "failed", "reverted"]
Purpose = Literal["search", "audit"]
AuditOutcome = Literal["", "met", "leaked", "ended"]
"""Being read; the target is proven; relevant chunks came up; no larger sample is allowed."""


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


class ReadingRound(Value):
    """One round; the next is chosen by what this one brought."""

    purpose: Purpose
    """To find more, by rank; or to learn what is left, at random."""
    selection: str
    """The chosen chunks, an id set of the run store."""
    size: int
    why: str
    """Why these, and so many."""
    hits: int | None = None
    """How many were judged relevant to a condition; None while they are being read."""
    seek: tuple[str, ...] = ()
    """What to search by next, as the reader of these has it."""


class SampledStratum(Value):
    """A part of the unread chunks and the sample drawn from it; id sets of the run store."""

    reasons: tuple[str, ...]
    """Why its chunks had not been read."""
    chunks: str
    sample: str


class Audit(Value):
    """One look at what was never judged."""

    strata: tuple[SampledStratum, ...]
    relevant: str
    """The chunks known to be relevant before it, an id set of the run store."""
    matched: str
    """The documents known to match before it."""
    pivot: tuple[str, ...] = ()
    """The conditions that count wherever they are found; the others count in documents that
    satisfy these. Empty where all count everywhere."""
    closed: str
    """Chunks neither judged nor in a stratum: the requests about them had failed."""
    outcome: AuditOutcome = ""


SKIPPED: Final = "skipped"
"""Why a passage is unparsable that a person left without a verdict: no fault of anybody."""


class Standing(Value):
    """Where a chunk stands under a condition, and what put it there."""

    state: CoverageState
    step: int | None = None
    """For `pruned`, the step of the history that ruled it out; 0 is the decision by fields."""
    by: str = ""
    """For `yes` and `no`, who judged it; empty where that was not recorded."""
    reason: str = ""
    """For `failed` and `unparsable`, why; empty where that was not recorded."""


class Cause(Value):
    """A step that moved chunks: a filter call, a decision by fields, a round of reading."""

    step: int
    """Its number in the history; 0 is the decision by fields."""
    tool: str
    arguments: dict[str, JsonValue]
    undone: bool = False
    """Whether it was rolled back later."""
