"""The pieces that a question is read as, each with the words it takes."""

from dataclasses import dataclass
from typing import Literal

from agent.corpus_view import Field
from agent.question import Comparison, DatePart
from agent.reasoners.lexical.degrees import Degree
from agent.reasoners.lexical.question_words import Asked
from agent.reasoners.lexical.tokens import Amount, Token
from agent.reasoners.lexical.vocabulary import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Some words of the question, from token `start` to `end`, and what they are."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask(Piece):
    """What is asked for."""

    what: Asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined(Piece):
    """A connective; a comma joins weakly."""

    by: Literal["and", "or", ","]


@dataclass(frozen=True, slots=True, kw_only=True)
class Negated(Piece):
    """What follows does not hold; of `neither`, none of what follows."""

    word: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinds(Piece):
    """A kind of document."""

    kind: Kind
    noun: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Piece):
    """One or several fields that a name may mean, not yet compared with anything."""

    fields: tuple[Field, ...]
    before: str
    """The word before it, without case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounted(Piece):
    """A number compared with a field, named beside it or to be told by its unit."""

    comparison: Comparison
    amounts: tuple[Amount, ...]
    fields: tuple[Field, ...] = ()
    unit: str = ""
    """The noun behind the number."""
    degree: Degree | None = None
    """The adjective that compares, of which some mean less: `cheaper than`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Priced(Piece):
    """A currency that numbers are written in, without an amount."""

    unit: str
    """Its code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated(Piece):
    """A date compared with a field, named beside it or the only one with dates."""

    comparison: Comparison
    dates: tuple[str, ...]
    fields: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Valued(Piece):
    """Words that are items of fields."""

    items: dict[str, tuple[str, ...]]
    """By field."""
    words: tuple[str, ...]
    fields: tuple[Field, ...] = ()
    """Named beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentioned(Piece):
    """Words that are to stand in a document, in the order of the question."""

    terms: tuple[str, ...]
    joined: Literal["and", "or"]
    neither: bool = False
    both: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouped(Piece):
    """What is counted or computed apart for each value."""

    fields: tuple[Field, ...]
    marker: str
    part: DatePart | None = None
    """Years or months, of which no field is called so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked(Piece):
    """A superlative."""

    ascending: bool
    """Whether the smallest come first; with a degree, whether the least of it does."""
    k: int | None = None
    degree: Degree | None = None
    """The adjective, where no field behind it says what is ranked by."""
    word: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gradable(Piece):
    """A word of degree or of relative time, without a limit."""

    word: str
    degree: Degree | None
    """None for a relative time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leftover(Piece):
    """A word that nothing places."""

    token: Token
