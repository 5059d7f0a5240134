"""Which option a reply in words names: by its number, its label, or its meaning."""

import re
from collections.abc import Sequence
from typing import Final

from agent.ambiguity import Option
from agent.option_number import option_number

__all__ = ("left_open", "option_mentioned", "option_named", "unsure")

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
