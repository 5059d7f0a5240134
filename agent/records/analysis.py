"""The plan of an analysis (the workflow of MuDABench): what is read, and what is asked of each."""

from dataclasses import dataclass
from typing import Literal, TypedDict

from agent.answer import Answer
from agent.cost import Cost
from agent.question import Comparison, Interpretation, Predicate
from agent.records.record import Filled
from agent.records.record_replies import KindReply
from agent.records.record_schema import Schema
from agent.replies import ReplyModel
from agent.value import Value, tuples_restored


class RestrictionReply(ReplyModel):
    """A test of one metadata field that a document has to pass to be read at all."""

    field: str
    """The metadata field, exactly as listed."""
    comparison: Comparison
    """How it is compared."""
    values: list[str]
    """With what; several values are alternatives; dates as YYYY-MM-DD."""
    of: Literal["value", "length"] = "value"
    """length when the number of the field's items is compared, else value."""


class AnalyseReply(ReplyModel):
    """Which documents are read, and what is copied out of each."""

    why: str
    """In at most three sentences, how the question is computed from what is copied out."""
    restrictions: list[RestrictionReply]
    """All must hold of a document; empty when every document bears on the question."""
    kind: KindReply
    """What one record is, with every attribute that the computation needs and no other: the
    measures as the documents state them, and what tells the records apart (the thing, the
    period)."""


class Analysis(Value):
    """A plan that was checked against the collection."""

    why: str
    restrictions: tuple[Predicate, ...] = ()
    copied: Schema
    documents: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class AnalystQuestion:
    """What the graph takes."""

    question: str = ""
    """As asked. Written by the caller, read by all."""
    run: str = ""
    """Names the run; made by `outline` where the caller gives none. Read by all."""
    criteria: Interpretation | None = None
    """How the question was read before, None where nobody has. Read by `outline`, `compute`."""


@dataclass(frozen=True, kw_only=True)
class AnalystState(AnalystQuestion):
    """What the steps know."""

    analysis: Analysis | None = None
    """Written by `outline`, read by `extract` and `compute`."""
    filled: Filled | None = None
    """How far the reading came. Written by `extract`, read by `compute`."""
    warnings: tuple[str, ...] = ()
    """Written by `extract`, read by `compute`."""
    cost: Cost = Cost()  # noqa: RUF009 - frozen
    """Written by the wrapper of every step."""

    def __post_init__(self) -> None:
        tuples_restored(self)


CHECKPOINTED: tuple[type, ...] = (Analysis, Answer, Cost, Filled, Interpretation)


class AnalystUpdate(TypedDict, total=False):
    """What a step changes: the state's names, and the answer."""

    run: str
    analysis: Analysis
    filled: Filled
    warnings: tuple[str, ...]
    cost: Cost
    answer: Answer
