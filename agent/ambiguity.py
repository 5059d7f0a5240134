"""Ambiguity found in a question, the clarification asked, the reply given, what its words say."""

import re
from collections.abc import Sequence
from typing import Final, Literal, Self

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
    "Turn",
    "left_open",
    "lost",
    "option_mentioned",
    "option_named",
    "option_number",
    "unsure",
)

_CARDINALS: Final = "one two three four five six seven eight nine ten"
_ORDINALS: Final = "first second third fourth fifth sixth seventh eighth ninth tenth"
_NUMBERS: Final = {
    word: number
    for words in (_CARDINALS, _ORDINALS)
    for number, word in enumerate(words.split(), start=1)
} | {"former": 1}
_FROM_THE_END: Final = frozenset({"last", "latter"})
_NAMED: Final = r"(?:option|choice|answer|number|numero|no\.?|nr\.?|nº|№|#)"
_SAID: Final = re.compile(
    r"(?:"
    rf"(?:the )?(?:{_NAMED}[\s:]*){{0,2}}[(\[（]?(?P<digits>[+-]?\d{{1,9}})\s?[.):\]．）。]*|"
    rf"(?:the )?(?:{_NAMED}[\s:]*){{1,2}}(?P<cardinal>{_CARDINALS.replace(' ', '|')})|"
    rf"(?:the )?(?:(?P<ordinal>{_ORDINALS.replace(' ', '|')}|former|last|latter)|"
    r"(?P<place>\d{1,9})(?:st|nd|rd|th))(?: (?:one|option|choice|answer|reading))?"
    r")(?:,? (?:please|thanks|thank you))?\s?[.!]?",
    re.IGNORECASE,
)
CoherenceState = Literal["clear", "uncertain", "ambiguous"]
_DENIED: Final = re.compile(
    r"(?:\b(?:not?|never|without|except|instead of|rather than)\b|n['’]t\b)"
    r"(?:(?!\bbut\b)[^.,;:?]){0,24}$"
)
_UNSURE: Final = re.compile(
    r"^\W*$|\b(?:(?:don['’]?t|do not) (?:know|care|mind)|not sure|no (?:idea|clue)|"
    r"dunno|idk|unsure|whatever|any of them|doesn['’]?t matter|does not matter|"
    r"you (?:choose|decide)|up to you)\b",
    re.IGNORECASE,
)
_EMPTY: Final = re.compile(
    r"(?:i|i'm|im|am|is|it|it's|that|that's|which|what|ones?|of|them|these|those|the|a|to|me|you|"
    r"have|really|honestly|sorry|well|hmm?|oh|just|so|please|either|any|both|all|fine|ok|okay|"
    r"here|about|this|for|now|exactly|actually|frankly|and|or|way|tell|can't|cannot|say|know)"
)
"""A word that says nothing beside those of not knowing."""
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


class Reading(Value):
    """One way to interpret the question."""

    label: str
    """In a few words: `Topic of the paper`."""
    question: str
    """The question rewritten so that only this reading is left."""
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


class Turn(Value):
    """One question of a conversation with its outcome."""

    question: str
    interpretation: Interpretation | None = None
    value: float | int | dict[str, float | int] | None = None
    entities: tuple[str, ...] = ()
    """Names of the first entities of the answer, at most 20."""
    exchanges: tuple[Exchange, ...] = ()
    """What was clarified: the same words are not asked about again."""


def option_number(text: str, among: int | None = None) -> int | None:
    """Return the number of an option that a whole text says, None where it says anything else.

    `the last` is known only where there are `among` so many. The number may lie out of range.

    >>> [option_number(each) for each in ("2.", "(２)", "no. 2", "the second one", "2 or more")]
    [2, 2, 2, 2, None]
    >>> option_number("the latter"), option_number("the latter", among=2)
    (None, 2)
    """
    found = _SAID.fullmatch(" ".join(text.split()))
    if found is None:
        return None
    if digits := found["digits"] or found["place"]:
        return int(digits)
    word = (found["cardinal"] or found["ordinal"]).casefold()
    return among if word in _FROM_THE_END else _NUMBERS[word]


