"""One document of a collection that questions are drawn over: what its fields and text hold."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

__all__ = ("Entry", "Test")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A document; its fields go by the names that questions use."""

    name: str
    labels: Mapping[str, frozenset[str]]
    """What each field of labels says, in lower case."""
    items: Mapping[str, int]
    """How many items each field with a list has."""
    amounts: Mapping[str, float]
    year: int | None
    """Of its date; None where it has none."""
    stated: frozenset[str]
    """The fields that it has, as far as questions ask whether it has them."""
    words: Mapping[str, int]
    """How often its text mentions each word that questions ask for."""

    def mentions(self, word: str) -> int:
        """Return how often its text mentions a word."""
        return self.words.get(word, 0)


Test = Callable[[Entry], bool]
"""Tells whether a document is meant."""
