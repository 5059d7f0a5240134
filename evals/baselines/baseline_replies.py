"""What a reasoner replies to the baselines' prompts; a field's docstring is what it reads."""

from typing import Literal

from agent.replies import QuotedReply, ReplyModel


class ItemReply(ReplyModel):
    """One thing that the question asks for."""

    name: str
    """Its name; the document's title where documents are counted or listed."""
    evidence: list[QuotedReply]
    """The quotes that prove it; empty without passages."""


class AnswerReply(ReplyModel):
    """The answer to the question."""

    reason: str
    """How the answer was found, in at most two sentences."""
    items: list[ItemReply]
    """Every single thing that is counted, listed or measured, each once."""
    value: float | None
    """The number asked for: of how many, how many items; null where no number is asked for or
    none can be given."""
    unit: str | None
    """The unit of the number, or null."""


class AssessReply(ReplyModel):
    """How well a round of searching served the question."""

    reason: str
    """What was found and what is missing, in at most two sentences."""
    quality: float
    """How much of what was retrieved serves the answer, from 0 (nothing) to 1 (everything)."""
    query: str | None
    """The next query, for what is missing; null where nothing more can be hoped for."""


class NoteReply(ReplyModel):
    """Notes taken from passages."""

    items: list[ItemReply]
    """Everything in these passages that bears on the question, also on a part of it, each thing
    with the quotes that say so; nothing that stands in the earlier notes already."""
    query: str | None
    """What to search for next, for what the notes still lack; null where nothing is lacking."""


class MergedReply(ReplyModel):
    """One thing that the question asks for, put together from notes."""

    name: str
    """Its name; the document's title where documents are counted or listed."""
    notes: list[int]
    """The numbers of the notes that prove it."""


class MergeReply(ReplyModel):
    """The answer put together from notes."""

    reason: str
    """How the answer was found, in at most two sentences."""
    items: list[MergedReply]
    """Every single thing that is counted, listed or measured, each once."""
    value: float | None
    """The number asked for, or null where no number is asked for or none can be given."""
    unit: str | None
    """The unit of the number, or null."""


class DelegateReply(ReplyModel):
    """The question shared out among workers."""

    reason: str
    """Why so, in one sentence."""
    tasks: list[str]
    """One to four tasks, each a sentence that a worker can search by without the others."""


class DiversifyReply(ReplyModel):
    """Different ways to understand the question."""

    readings: list[str]
    """The question rewritten in each sense, the likeliest first."""


class VerifyReply(ReplyModel):
    """Which passages serve the question."""

    reason: str
    """Why, in at most two sentences."""
    useful: list[int]
    """The numbers of the passages that hold a part of the answer."""
    verdict: Literal["useful", "partly", "useless"]
    """useful: they answer the question; partly: a part of it; useless: no passage bears on it."""
