"""Questions for two numbers put together: a ratio, a difference, a share."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from agent.reasoners.rules.language.words import AUXILIARIES, RELATIVES, tokenize

__all__ = ("Pair", "pairs_of", "sides_of")

_END: Final = r"\s*[?.]*\s*$"
_VALUE: Final = re.compile(
    r"(?:the\s+)?(?:exact\s+|total\s+|overall\s+)?(?:number|count|average|mean|median|total|sum|"
    r"highest|lowest|maximum|minimum|combined)\b",
    re.IGNORECASE,
)
_OPENING: Final = r"^\s*(?:what\s+(?:is|was|are|were)|calculate|compute|determine|find|give)\s+"
_FORMS: Final[tuple[tuple[Literal["/", "-"], str, re.Pattern[str]], ...]] = (
    ("/", "to", re.compile(rf"{_OPENING}the\s+ratio\s+of\s+(?P<both>.+?){_END}", re.IGNORECASE)),
    ("/", "and", re.compile(rf"{_OPENING}the\s+ratio\s+between\s+(?P<both>.+?){_END}",
                            re.IGNORECASE)),
    ("/", "divided by", re.compile(rf"{_OPENING}(?P<both>.+?){_END}", re.IGNORECASE)),
    ("-", "and", re.compile(rf"{_OPENING}the\s+difference\s+(?:between|in)\s+(?P<both>.+?){_END}",
                            re.IGNORECASE)),
    ("-", "than", re.compile(rf"^\s*how\s+many\s+more\s+(?P<both>.+?)(?:\s+are\s+there)?{_END}",
                             re.IGNORECASE)),
    ("-", "exceed", re.compile(rf"^\s*by\s+how\s+(?:much|many)\s+(?:do|does|did)\s+"
                               rf"(?P<both>.+?){_END}", re.IGNORECASE)),
)  # fmt: skip
_SHARE: Final = (
    re.compile(rf"{_OPENING}the\s+(?:share|percentage|fraction|proportion|percent)\s+of\s+"
               rf"(?:all\s+|the\s+)*(?P<both>.+?){_END}", re.IGNORECASE),
    re.compile(rf"^\s*what\s+(?:share|percentage|fraction|proportion|percent)\s+of\s+"
               rf"(?:all\s+|the\s+)*(?P<both>.+?){_END}", re.IGNORECASE),
)  # fmt: skip
_PARTED: Final = re.compile(
    rf"^\s*(?:out\s+)?of\s+(?:all\s+|the\s+)*(?P<whole>.+?),\s+what\s+"
    rf"(?:share|percentage|fraction|proportion|percent)\s+(?P<verb>\w+)\s+(?P<part>.+?){_END}",
    re.IGNORECASE,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """Two questions, each for one number."""

    operator: Literal["/", "-"]
    left: str
    right: str
    within: bool = False
    """Whether the left one is asked of those that the right one counts."""


def pairs_of(question: str) -> Iterator[Pair]:
    """Yield each way to part a question for two numbers put together; none for another question.

    >>> [each.left for each in pairs_of("What is the ratio of mares to foals?")]
    ['How many mares are there?']
    """
    for operator, joint, form in _FORMS:
        found = form.match(question)
        for cut in re.finditer(rf"\s+{joint}\s+", found["both"]) if found is not None else ():
            both = cut.string
            yield Pair(operator, _asked(both[: cut.start()]), _asked(both[cut.end() :]))


def sides_of(question: str) -> Iterator[tuple[str, str, str]]:
    """Yield each way to read a share: what it is of, the verb behind it, and what part is meant.

    >>> next(sides_of("What share of the trams in Linz are electric?"))
    ('trams in Linz', 'are', 'electric')
    """
    parted = _PARTED.match(question)
    if parted is not None:
        yield parted["whole"], parted["verb"], parted["part"]
        return
    found = next((each for form in _SHARE if (each := form.match(question))), None)
    both = found["both"] if found is not None else ""
    tokens = tokenize(both)
    for before, verb, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if verb.low in AUXILIARIES and before.low not in RELATIVES | {"and", "or"}:
            yield both[: before.end], verb.text, both[after.start :]


def _asked(side: str) -> str:
    """Return the question for one side: for a number it names, else for how many there are."""
    bare = re.sub(r"^(?:the|all|all\s+the)\s+", "", side.strip(" ,"), flags=re.IGNORECASE)
    return f"What is the {bare}?" if _VALUE.match(bare) else f"How many {bare} are there?"
