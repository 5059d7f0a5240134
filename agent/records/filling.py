"""Filling the tables: its typed state, and how far it came (S-RAG, section 3.2.2)."""

from dataclasses import dataclass
from typing import Final, TypedDict

from agent.cost import Cost
from agent.records.record import Record
from agent.records.schema import Kind, Schema
from agent.value import Value

__all__ = (
    "REMARK",
    "DocumentInHand",
    "FillInput",
    "FillState",
    "FillUpdate",
    "Filled",
    "Span",
    "Unread",
)

Span = tuple[int, int]
REMARK: Final = "?"
"""Stands for the attribute where something is only to be told, as that two parts contradict one
another: it is no reason to read the document again."""


class Unread(Value):
    """What of a document could not be read or taken."""

    reason: str
    kind: str = ""
    attribute: str = ""
    """Which value; empty where a part of the document was not read at all."""
    original: str = ""
    """The value as it was given."""
    span: Span | None = None
    """The part that was not read."""


class DocumentInHand(Value):
    """A document that is being read, part by part."""

    document: int
    pending: tuple[Span, ...]
    """Parts to be read still, the most promising first."""
    parts: int = 1
    """How many it has."""
    read: tuple[tuple[Span, tuple[Record, ...]], ...] = ()
    """What each part brought."""
    unread: tuple[Unread, ...] = ()


class Filled(Value):
    """How far a filling came."""

    documents: int = 0
    """Documents of the corpus."""
    current: int = 0
    """Those that had been read before and did not change."""
    read: int = 0
    """Read now."""
    forgotten: int = 0
    """Removed, since the corpus does not have them any more."""
    left: int = 0
    """To be read still."""
    records: int = 0
    """Found now."""
    refused: int = 0
    """Values that could not be taken: null, with the reason."""
    failed: tuple[str, ...] = ()
    """Documents of which something could not be read at all."""
    stopped: str = ""
    """The limit that was reached."""
    cost: Cost = Cost()


class FillInput(TypedDict, total=False):
    """What the graph takes."""

    schema: Schema
    again: bool
    """Whether documents that have been read already are read again."""


@dataclass(frozen=True, kw_only=True)
class FillState:
    """What the steps know."""

    schema: Schema = Schema()  # noqa: RUF009 - frozen
    """Written by the caller, read by all."""
    again: bool = False
    """Written by the caller, read by survey."""
    kinds: tuple[tuple[str, ...], ...] = ()
    """Of which kinds each document may hold records. Written by survey, read by the others."""
    queue: tuple[int, ...] = ()
    """Documents to be begun. Written by survey and read_parts, read by read_parts."""
    hand: tuple[DocumentInHand, ...] = ()
    """Documents begun. Written by read_parts and keep, read by both."""
    filled: Filled = Filled()  # noqa: RUF009 - frozen
    """Written by survey and keep."""
    stopped: str = ""
    """The limit that was reached. Written by read_parts, read by the route."""
    cost: Cost = Cost()  # noqa: RUF009 - frozen
    """Written by the wrapper of every step."""

    def kinds_of(self, document: int) -> tuple[Kind, ...]:
        """Return the kinds of which a document may hold records."""
        return tuple(each for each in self.schema.kinds if each.name in self.kinds[document])


class FillUpdate(TypedDict, total=False):
    """What a step changes: the state's names."""

    kinds: tuple[tuple[str, ...], ...]
    queue: tuple[int, ...]
    hand: tuple[DocumentInHand, ...]
    filled: Filled
    stopped: str
    cost: Cost
