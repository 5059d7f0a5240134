"""Whether tests of single documents say what a question asks of things that stand in several."""

import re
from typing import Final

from agent.question import Interpretation, Node, Not, atoms

__all__ = ("untold_word",)

_DENYING: Final = frozenset({"no", "none", "never", "neither", "nor", "without"})
_OF_ALL: Final = frozenset({"only", "every", "each", "both", "everyone", "everybody", "everything"})
_TOGETHER: Final = frozenset({"average", "mean", "median", "total", "combined", "overall", "sum"})
_WORD: Final = re.compile(r"[^\W\d_]+")
_AMOUNT: Final = re.compile(
    r"\b(?:at least|at most|(?:more|fewer|less) than|exactly|up to)(?= \w)", re.IGNORECASE
)


def untold_word(reading: Interpretation, question: str) -> str:
    """Return the words that speak of all documents of a thing, where the reading does not.

    A field names the things, each of which may stand in several documents, and a document is tested
    by itself; it is ranked by one number of its documents, not by what all of these come to. Empty
    where the reading has a quota or conditions across documents, where it denies what is denied,
    shows fields of each thing, and where documents are what is asked for.

    >>> read = Interpretation(text="", entity_type="owner", entity_field="owner")
    >>> untold_word(read, "Which owners have every tool?"), untold_word(read, "Which owners pay?")
    ('every', '')
    >>> untold_word(read, "Who wrote to everyone?")
    'everyone'
    """
    if reading.entity_field is None or reading.across or reading.quota or reading.group_by:
        return ""
    if reading.operation == "top_k" and (word := _computed(reading)):
        return word
    words = [word.casefold() for word in _WORD.findall(question)]
    asked = _place(words, reading.entity_type)
    wanted = _OF_ALL if _denies(reading.conditions) else _OF_ALL | _DENYING
    if reading.show:
        wanted -= {"each", "every"}
    return next((word for word in words[asked:] if word in wanted), "") or _amount(reading)


def _computed(reading: Interpretation) -> str:
    """Return the word by which all numbers of a thing are put together before it is ranked."""
    words = _WORD.findall(reading.measure.text.casefold()) if reading.measure is not None else []
    return next((word for word in words if word in _TOGETHER), "")


def _amount(reading: Interpretation) -> str:
    """Return the word of an amount that no field decides: it may be of a thing's documents."""
    texts = (each.text for each in atoms(reading.conditions) if each.predicate is None)
    found = (_AMOUNT.search(text) for text in texts)
    return next((each.group() for each in found if each is not None), "")


def _place(words: list[str], entity_type: str) -> int:
    """Return where the words behind the noun that is asked for begin."""
    noun = entity_type.casefold().split()[-1][:4] if entity_type.split() else ""
    return next((at for at, word in enumerate(words, 1) if noun and word.startswith(noun)), 0)


def _denies(node: Node | None) -> bool:
    match node:
        case None:
            return False
        case Not():
            return True
        case _:
            return node.kind != "condition" and any(_denies(part) for part in node.parts)
