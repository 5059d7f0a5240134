"""Words of comparison before and behind amounts: `at least`, `or later`."""

from collections.abc import Sequence
from typing import Final

from agent.question import Comparison
from agent.reasoners.rules.language.words import Token, low_at

__all__ = ("comparison_after", "comparison_before", "comparison_from")

_PHRASES: Final[dict[Comparison, str]] = {
    "at_least": "at least|no fewer than|no less than|not less than|a minimum of|since|in or after|"
    "on or after|from or after|starting in|not before|no earlier than",
    "at_most": "at most|no more than|not more than|a maximum of|up to|until|till|through|"
    "in or before|no later than|on or before|not after|not later than",
    "more_than": "more than|over|above|exceeding|after|upwards of",
    "less_than": "less than|fewer than|under|below|before|prior to|before the year|"
    "before the year of",
    "is": "exactly|precisely|in the year|in year|in|during|of|on|from|dated|only|just|is|year",
}
_BEFORE: Final[list[tuple[tuple[str, ...], Comparison]]] = [
    (tuple(phrase.split()), comparison)
    for comparison, phrases in _PHRASES.items()
    for phrase in phrases.split("|")
]
_PREFIXES: Final = tuple(sorted(_BEFORE, key=lambda pair: -len(pair[0])))
_UPWARDS: Final = frozenset(
    {
        "later",
        "after",
        "more",
        "greater",
        "above",
        "newer",
        "higher",
        "longer",
        "larger",
        "onwards",
        "over",
        "up",
        "upwards",
    }
)
_DOWNWARDS: Final = frozenset(
    {"earlier", "before", "fewer", "less", "lower", "below", "older", "shorter", "smaller", "under"}
)
_SMALLER: Final = frozenset(
    {
        "smaller",
        "lower",
        "shorter",
        "younger",
        "cheaper",
        "earlier",
        "less",
        "lighter",
        "slower",
        "fewer",
    }
)


def comparison_from(tokens: Sequence[Token], at: int) -> tuple[Comparison | None, int]:
    """Return the comparison that begins at the token `at`, and where it ends: `at least`."""
    for words, comparison in _PREFIXES:
        if tuple(low_at(tokens, at + step) for step in range(len(words))) == words:
            return comparison, at + len(words)
    if low_at(tokens, at).endswith("er") and low_at(tokens, at + 1) == "than":
        return ("less_than" if low_at(tokens, at) in _SMALLER else "more_than"), at + 2
    return None, at


def comparison_after(
    tokens: Sequence[Token], at: int, *, dated: bool = False
) -> tuple[Comparison | None, int]:
    """Return the comparison behind an amount that ends at `at`, and where it ends: `or later`.

    What is older has a lower date, but a higher age: `dated` tells which the amount is.
    """
    word = low_at(tokens, at + 1) if low_at(tokens, at) in {"or", "and"} else ""
    if word in {"older", "younger"}:
        return ("at_least" if (word == "younger") == dated else "at_most"), at + 2
    if word in _UPWARDS:
        return "at_least", at + 2
    if word in _DOWNWARDS:
        return "at_most", at + 2
    if low_at(tokens, at) in {"onwards", "onward", "+"}:
        return "at_least", at + 1
    return None, at


def comparison_before(tokens: Sequence[Token], end: int) -> Comparison | None:
    """Return the comparison whose words end right before the token `end`: `over the age of`."""
    end -= low_at(tokens, end - 1) == "the"
    for words, comparison in _PREFIXES:
        start = end - len(words)
        if start >= 0 and tuple(token.low for token in tokens[start:end]) == words:
            return comparison if comparison != "is" else None
    return None
