"""What a reasoner replies about records, one form a prompt, and the way that is chosen by it."""

from typing import Literal

from agent.records.query_plan import Plan
from agent.records.record_schema import AttributeType, RecordGrain
from agent.replies import FieldName, ReplyModel
from agent.value import Value


class AttributeReply(ReplyModel):
    """One attribute that most of the documents state."""

    name: str
    """In lower case, words joined by underscores."""
    type: AttributeType
    """integer for whole numbers, number for others, boolean for yes or no, date for days, months
    and years of a calendar, time for times of day and for days with their time, else text."""
    description: str
    """What it means and how a value is written, so that two readers would write the same."""
    unit: str | None
    """The one unit for all values: a currency's code, %, hours, kg; null without one."""
    examples: list[str]
    """Two to four values as they are to be written."""
    labels: list[str]
    """The words by which the documents call it."""
    many: bool
    """True when one record states several values."""
    field: FieldName = None
    """The metadata field that holds it, exactly as listed, where each document is one record; else
    null."""
    judged: bool = False
    """True only where an analysis needs what a reader has to judge; false for what is copied."""


class KindReply(ReplyModel):
    """The kind of thing the documents are about."""

    name: str
    """One noun in the singular, in lower case."""
    description: str
    """What one record stands for."""
    grain: RecordGrain
    """document when each document is one record, row when a document holds many records."""
    attributes: list[AttributeReply]
    """What is likely to be asked about; no attribute twice under two names."""


class InduceReply(ReplyModel):
    """A schema: one kind, or several where a document holds records of several kinds."""

    why: str = ""
    """What decided, or what was changed and why, in at most six short sentences."""
    kinds: list[KindReply]
    """All kinds; of a table that is improved those that are new or changed."""


class CellReply(ReplyModel):
    """One value that the text states."""

    attribute: str
    """The attribute's name, exactly as listed."""
    value: str
    """The value as the attribute's description wants it written."""
    unit: str | None
    """The unit as the text writes it, or null."""
    quote: str
    """The words that state it, copied from the text, at most 40 words."""


class RecordReply(ReplyModel):
    """One record."""

    kind: str
    """The kind's name, exactly as listed."""
    label: str
    """What the text calls it; empty where it has no name."""
    cells: list[CellReply]
    """Only what the text states; several cells for an attribute of many values."""


class UnfitReply(ReplyModel):
    """A table, list or run of entries that is of none of the kinds."""

    heading: str
    """What it stands under, copied from the text; else how its first row begins."""
    rows: int
    """How many of its rows stand in this text."""


class ExtractReply(ReplyModel):
    """The records that a text states."""

    records: list[RecordReply]
    """One where each document is one record; else all that stand in the text, in order."""
    unfit: tuple[UnfitReply, ...] = ()
    """What is of none of the kinds; mostly empty."""


class DocumentReply(ExtractReply):
    """The records that one of several documents states."""

    document: int
    """The document's number."""


class SeveralReply(ReplyModel):
    """The records of several documents."""

    documents: list[DocumentReply]
    """Every document once, also one without records."""


class QueryReply(ReplyModel):
    """How the tables answer the question."""

    why: str
    """In at most two sentences, what is computed from which columns, or what is missing."""
    answerable: bool
    """False when a column that the question needs is not there."""
    missing: str
    """What the tables lack, in the question's words; empty when nothing."""
    plan: Plan | None
    """The query as a plan; null when it is not answerable or needs what a plan cannot say."""
    sql: str | None
    """Only where no plan can say it: one SELECT in SQLite's dialect, else null."""


RoutePath = Literal["records", "hybrid", "text"]


class Planned(Value):
    """A query that answers the question, one of its readings, or one of its conditions."""

    of: str
    """The reading's number; on the hybrid way the condition's id."""
    reply: QueryReply


class Decided(Value):
    """What the records say of one condition, document by document."""

    condition: str
    holds: str
    """The documents of which it holds, as an id set of the run store."""
    unknown: str
    """The documents of which they say nothing, as an id set: the texts decide there."""
    known: bool
    """Whether there are none such: then no text is read for the condition."""


class Route(Value):
    """The way that was chosen, and why."""

    path: RoutePath
    why: str
    planned: tuple[Planned, ...] = ()
    """The queries that the way needs; empty for text."""
    decided: tuple[Decided, ...] = ()
    """What the records decided on the hybrid way."""
    left: str = ""
    """Why an earlier choice was given up; empty where the first one was kept."""

    @property
    def settled(self) -> frozenset[str]:
        """The conditions that no text is read for."""
        return frozenset(each.condition for each in self.decided if each.known)
