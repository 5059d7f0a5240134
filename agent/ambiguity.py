"""Ambiguity found in a question, the clarification asked, the reply given."""

import re
from typing import Literal, Self

from agent.taxonomy import AmbiguityCode
from agent.value import Value

__all__ = ("Ambiguity", "Clarification", "Coherence", "Exchange", "Option", "Reading", "Reply")

CoherenceState = Literal["clear", "uncertain", "ambiguous"]


class Coherence(Value):
    """How coherent the first retrieval is (ADF): one topic, or several."""

    dispersion: float
    """σ²var: mean squared distance of the unit vectors to their centroid."""
    separability: float
    """σsep: mean silhouette of 2-means, in [-1, 1]."""
    state: CoherenceState


class Reading(Value):
    """One way to read the question."""

    label: str
    """In a few words: `Topic of the paper`."""
    question: str
    """The question rewritten so that only this reading is left."""


class Ambiguity(Value):
    """One ambiguity that a question shows."""

    code: AmbiguityCode
    span: str
    """The words of the question that show it."""
    why: str
    readings: tuple[Reading, ...]
    """At least two, the likeliest first."""


class Option(Value):
    """One choice of a clarification."""

    label: str
    meaning: str
    """The question as it would then be read."""


class Clarification(Value):
    """A question to the person."""

    code: AmbiguityCode
    span: str
    question: str
    options: tuple[Option, ...]


class Reply(Value):
    """What a person or a simulated user answers: a number of an option, or words."""

    choice: int | None = None
    """1 for the first option."""
    text: str = ""
    """Free words, where no option fits; `I don't know` is allowed."""

    @classmethod
    def of(cls, text: str) -> Self:
        """Read a whole number as an option's, whether there is one or not, and all else as words.

        >>> Reply.of(" 2 ").choice, Reply.of("-1").choice, Reply.of("2 or more").text
        (2, -1, '2 or more')
        """
        text = text.strip()
        if re.fullmatch(r"[+-]?[0-9]{1,9}", text):
            return cls(choice=int(text))
        return cls(text=text)


class Exchange(Value):
    """A clarification with its reply."""

    asked: Clarification
    reply: Reply
