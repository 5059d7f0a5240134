"""The answer: its JSON is the public interface, section 4 of the design, to the letter."""

from html import escape
from typing import TYPE_CHECKING, Final, Literal

from pydantic import Field

from agent.ambiguity import Coherence
from agent.cost import Cost
from agent.coverage import Coverage
from agent.evidence import Entity
from agent.history import Snapshot
from agent.question import Node
from agent.value import Value

if TYPE_CHECKING:
    import polars as pl

_COLUMNS: Final = {
    "reading": int,
    "item": str,
    "value": str,
    "unit": str,
    "document": str,
    "page": int,
    "start": int,
    "end": int,
    "quote": str,
    "condition": str,
}
"""Of an answer as a frame, with their types."""
_KEPT: Final = 20
"""Items of an answer in a checkpoint."""
Status = Literal["answered", "partial", "needs_clarification", "candidates"]
"""`candidates`: passages that nobody has read, without a value and without bounds."""


class AnswerReading(Value):
    """How the question was read."""

    text: str
    entity_type: str
    operation: str
    conditions: Node | None = None
    assumptions: tuple[str, ...] = ()


class Completeness(Value):
    """What may have been missed."""

    recall_lower_bound: float | None = None
    """At least this share of the relevant chunks was judged; None where nothing bounds it."""
    confidence: float | None = None
    audited: int = 0
    audit_hits: int = 0
    method: str


class Asked(Value):
    """A clarification that was asked, or waits."""

    question: str
    options: tuple[str, ...] = ()
    reply: str | None = None
    """None while it waits."""


class AmbiguityReport(Value):
    """Which ambiguities the question showed."""

    codes: tuple[str, ...] = ()
    coherence: Coherence | None = None
    asked: tuple[Asked, ...] = ()


class Answer(Value):
    """The full list, the words that prove each item, the bounds and the bill."""

    schema_version: Literal[1] = 1
    question: str
    status: Status
    interpretation: AnswerReading | None = None
    readings: tuple["Answer", ...] = ()
    """One answer per reading, where the question was answered under every reading."""
    value: float | int | dict[str, float | int] | None = None
    """The number asked for; for lists and rankings the count; for group_by a number per group."""
    bounds: tuple[float | int, float | int] | None = None
    """What the number could be, given chunks that were not or could not be judged."""
    likely: tuple[float | int, float | int] | None = None
    """Where this judge, reading everything, would likely see the number (80 %): within the bounds;
    None where no audit sampled what was not read, or nothing bounds the number."""
    unit: str | None = None
    """The unit of `value`; of a ranking, each item has its own."""
    entities: tuple[Entity, ...] = ()
    completeness: Completeness
    coverage: Coverage
    snapshots: tuple[Snapshot, ...] = ()
    ambiguity: AmbiguityReport = Field(default_factory=AmbiguityReport)
    cost: Cost = Field(default_factory=Cost)
    warnings: tuple[str, ...] = ()
    run: str

    def shortened(self, items: int, *, quotes: bool = True) -> "Answer":
        """Return the answer for a conversation: its first items with a quote each, no steps.

        Without quotes each item has the place of one: the words stand in the corpus.
        """
        first = self.entities[:items]
        left = len(self.entities) - len(first)
        told = [f"{left} more: ask with more `items`, or read run {self.run}"] if left else []
        if quotes and any(len(each.evidence) > 1 for each in first):
            told.append(f"one quote an item is shown: `evidence` of run {self.run} has the others")
        return self.model_copy(
            update={
                "entities": tuple(each.shortened if quotes else each.kept for each in first),
                "readings": tuple(each.shortened(items, quotes=quotes) for each in self.readings),
                "snapshots": (),
                "warnings": (*self.warnings, *told),
            }
        )

    @property
    def kept(self) -> "Answer":
        """The answer as a thread keeps it; the whole is in the run store, by the run's id."""
        return self.shortened(_KEPT, quotes=False)

    def to_frame(self) -> "pl.DataFrame":
        """Return the items as a Polars frame, a row for each quote, of all readings in turn.

        The columns are reading (from 1), item, value (as text), unit, document, page, start, end,
        quote and condition; an item without a quote has a row for each of its documents.
        """
        import polars as pl

        rows = []
        for number, answer in enumerate(self.readings or (self,), start=1):
            for item in answer.entities:
                value, unit = item.value, item.unit or answer.unit
                told = {"reading": number, "item": item.name, "unit": unit}
                told |= {} if value is None else {"value": str(value)}
                places = [each.model_dump() for each in item.evidence]
                rows += [
                    told | each
                    for each in places or [{"document": name} for name in item.documents]
                ]
        return pl.DataFrame(rows, schema=_COLUMNS)

    def _repr_html_(self) -> str:
        """Show the answer in a notebook: its number and bounds, how it was read, the quotes."""
        number = self.status if self.value is None else str(self.value)
        if isinstance(self.value, dict):
            number = ", ".join(f"{name}: {each:g}" for name, each in self.value.items())
        told = f"<b>{escape(number)}</b>"
        if self.bounds is not None:
            told += " (between {} and {})".format(*self.bounds)
        if self.value is not None and self.status != "answered":
            told += f", {self.status}"
        said = [f"interpreted as: {self.interpretation.text}"] if self.interpretation else []
        for asked in self.ambiguity.asked:
            said += [asked.question, *asked.options] if asked.reply is None else []
        lines = (f"<br>{escape(each)}" for each in (*said, *self.warnings, f"run {self.run}"))
        frame = self.to_frame()._repr_html_() if self.entities or self.readings else ""
        return f"<p>{escape(self.question)} {told}{''.join(lines)}</p>{frame}"


Answer.model_rebuild()
