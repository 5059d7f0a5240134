"""What a reasoner replies to the ADF graph's prompts; a field's docstring is what it reads."""

from agent.ambiguity import CoherenceState
from agent.replies import ReplyModel

__all__ = (
    "DecomposeReply",
    "GateReply",
    "HypothesiseReply",
    "QuotedReply",
    "SynthesiseReply",
    "SynthesisedReading",
)


class GateReply(ReplyModel):
    """Whether a question has several readings, judged by its words alone."""

    reason: str
    """In one sentence: which different things it may ask, or why it asks one."""
    verdict: CoherenceState
    """clear, ambiguous, or uncertain where the words do not tell."""


class DecomposeReply(ReplyModel):
    """The question in the sense of one group of passages."""

    reason: str
    """In one sentence: what of the passages bears on the question, or why nothing does."""
    label: str
    """The reading in at most six words; empty without a question."""
    question: str | None
    """The whole question in this sense, or null where the passages do not bear on it."""


class HypothesiseReply(ReplyModel):
    """A passage as a document would have it that answers the question."""

    passage: str
    """The passage alone; empty where none can be written."""


class QuotedReply(ReplyModel):
    """One place that proves an answer."""

    passage: int
    """The passage's number."""
    quote: str
    """The words that state it, copied from the passage, at most 60 words."""


class SynthesisedReading(ReplyModel):
    """The answer to the question in one reading."""

    reading: int
    """The reading's number."""
    evidence: list[QuotedReply]
    """The quotes that prove the answer; empty where the passages do not answer."""
    answer: str | None
    """What they answer in this reading, or null where they do not."""


class SynthesiseReply(ReplyModel):
    """The answers to all readings, and what sets them apart."""

    readings: list[SynthesisedReading]
    """Every reading once, in order."""
    contrast: str
    """In one or two sentences, how the readings' answers differ; empty with one reading."""
    text: str
    """The linked paragraph, where one is asked for; else empty."""
