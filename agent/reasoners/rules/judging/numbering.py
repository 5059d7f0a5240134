"""Numbers that count nothing: of headings, lists, sections and versions, in dates and times."""

import re
from typing import Final

from agent.reasoners.rules.judging.quantity import Quantity
from agent.reasoners.rules.language.word_set import word_set
from agent.reasoners.rules.language.written_dates import MONTHS

__all__ = ("is_numbering",)

_DATE: Final = re.compile(
    rf"\b\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}\b|\b\d{{1,2}}:\d{{2}}\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?(?:\s+day)?\s+(?:of\s+)?(?:{MONTHS})\b\.?,?(?:\s+\d{{4}}\b)?"
    rf"|\b(?:{MONTHS})\b\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+\d{{4}}\b)?"
    rf"|\b(?:{MONTHS})\b\.?,?\s+\d{{4}}\b"
)
_PLACES: Final = word_set(
    "section sections sec clause clauses article articles art paragraph paragraphs para chapter "
    "chapters page pages pp appendix appendices annex annexes schedule exhibit exhibits figure "
    "figures fig table tables item items line lines note notes footnote part parts title rule "
    "rules step steps version versions release no nos nr number numbers id ref see and or to"
)
_REFERRED: Final = word_set("and or to through")
_BEFORE: Final = re.compile(r"(?:([^\W\d_]+)\.?|[§#№])\s*\Z")
_WHEN: Final = re.compile(
    r"\b(?:in|since|by|until|till|during|before|after|from|year|through|between|late|early|mid)"
    r"[\s-]+\Z",
    re.IGNORECASE,
)
_HEADS: Final = re.compile(r"\s*[.)\]]?\s+[^\W\d_]?")
_LISTED: Final = re.compile(r"[\])]")
_REACH: Final = 40


def is_numbering(text: str, start: int, quantity: Quantity) -> bool:
    """Tell whether a number numbers or dates something; `start` is where its sentence begins."""
    at, end = _digits(text, quantity)
    if text[end : end + 2].lower() in {"st", "nd", "rd", "th"} or _is_part(text, at, end):
        return True
    return (
        _heads(text, start, at, end)
        or _dated(text, at, end)
        or _referred(text, at)
        or _year(text, at, quantity)
    )


def _digits(text: str, quantity: Quantity) -> tuple[int, int]:
    """Return the span of the number's digits, else that of its words."""
    found = re.compile(r"\d[\d,]*(?:\.\d+)?").search(text, quantity.start, quantity.end)
    return found.span() if found else (quantity.start, quantity.end)


def _is_part(text: str, at: int, end: int) -> bool:
    """Tell whether the digits are part of a code or a version: `P-1000`, `2.1.3`, `4b`."""
    code = text[max(0, at - 1) : at] in {"-", "/", "_"} and text[max(0, at - 2) : at - 1].isalpha()
    return code or re.match(r"\.\d|_|/\d", text[end : end + 2]) is not None


def _heads(text: str, start: int, at: int, end: int) -> bool:
    """Tell whether the number opens a line or stands for a list's item: `4.2 The`, `(3) the`."""
    line = max(start, text.rfind("\n", 0, at) + 1)
    opening = text[line:at].strip(" \t#*-–•|>")
    if opening not in {"", "("}:
        return False
    behind = text[end : end + 1]
    if behind in {".", ")", "]"}:
        return True
    following = text[end:].lstrip(" \t")[:1]
    return ("." in text[at:end] and following.isalpha()) or following.isupper() or not following


def _dated(text: str, at: int, end: int) -> bool:
    around = max(0, at - _REACH)
    return any(
        found.start() < end and at < found.end()
        for found in _DATE.finditer(text, around, min(len(text), end + _REACH))
    )


def _referred(text: str, at: int) -> bool:
    """Tell whether a word for a place in a text, or a numbering sign, stands before the number."""
    before = text[max(0, at - _REACH) : at].rstrip("( ")
    found = _BEFORE.search(before)
    if found is None or found[1] is None:
        return found is not None
    word = found[1].lower()
    if word not in _REFERRED:
        return word in _PLACES - _REFERRED
    return re.search(rf"\b(?:{'|'.join(sorted(_PLACES - _REFERRED))})\.?\s+[\d.]+\s+\w+\Z", before,
                     re.IGNORECASE) is not None  # fmt: skip


def _year(text: str, at: int, quantity: Quantity) -> bool:
    """Tell whether a bare number is a year, by what stands before it."""
    if quantity.unit == "%" or quantity.value not in range(1900, 2100):
        return False
    if not re.match(r"\d{4}(?![\d,]|\.\d)", text[at : at + 6]):
        return False
    return _WHEN.search(text[max(0, at - _REACH) : at]) is not None
