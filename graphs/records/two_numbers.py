"""Questions for what two numbers come to: a share, a ratio, a difference."""

import re
from typing import Final

from agent.corpus import CorpusView
from agent.reasoners.rules.language.words import singular

__all__ = ("of_two_numbers",)

_OPENING: Final = (
    r"^\W*(?:(?:in|for|among|of)\b[^,?]*,\s*)?(?:(?:please|can|could|you|tell|give|show|me|find|"
    r"compute|calculate|determine|report|what|which|is|are|was|were|the)\s+|what['’]s\s+)*"
)
_HEAD: Final = re.compile(
    _OPENING
    + r"(?P<said>percentage|percent|proportion|share|fraction|ratio|quotient|difference)\s+"
    r"(?:of|between|in)\b(?P<things>.*)",
    re.IGNORECASE | re.DOTALL,
)
_MORE: Final = re.compile(r"\bhow many (?P<said>more|fewer|less)\b.+\bthan\b", re.IGNORECASE)
_COMPARED: Final = re.compile(
    r"^\W*how many\b.+\b(?P<said>compared (?:to|with))\s+(?:the\s+|in\s+)*(?P<value>.+?)\W*$",
    re.IGNORECASE,
)
_SHORTEST: Final = 4


def of_two_numbers(question: str, corpus: CorpusView) -> str:
    """Return the word by which two numbers of things are put together; empty for none.

    A word of a field's name asks for that field, and what is not of several things asks for no
    count: `the difference between a lease and a licence`.
    """
    if (more := _MORE.search(question)) is not None:
        return more["said"]
    if (compared := _COMPARED.match(question)) is not None:
        return compared["said"] if _is_value(compared["value"], corpus) else ""
    head = _HEAD.match(question)
    if head is None or _names_field(head["said"], corpus) or not _several(head["things"]):
        return ""
    return head["said"]


def _is_value(words: str, corpus: CorpusView) -> bool:
    wanted = words.casefold()
    return any(wanted == item.casefold() for each in corpus.fields for item, _ in each.values)


def _names_field(word: str, corpus: CorpusView) -> bool:
    return any(word.casefold() in each.name.casefold() for each in corpus.fields)


def _several(things: str) -> bool:
    words = re.findall(r"[^\W\d_]+", things)
    return "number" in words or any(
        len(word) >= _SHORTEST and singular(word) != word for word in words
    )
