"""Drawing up a schema: its typed state and its outcome (S-RAG, section 3.2.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from agent.adf_state import AdfFailure
from agent.cost import Cost
from agent.records.record_schema import Schema
from agent.value import Value


class Extract(Value):
    """A part of a document's text."""

    text: str
    """As the document has it."""
    start: int = 0
    """Where it begins in the document's text."""


class SampleDocument(Value):
    """A document, whole or in parts."""

    name: str
    """Its name: path below the indexed root, without suffix."""
    fields: Mapping[str, str] = {}
    """What is known of it beside the text, as written: header fields, file name."""
    extracts: tuple[Extract, ...]
    """Its text: one part where it is whole; else parts from all over it, in order."""

    @property
    def text(self) -> str:
        """The parts, one after the other."""
        return "\n".join(each.text for each in self.extracts)


class Group(Value):
    """Documents that are alike."""

    order: tuple[int, ...]
    """In which order they are looked at; those beyond the last are never shown."""
    examples: tuple[str, ...]
    """By which other documents are known to be of this group; empty where there is one group."""


@dataclass(frozen=True, kw_only=True)
class InductionState:
    """What the steps know."""

    questions: tuple[str, ...] = ()
    """Like those that will be asked. Written by the caller, read by draw."""
    extended: bool = False
    """Whether the caller's schema is extended, by the caller's groups, in one round that shows all
    questions. Written by the caller, read by draw and the route."""
    groups: tuple[Group, ...] = ()
    """Written by group, or by the caller who has a schema extended; read by draw."""
    at: int = 0
    """The group in hand. Written by close, read by all."""
    round: int = 0
    """Rounds done in this group. Written by draw and close, read by draw and the route."""
    quiet: int = 0
    """Rounds in a row that changed nothing. Written by draw, read by the route."""
    schema: Schema | None = None
    """Of the group in hand. Written by draw, or by the caller who has one extended; read by all."""
    drafts: tuple[Schema, ...] = ()
    """The schemas of the groups done. Written by close, read by unite."""
    result: Schema | None = None
    """The outcome. Written by unite."""
    failures: tuple[AdfFailure, ...] = ()
    """Requests that brought nothing usable. Written by draw."""
    stopped: str = ""
    """The limit that was reached. Written by draw, read by the routes."""
    cost: Cost = Cost()  # noqa: RUF009 - frozen
    """Written by the wrapper of every step."""


class InductionUpdate(TypedDict, total=False):
    """What a step changes: the state's names."""

    groups: tuple[Group, ...]
    at: int
    round: int
    quiet: int
    schema: Schema | None
    drafts: tuple[Schema, ...]
    result: Schema | None
    failures: tuple[AdfFailure, ...]
    stopped: str
    cost: Cost