def option_named(text: str, options: Sequence[Option]) -> int | None:
    """Return the number of the option that a whole text names, 1 for the first; else None.

    A number in range goes before a label of digits, any other label before an ordinal or a number
    in words. The number may lie out of range where the text says one in digits.

    >>> option_named("the second", [Option(label="a1", meaning=""), Option(label="b", meaning="")])
    2
    """
    number = option_number(text, len(options) or None)
    if number is None:
        number = option_number(f"option {text}", len(options) or None)
        number = number if number is not None and number <= len(options) else None
    if number is not None and 1 <= number <= len(options) and re.search(r"\d", text):
        return number
    said = _bare(text)
    same = [at for at, option in enumerate(options, start=1) if said and said in _names(option)]
    return same[0] if len(same) == 1 else number


def option_mentioned(text: str, options: Sequence[Option]) -> int | None:
    """Return the number of the one option whose label stands in a text as whole words, else None.

    A label inside a longer one that is mentioned does not count, nor one that is denied; of two
    options the one is named where the other is denied.

    >>> merged, apart = Option(label="Merged", meaning=""), Option(label="Unmerged", meaning="")
    >>> option_mentioned("unmerged, please", [merged, apart])
    2
    """
    low = text.casefold()
    spans = {
        at: [found.span() for found in _standing(option.label.casefold(), low)]
        for at, option in enumerate(options, start=1)
    }
    every = [span for each in spans.values() for span in each]
    own = {at: [span for span in each if not _inside(span, every)] for at, each in spans.items()}
    said = {
        at: any(_DENIED.search(low[:start]) is None for start, _ in each)
        for at, each in own.items()
        if each
    }
    named = [at for at, meant in said.items() if meant]
    if not named and len(said) == 1 and len(options) == 2:
        named = [at for at in spans if at not in said]
    return named[0] if len(named) == 1 else None


def unsure(text: str) -> bool:
    """Tell whether a reply says that the person does not know or does not care.

    >>> unsure("I don't know"), unsure("each spelling")
    (True, False)
    """
    return _UNSURE.search(text) is not None


def left_open(text: str) -> bool:
    """Tell whether a reply says no more than that the person does not know or does not care.

    >>> left_open("Sorry, I really don't know."), left_open("don't care, but before 2020")
    (True, False)
    """
    said = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").casefold()
    rest = re.findall(r"[\w']+", _UNSURE.sub(" ", said))
    return unsure(text) and bool(said.strip()) and all(map(_EMPTY.fullmatch, rest))


def lost(reply: str, reading: Interpretation) -> tuple[str, ...]:
    """Return the numbers and quoted words of a reply that a reading does not hold anywhere.

    >>> lost("at least 5, not 'drafts'", Interpretation(text="with 5 pages", entity_type="report"))
    ('drafts',)
    """
    bare = reading.model_copy(update={"assumptions": (), "settled": ()})
    held = _GROUPED.sub("", bare.model_dump_json().casefold())
    found = _SPECIFIC.finditer(_GROUPED.sub("", reply))
    named = (match.group(1) or match.group(0) for match in found)
    return tuple(dict.fromkeys(each for each in named if not _holds(held, each.casefold())))


def _standing(label: str, text: str) -> Sequence[re.Match[str]]:
    """Return where a label stands as whole words."""
    return [*re.finditer(rf"(?<!\w){re.escape(label)}(?!\w)", text)] if label else []


def _inside(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(
        start <= span[0] and span[1] <= end and (start, end) != span for start, end in others
    )


def _names(option: Option) -> frozenset[str]:
    """Return what a person may copy: the label, the meaning, or both as they were shown."""
    shown = (option.meaning, option.in_words)
    return frozenset(
        _bare(each)
        for each in (option.label, *shown, *(f"{option.label}: {each}" for each in shown))
    ) - {""}


def _bare(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .?!\"“”'‘’")


def _holds(text: str, named: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(named)}(?!\w)", text) is not None
