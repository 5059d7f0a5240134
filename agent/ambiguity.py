"""Ambiguity found in a question, the clarification asked, the reply given."""

import re
from typing import Literal, Self

from agent.option_number import option_number
from agent.question import Interpretation
from agent.taxonomy import AmbiguityCode
from agent.value import Value

__all__ = (
    "Ambiguity",
    "Clarification",
    "Coherence",
    "Estimate",
    "Exchange",
    "Option",
    "Reading",
    "Reply",
)

CoherenceState = Literal["clear", "uncertain", "ambiguous"]


class Coherence(Value):
    """How coherent the first retrieval is (ADF): one topic, or several."""

    dispersion: float
    """σ²var: mean squared distance of the unit vectors to their centroid."""
    separability: float
    """σsep: mean silhouette of 2-means, in [-1, 1]."""
    state: CoherenceState


class Estimate(Value):
    """What a reading came to when it was tried, before anyone was asked."""

    value: float | int | dict[str, float | int] | None
    """The number asked for; None where the passages looked at state none."""
    exact: bool
    """Whether everything that matters was decided; else it is scaled up from a sample."""
    judged: int = 0
    """Chunks that were judged for it."""

    @property
    def in_words(self) -> str:
        """Say it for a person: `41` or `about 41`.

        >>> Estimate(value=41, exact=False).in_words
        'about 41'
        """
        if self.value is None:
            return "no number"
        if isinstance(self.value, dict):
            told = ", ".join(f"{name}: {number:g}" for name, number in self.value.items())
        else:
            told = f"{self.value:g}"
        return told if self.exact else f"about {told}"


class Reading(Value):
    """One way to read the question."""

    label: str
    """In a few words: `Topic of the paper`."""
    question: str
    """The question rewritten so that only this reading is left."""
    interpretation: Interpretation | None = None
    """The reading as it is executed; None until it was read in this sense."""
    estimate: Estimate | None = None
    """What it came to on a sample; None where it was not tried."""


class Ambiguity(Value):
    """One ambiguity that a question shows."""

    code: AmbiguityCode
    span: str
    """The words of the question that show it."""
    why: str
    readings: tuple[Reading, ...]
    """At least two, the likeliest first."""
    differs: bool | None = None
    """Whether the readings came to different results when tried; None where that is not known."""

    @property
    def consequence(self) -> float:
        """How much the result depends on the reading: spread over size, in [0, 1].

        It is 1 where the readings were not tried, or came to what cannot be compared.
        """
        numbers = [each.estimate.value for each in self.readings if each.estimate is not None]
        sizes = [float(each) for each in numbers if isinstance(each, int | float)]
        if len(sizes) < len(self.readings):
            return 1.0
        largest = max(abs(each) for each in sizes)
        return min(1.0, (max(sizes) - min(sizes)) / largest) if largest else 0.0


class Option(Value):
    """One choice of a clarification."""

    label: str
    meaning: str
    """The question as it would then be read."""
    estimate: str = ""
    """What it would come to, in words: `about 41`; empty where it was not tried."""

    @property
    def in_words(self) -> str:
        """The meaning, and what it would come to."""
        return f"{self.meaning} ({self.estimate})" if self.estimate else self.meaning


class Clarification(Value):
    """A question to the person."""

    code: AmbiguityCode | None
    """None for an open question that no classification led to."""
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
        """Read a number of an option, whether there is one or not, and all else as words.

        Words that say the number are kept beside it, for an option may be called by them.

        >>> Reply.of(" 2 ").choice, Reply.of("-1").choice, Reply.of("2 or more").text
        (2, -1, '2 or more')
        >>> Reply.of("the second one")
        Reply(choice=2, text='the second one')
        """
        text = text.strip()
        if (choice := option_number(text)) is not None:
            return cls(choice=choice, text="" if re.fullmatch(r"\W*\d+\W*", text) else text)
        return cls(text=text)


class Exchange(Value):
    """A clarification with its reply."""

    asked: Clarification
    reply: Reply

    @property
    def chosen(self) -> Option | None:
        """The option that was chosen; None where the reply was words."""
        choice, options = self.reply.choice, self.asked.options
        return None if choice is None or not 1 <= choice <= len(options) else options[choice - 1]

    @property
    def in_words(self) -> str:
        """What was replied: the words, or those of the option that was chosen."""
        chosen = self.chosen
        if chosen is None:
            return self.reply.text
        return f"{chosen.label}: {chosen.meaning}" if chosen.label else chosen.meaning
