"""Drawing up a schema: the documents that are shown, and what comes of it."""

from collections.abc import Mapping
from dataclasses import dataclass

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


@dataclass(frozen=True, kw_only=True)
class Induced:
    """What came of drawing up a schema."""

    result: Schema
    failures: tuple[AdfFailure, ...] = ()
    """Requests that brought nothing usable."""
    stopped: str = ""
    """The limit that was reached."""
    cost: Cost = Cost()  # noqa: RUF009 - frozen
