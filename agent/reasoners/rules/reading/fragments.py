"""Pieces of a question that name another thing: `and of Florida?`, `what about hypertension?`."""

import re
from collections.abc import Sequence
from typing import Final

from agent.ambiguity import Turn
from agent.question import Interpretation, atoms
from agent.reasoners.rules.language.words import tokenize

__all__ = ("made_whole",)

_FRAGMENT: Final = re.compile(
    r"^(?:and|(?:and\s+)?(?:what|how)\s+about|(?:and\s+)?what\s+of)\s+"
    r"(?:(?P<word>of|for|in|by|from|with|to|on|at|under|about)\s+)?"
    r"(?P<new>[^\s?,]+(?: [^\s?,]+){0,3})\s*\?*$",
    re.IGNORECASE,
)
_NAME: Final = r"(?:the\s+)?(?:[A-Z][\w.'-]*|\d[\w.'-]*)(?:\s+(?:[A-Z][\w.'-]*|\d[\w.'-]*))*"


def made_whole(fragment: str, conversation: Sequence[Turn], last: Interpretation) -> str | None:
    """Return the whole question before a fragment with its name in it; None where none fits."""
    return _substituted(fragment, conversation) or _swapped(fragment, conversation, last)


def _substituted(fragment: str, conversation: Sequence[Turn]) -> str | None:
    """Put a fragment's name or number in the place of the last one of its kind, if there is one.

    `and of Florida?` after `How many contracts are governed by the law of Texas?` asks for the law
    of Florida. A fragment that leans on another one leans on the whole question before both.
    """
    match = _FRAGMENT.match(fragment)
    wholes = [turn.question for turn in conversation if not _FRAGMENT.match(turn.question.strip())]
    if match is None or not wholes or not re.fullmatch(_NAME, match["new"]):
        return None
    before = rf"\b{match['word']}\s+" if match["word"] else r"(?<=\s)"
    numeric = match["new"][0].isdigit()
    places = [
        found
        for found in re.finditer(rf"(?:{before})(?P<old>{_NAME})", wholes[-1])
        if found["old"][0].isdigit() == numeric
    ]
    if not places:
        return None
    start, end = places[-1].span("old")
    return f"{wholes[-1][:start]}{match['new']}{wholes[-1][end:]}"


def _swapped(fragment: str, conversation: Sequence[Turn], last: Interpretation) -> str | None:
    """Put a bare noun in the place of what the only condition of meaning is about.

    `and hypertension?` after `How many patients have diabetes?` asks who has hypertension, not who
    has both.
    """
    match = _FRAGMENT.match(fragment)
    meant = [each for each in atoms(last.conditions) if each.predicate is None]
    if match is None or match["word"] or len(meant) != 1:
        return None
    if any(token.function or token.kind != "word" for token in tokenize(match["new"])):
        return None
    about = meant[0].text.partition(" ")[2]
    wholes = [turn.question for turn in conversation if not _FRAGMENT.match(turn.question.strip())]
    if not about or not wholes or wholes[-1].count(about) != 1:
        return None
    return wholes[-1].replace(about, match["new"])
