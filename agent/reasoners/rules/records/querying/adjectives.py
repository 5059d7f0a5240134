"""Comparatives and superlatives: what they measure and which way they point."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.reasoners.rules.language.words import Token, word_set
from agent.reasoners.rules.reading.degree_words import DEGREES, measured_by, points_up

__all__ = ("Degree", "comparative_at", "superlative_at")

_IRREGULAR: Final = {
    "more": "much", "most": "much", "less": "little", "least": "little", "fewer": "few",
    "fewest": "few", "best": "good", "better": "good", "worst": "bad", "worse": "bad",
    "maximum": "high", "minimum": "low", "top": "high", "bottom": "low", "max": "high",
    "min": "low", "latest": "late", "last": "late", "first": "early", "older": "old",
    "oldest": "old", "elder": "old", "eldest": "old", "further": "far", "furthest": "far",
    "farthest": "far", "highest": "high", "lowest": "low",
}  # fmt: skip
_DOWN: Final = word_set("little few bad low early young small short light cheap slow thin narrow")
_AGES: Final = {"old": ("age",), "young": ("age",), "good": ("rating", "score", "rank"),
                "bad": ("rating", "score", "rank"), "far": ("distance",), "rich": ("wealth",),
                "fast": ("speed", "velocity", "time")}  # fmt: skip
_TIMES: Final = {"late": True, "recent": True, "new": True, "early": False}
"""Adjectives that order by time, and whether later comes first."""
_OTHERS: Final = word_set("much little few good bad far rich near great close recent late early "
                          "new fast old big large")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Degree:
    """A comparative or superlative."""

    adjective: str
    """In the positive: `old` of `oldest`; empty for `more` and `most` before a noun."""
    up: bool
    """Whether more of what it measures is meant."""
    end: int
    """Index of the first token after it."""

    @property
    def measures(self) -> tuple[str, ...]:
        """The words for what it measures, where it tells."""
        return (*_AGES.get(self.adjective, ()), *measured_by(self.adjective))

    @property
    def of_time(self) -> bool:
        """Whether it orders by time."""
        return self.adjective in _TIMES


def superlative_at(tokens: Sequence[Token], at: int) -> Degree | None:
    """Read a superlative: `highest`, `most expensive`, `fewest`.

    >>> from agent.reasoners.rules.language.words import tokenize
    >>> superlative_at(tokenize("heaviest parcels"), 0)
    Degree(adjective='heavy', up=True, end=1)
    """
    return _degree(tokens, at, "est", frozenset({"most"}), frozenset({"least"}))


def comparative_at(tokens: Sequence[Token], at: int) -> Degree | None:
    """Read a comparative: `older`, `more expensive`, `less`."""
    return _degree(tokens, at, "er", frozenset({"more"}), frozenset({"less"}))


def _degree(
    tokens: Sequence[Token], at: int, ending: str, most: frozenset[str], least: frozenset[str]
) -> Degree | None:
    word = tokens[at].low
    if word in most | least and at + 1 < len(tokens) and tokens[at + 1].low in DEGREES:
        adjective = tokens[at + 1].low
        return Degree(adjective, points_up(adjective) == (word in most), at + 2)
    irregular = _IRREGULAR.get(word, "")
    fits = word.endswith(ending) or (ending == "est" and not word.endswith("er"))
    if irregular and fits and word not in _opposite(ending):
        return Degree("" if word in most | least else irregular, irregular not in _DOWN, at + 1)
    positive = _positive(word, ending)
    return Degree(positive, _up(positive), at + 1) if positive else None


def _opposite(ending: str) -> frozenset[str]:
    return frozenset({"more", "less"}) if ending == "est" else frozenset({"most", "least"})


def _up(adjective: str) -> bool:
    if adjective in _TIMES:
        return _TIMES[adjective]
    return adjective not in _DOWN and points_up(adjective)


def _positive(word: str, ending: str) -> str:
    """Return the adjective of a regular comparative or superlative, or nothing."""
    if not word.endswith(ending) or len(word) <= len(ending) + 2:
        return ""
    root = word[: -len(ending)]
    options = [root, f"{root}e", root[:-1]] if root[-1:] == root[-2:-1] else [root, f"{root}e"]
    if root.endswith("i"):
        options = [f"{root[:-1]}y"]
    return next((each for each in options if each in DEGREES | _OTHERS), "")
