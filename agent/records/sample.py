"""What of a document is shown when a schema is drawn up."""

from collections.abc import Mapping

from agent.value import Value

__all__ = ("Extract", "SampleDocument")


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
    whole: bool = True
    """Whether nothing of the text is left out."""

    @property
    def text(self) -> str:
        """The parts, one after the other."""
        return "\n".join(each.text for each in self.extracts)
