"""A question taken apart: operation, entity, number asked for, restrictions, groups."""

from dataclasses import dataclass

from agent.question import Operation
from agent.reasoners.rules.language.words import Token
from agent.reasoners.rules.reading.nouns import NounPhrase

__all__ = ("Frame",)


@dataclass(frozen=True, slots=True)
class Frame:
    """A question taken apart."""

    operation: Operation
    noun: NounPhrase
    measure: tuple[Token, ...] = ()
    """The words that name the number asked for."""
    fronted: tuple[Token, ...] = ()
    """A restriction before the question proper."""
    group: tuple[Token, ...] = ()
    """The words that name what is grouped by."""
    k: int | None = None
    ascending: bool = False
