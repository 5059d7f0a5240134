"""A value that was read from a text and could not be taken."""

from agent.value import Value

__all__ = ("Refusal",)


class Refusal(Value):
    """One value of one record of a reply, and why it was refused."""

    record: int
    """The record's number in the reply, from 1."""
    kind: str
    label: str = ""
    """What the text calls the record."""
    attribute: str
    value: str
    """As it was given."""
    quote: str = ""
    """The words given as its proof."""
    reason: str
    """Why it was refused, in words that say how to write it."""
