"""What happened to a chunk and why: states, steps, readers, reasons and spans, never its text."""

from pydantic import JsonValue

from agent.coverage import CoverageState
from agent.value import Value

__all__ = (
    "BatchPlace",
    "Cause",
    "Change",
    "ChunkStory",
    "ConditionStory",
    "QuoteSpan",
    "Standing",
)


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
    why: str = ""
    undone: bool = False
    """Whether it was rolled back later."""


class Change(Value):
    """One move of a chunk from a state to another."""

    sequence: int
    """Changes of a run in order; those of one sequence number were made at once."""
    before: Standing
    after: Standing
    step: int | None = None
    """The step of the history during which it was made; None where that was not recorded."""


class QuoteSpan(Value):
    """Where a verified quote stands: character offsets in the document."""

    start: int
    end: int
    by: str
    """Who found it."""


class ConditionStory(Value):
    """What happened to a chunk under one condition."""

    condition: str
    """The condition's id."""
    now: Standing
    quotes: tuple[QuoteSpan, ...] = ()
    changes: tuple[Change, ...] = ()
    """Every move since all was unseen, oldest first."""


class BatchPlace(Value):
    """A judging request that a chunk was planned into."""

    plan: int
    """Which plan of batches of the run, from 0."""
    batch: int
    """Its number in the plan, from 0."""
    size: int
    """How many chunks it holds."""


class ChunkStory(Value):
    """What happened to one chunk in one run."""

    run: str
    """The run; for a second or later reading with the reading's number, `RUN.1`."""
    chunk: int
    document: str
    start: int
    """Character offset in the document."""
    end: int
    batches: tuple[BatchPlace, ...] = ()
    conditions: tuple[ConditionStory, ...]
    causes: tuple[Cause, ...] = ()
    """The steps that the conditions name, by number."""
