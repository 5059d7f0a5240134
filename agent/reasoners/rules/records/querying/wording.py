"""Questions put another way: one order of words for what can be said in several."""

import re
from typing import Final

from agent.reasoners.rules.records.querying.written_amounts import in_figures

__all__ = ("reworded",)

_OPENED: Final = r"(?=(?:which|what|how|who|by)\b)"
_FRAME: Final = re.compile(
    rf"^\s*(?P<lead>among|amongst|across|of|over|for|within|adding up|counting|considering)\s+"
    rf"(?P<what>(?:all|any)\b.+?|(?!each\b|every\b).+?),\s+{_OPENED}(?P<rest>.+?)\s*[?.]*\s*$",
    re.IGNORECASE | re.DOTALL,
)
_MEAN: Final = re.compile(
    r"^\s*on average,?\s+what\s+(is|was|are|were)\s+the\s+(?!average)", re.IGNORECASE
)
_TOGETHER: Final = re.compile(
    r"^\s*what\s+(is|was|are|were)\s+the\s+(?!total\b|sum\b|average\b|mean\b)(?P<what>.+?)\s+"
    r"(?:taken|put|added)\s+together\s*[?.]*\s*$",
    re.IGNORECASE,
)
_SUMMED: Final = re.compile(r"(?<=\s)(?:taken|put|added)\s+together(?=\s*[?.]*\s*$)", re.IGNORECASE)
_EVERY: Final = re.compile(r"\bevery\s+(?:single\s+)?one\s+of\s+(?:the\s+)?", re.IGNORECASE)
_WHOLE: Final = re.compile(
    r"(?P<lead>^\s*(?:count|list|find|show|name)\s+(?:me\s+)?|\bover\s+)every\s+(?!one\b|single\b)",
    re.IGNORECASE,
)
"""Every one as what is counted, listed or computed over, which makes no group of each."""
_ANY: Final = re.compile(r"\bof\s+any(?:\s+one)?\s+of\s+the\b", re.IGNORECASE)
_TAIL: Final = re.compile(
    r"\s+(?:are there|occur|exist|are found|can be found|do (?:we|you) have)\s*[?.]*\s*$",
    re.IGNORECASE,
)
_FRAMED: Final = frozenset({"among", "amongst", "across", "within"})


def reworded(question: str) -> str:
    """Return the question with figures for amounts, and a frame put behind what is asked.

    >>> reworded("Among ships above 2k tonnes, which ship is the oldest?")
    'which ship is the oldest among ships above 2000 tonnes?'
    >>> reworded("On average, what is the number of seats of trams?")
    'what is the average number of seats of trams?'
    >>> reworded("Count every lease for which this holds: allow pets.")
    'Count all lease for which this holds: allow pets.'
    """
    text = _WHOLE.sub(r"\g<lead>all ", _EVERY.sub("all ", in_figures(question)))
    text = _ANY.sub("of the", text)
    text = _MEAN.sub(r"what \1 the average ", text)
    text = _bare(_TOGETHER.sub(r"what \1 the total \g<what>?", text))
    return _framed(text)


def _bare(text: str) -> str:
    """Return a question for a total without `taken together`."""
    return _SUMMED.sub("", text) if re.search(r"\b(?:total|sum)\b", text, re.IGNORECASE) else text


def _framed(text: str) -> str:
    found = _FRAME.match(text)
    if found is None:
        return text
    lead = found["lead"].casefold()
    joint = "among" if lead in _FRAMED or found["rest"].lower().startswith("which") else "of"
    return f"{_TAIL.sub('', found['rest'])} {joint} {found['what']}?"
