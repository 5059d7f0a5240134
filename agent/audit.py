"""An audit as the state keeps it: what nobody had read, what was drawn, what was known."""

from typing import Literal

from agent.value import Value

__all__ = ("Audit", "AuditOutcome", "SampledStratum")

AuditOutcome = Literal["", "met", "leaked", "ended"]
"""Being read; the target is proven; relevant chunks came up; no larger sample is allowed."""


class SampledStratum(Value):
    """A part of the unread chunks and the sample drawn from it; id sets of the run store."""

    reasons: tuple[str, ...]
    """Why its chunks had not been read."""
    band: int
    bands: int
    chunks: str
    sample: str
    call: int | None = None
    """The round of the filter call that alone ruled its chunks out, and that can be undone."""


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
    taken_back: str = ""
    """Where a filter call was to blame for what the sample held, and is undone: the chunks to read
    first, those of the part that leaked."""
