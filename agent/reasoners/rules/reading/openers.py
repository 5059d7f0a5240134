"""How a question opens: what is asked for, before the noun that it is asked of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.question import Operation
from agent.reasoners.rules.language.words import NUMBER_WORDS, Token, tokenize

__all__ = ("MOST", "Opener", "read_opener", "whole_question")

_ASKING: Final = (
    "find|list|show|give|name|identify|return|get|count|tell|report|provide|compute|"
    "calculate|determine|retrieve|display|enumerate|collect|select|print|look up|"
    "search for|what is|what are|what was|what were|what's|which are|which were|who are|"
    "i want|i need|are there|is there"
)
_VERBS: Final = sorted(_ASKING.split("|"), key=len, reverse=True)
_AVERAGES: Final[dict[str, Operation]] = {
    "average": "avg",
    "mean": "avg",
    "median": "median",
    "total": "sum",
    "sum": "sum",
    "combined": "sum",
    "overall": "sum",
}
MOST: Final[dict[str, bool]] = {
    **dict.fromkeys(
        ("highest", "largest", "longest", "greatest", "biggest", "maximum", "most", "latest",
         "newest", "heaviest", "tallest", "best", "top", "max", "strongest", "widest"), True,
    ),
    **dict.fromkeys(
        ("lowest", "smallest", "shortest", "least", "minimum", "fewest", "earliest", "oldest",
         "lightest", "worst", "bottom", "min", "cheapest", "youngest"), False,
    ),
}  # fmt: skip
"""Superlatives: whether they ask for the largest."""


@dataclass(frozen=True, slots=True)
class Opener:
    """What a question asks for."""

    operation: Operation
    end: int
    """Index of the first token after the opener."""
    largest: bool = True
    measured: bool = False
    """Whether the words that follow name a number first, then the entity."""


def read_opener(tokens: Sequence[Token]) -> Opener | None:
    """Read the opening words; None if the tokens do not open a question."""
    at = _polite(tokens)
    low = [token.low for token in tokens]
    return _how(low, at) or _asked(low, at) or _which(low, at)


def whole_question(text: str) -> bool:
    """Tell whether words are a whole question, not the part of one that a reply gives.

    >>> whole_question("the number of open maps"), whole_question("a number of 7 or more")
    (True, False)
    """
    tokens = tokenize(text)
    opener = read_opener(tokens)
    if opener is None or tokens[0].low in {"a", "an"}:
        return False
    return opener.end > 1 and len(tokens) > opener.end + 1


def _how(low: Sequence[str], at: int) -> Opener | None:
    start = at + 1 if low[at : at + 1] in (["in"], ["for"], ["by"]) else at
    if low[start : start + 2] == ["how", "many"]:
        return Opener("count", start + 2)
    if low[at : at + 2] == ["how", "much"]:
        return Opener("sum", at + 2, measured=True)
    return None


def _asked(low: Sequence[str], at: int) -> Opener | None:
    """Read `find all`, `count the`, `what is the average`, `the number of`."""
    verb = _verb(low, at)
    start = _article(low, verb)
    number = _number_of(low, start)
    if number is not None:
        return Opener("count", number)
    if verb > at and low[at] == "count":
        return Opener("count", verb)
    return _numeric(low, start) or (Opener("list", verb) if verb > at else None)


def _which(low: Sequence[str], at: int) -> Opener | None:
    if low[at : at + 1] and low[at] in {"which", "what", "who", "whose", "all", "every"}:
        return Opener("list", at if low[at] == "who" else at + 1)
    return None


def _polite(tokens: Sequence[Token]) -> int:
    at = 0
    polite = {"please", "can", "could", "you", "me", "us", "and", "so", "then", "now", "also"}
    while at < len(tokens) - 1 and tokens[at].low in polite:
        at += 1
    return at


def _verb(low: Sequence[str], at: int) -> int:
    """Return the index after a verb of asking and its `me`, or `at`."""
    for verb in _VERBS:
        words = verb.split()
        if low[at : at + len(words)] == words:
            end = at + len(words)
            while end < len(low) and low[end] in {"me", "us", "out", "for", "any"}:
                end += 1
            return end
    return at


def _article(low: Sequence[str], at: int) -> int:
    return at + 1 if at < len(low) and low[at] in {"the", "a", "an"} else at


def _number_of(low: Sequence[str], at: int) -> int | None:
    start = at + 1 if low[at : at + 1] in (["total"], ["exact"], ["overall"]) else at
    if low[start : start + 2] in (["number", "of"], ["count", "of"]):
        return start + 2
    return None


def _numeric(low: Sequence[str], at: int) -> Opener | None:
    word = low[at] if at < len(low) else ""
    if word in _AVERAGES:
        end = at + 2 if low[at + 1 : at + 2] == ["of"] else at + 1
        return Opener(_AVERAGES[word], end, measured=True)
    if word in MOST and word not in {"top", "bottom", "most"} and not _counted(low, at):
        return Opener("max" if MOST[word] else "min", at + 1, largest=MOST[word], measured=True)
    return None


def _counted(low: Sequence[str], at: int) -> bool:
    """Tell whether a number stands next to the superlative: `three largest`."""
    around = [*low[max(0, at - 1) : at], *low[at + 1 : at + 2]]
    return any(word.isdigit() or word in NUMBER_WORDS for word in around)
