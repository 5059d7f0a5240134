"""Ambiguity found in a question, the clarification asked, the reply given, what its words say."""

import re
from collections.abc import Sequence
from typing import Final, Literal, Self

from agent.question import Interpretation, MergeRule
from agent.taxonomy import AmbiguityCode
from agent.value import Value

_SAID: Final = re.compile(
    r"(?:(?:option|choice|answer|number|no\.?|nr\.?|#)[\s:]*){0,2}"
    r"[(\[（]?(?P<digits>[+-]?\d{1,9})\s?[.):\]．）。]*",
    re.IGNORECASE,
)
CoherenceState = Literal["clear", "uncertain", "ambiguous"]
_LEFT_OPEN: Final = re.compile(
    r"\W*(?:sorry\W+|well\W+|i(?:['’]m)? |it |really |honestly ){0,3}(?:(?:don['’]?t|do not) "
    r"(?:know|care|mind)|not sure|no (?:idea|clue)|dunno|idk|unsure|whatever|"
    r"(?:doesn['’]?t|does not) matter|(?:you (?:choose|decide)|up to you))\W*",
    re.IGNORECASE,
)
_SPECIFIC = re.compile(
    r"(?<!\w)\d+(?:[.,:/-]\d+)*(?!\w)(?! (?:day|week|month|year|decade)s?\b)|"
    r"[\"“'‘]([^\"“”'‘’]+)[\"”'’]"
)
"""Numbers, dates, and words in quotation marks; a span of time may be read as its dates.

Digits inside a word belong to a name: `a1`, `5th`.
"""
_GROUPED = re.compile(r"(?<=\d)[,'’\u00a0\u202f](?=\d{3}(?!\d))")
"""What parts the thousands of a number."""


class Coherence(Value):
    """How coherent the first retrieval is (ADF): one topic, or several."""

    dispersion: float
    """σ²var: mean squared distance of the unit vectors to their centroid."""
    separability: float
    """σsep: mean silhouette of 2-means, in [-1, 1]."""
    state: CoherenceState


class Estimate(Value):
    """The result of an interpretation that was tried before anyone was asked."""

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


class Change(Value):
    """A small change of an interpretation, which nobody has to be asked to write out.

    Without any member it changes nothing.
    """

    condition: str = ""
    """The id of the condition that changes."""
    text: str = ""
    """The changed condition in words."""
    values: tuple[str, ...] = ()
    """Its new values, where a field decides it."""
    counts: tuple[str, ...] = ()
    borderline: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    """Where its line runs in the new words."""
    drops: tuple[str, ...] = ()
    """What was taken for granted that the new words contradict."""
    merge: MergeRule | None = None
    """The new rule of merging names."""


class Reading(Value):
    """One way to interpret the question."""

    label: str
    """In a few words: `Topic of the paper`."""
    question: str
    """The question rewritten so that only this reading is left."""
    change: Change | None = None
    """What it changes in the interpretation so far; None where that is more than a small change."""
    interpretation: Interpretation | None = None
    """The interpretation as it is executed; None until it was made."""
    estimate: Estimate | None = None
    """Its result on a sample; None where it was not tried."""


class Ambiguity(Value):
    """One ambiguity that a question shows."""

    code: AmbiguityCode
    span: str
    """The words of the question that show it."""
    why: str
    readings: tuple[Reading, ...]
    """At least two, the likeliest first."""
    differs: bool | None = None
    """Whether the readings had different results when tried; None where that is not known."""

    def reading_as(self, readings: Sequence[Reading], *, differs: bool | None = None) -> Self:
        """Return the ambiguity with other readings."""
        return self.model_copy(update={"readings": tuple(readings), "differs": differs})

    @property
    def consequence(self) -> float:
        """How much the result depends on the reading: spread over size, in [0, 1].

        It is 1 where the readings were not tried, or their results cannot be compared.
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
    """The question as it would then be interpreted."""
    estimate: str = ""
    """What its result would be, in words: `about 41`; empty where it was not tried."""

    @property
    def in_words(self) -> str:
        """The meaning, and what its result would be."""
        return f"{self.meaning} ({self.estimate})" if self.estimate else self.meaning


class Clarification(Value):
    """A question to the person."""

    code: AmbiguityCode | None
    """None for an open question that no classification led to."""
    span: str
    question: str
    options: tuple[Option, ...]

    @property
    def in_words(self) -> str:
        """The question, and a numbered line for each option."""
        options = (f"{at}. {each.in_words}" for at, each in enumerate(self.options, start=1))
        return "\n".join((self.question, *options))


class Reply(Value):
    """What a person or a simulated user answers: a number of an option, or words."""

    choice: int | None = None
    """1 for the first option."""
    text: str = ""
    """Free words, where no option fits; `I don't know` is allowed."""


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
        named = chosen.label.casefold() in chosen.meaning.casefold()
        return chosen.meaning if named else f"{chosen.label}: {chosen.meaning}"


class Turn(Value):
    """One question of a conversation with its outcome."""

    question: str
    interpretation: Interpretation | None = None
    value: float | int | dict[str, float | int] | None = None
    entities: tuple[str, ...] = ()
    """Names of the first entities of the answer, at most 20."""


def option_number(text: str) -> int | None:
    """Return the number of an option that a whole text says, None where it says anything else.

    The number may lie out of range.

    >>> [option_number(each) for each in ("2.", "(２)", "option 2", "2 or more")]
    [2, 2, 2, None]
    """
    found = _SAID.fullmatch(" ".join(text.split()))
    return None if found is None else int(found["digits"])


def option_named(text: str, options: Sequence[Option]) -> int | None:
    """Return the number of the option that a whole text names, 1 for the first; else None.

    A number in range goes before a label of digits. The number may lie out of range.

    >>> option_named("A1.", [Option(label="a1", meaning=""), Option(label="b", meaning="")])
    1
    """
    number = option_number(text)
    if number is not None and 1 <= number <= len(options):
        return number
    said = _bare(text)
    same = [at for at, option in enumerate(options, start=1) if said and said in _names(option)]
    return same[0] if len(same) == 1 else number


def left_open(text: str) -> bool:
    """Tell whether a reply says no more than that the person does not know or does not care.

    >>> left_open("Sorry, I really don't know."), left_open("don't care, but before 2020")
    (True, False)
    """
    return _LEFT_OPEN.fullmatch(text) is not None


def lost(reply: str, reading: Interpretation) -> tuple[str, ...]:
    """Return the numbers and quoted words of a reply that a reading does not hold anywhere.

    >>> lost("at least 5, not 'drafts'", Interpretation(text="with 5 pages", entity_type="report"))
    ('drafts',)
    """
    bare = reading.model_copy(update={"assumptions": (), "settled": ()})
    held = _GROUPED.sub("", bare.model_dump_json().casefold())
    found = _SPECIFIC.finditer(_GROUPED.sub("", reply))
    named = (match.group(1) or match.group(0) for match in found)

    def stands(each: str) -> bool:
        return re.search(rf"(?<!\w){re.escape(each.casefold())}(?!\w)", held) is not None

    return tuple(dict.fromkeys(each for each in named if not stands(each)))


def _names(option: Option) -> frozenset[str]:
    """Return what a person may copy: the label, the meaning, or both as they were shown."""
    shown = (option.meaning, option.in_words)
    return frozenset(
        _bare(each)
        for each in (option.label, *shown, *(f"{option.label}: {each}" for each in shown))
    ) - {""}


def _bare(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .?!\"“”'‘’")
