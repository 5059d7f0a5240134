"""What a row says: which entity it is about, whether a condition holds of it, its number."""

import re
from collections.abc import Callable
from typing import Final

from agent.question import Condition, Measure
from agent.reasoners.rules.judging.quantity import Quantity, quantities
from agent.reasoners.rules.judging.rows import Row
from agent.reasoners.rules.language.roots import roots
from agent.reasoners.rules.language.units import converted, is_unit
from agent.reasoners.rules.language.words import FUNCTION_WORDS

__all__ = ("entity_of", "number_of", "row_satisfies")

_WORD: Final = re.compile(r"[^\W_]+")
_OPERATORS: Final[tuple[tuple[str, Callable[[float, float], bool]], ...]] = (
    (r"at least|no less than|not less than|>=", lambda a, b: a >= b),
    (r"at most|no more than|not more than|<=", lambda a, b: a <= b),
    (r"(?:more|greater|higher|larger|older|longer|heavier) than|over|above|exceed\w*|after|>",
     lambda a, b: a > b),
    (r"(?:less|fewer|lower|smaller|younger|shorter|lighter) than|under|below|before|<",
     lambda a, b: a < b),
    (r"is|are|was|were|equals?|=|of|:", lambda a, b: a == b),
)  # fmt: skip


_COUNTING: Final = frozenset(roots(word)[1] for word in ("number", "count", "total", "amount"))
_DIMENSIONS: Final = (
    (r"(?:older|younger)", "age"),
    (r"(?:taller|higher)", "height"),
    (r"(?:longer|shorter)", "length"),
    (r"(?:heavier|lighter)", "weight"),
    (r"(?:cheaper|dearer|costlier)", "price"),
)


def entity_of(row: Row, entity_type: str) -> str | None:
    """Return the name of the entity that a row is, or that one of its attributes gives.

    None where neither the row's label nor an attribute is of the entity type; an id that refers
    to another row is no name.
    """
    words = _roots(entity_type)
    if not words:
        return None
    if words[-1] in _roots(row.label) or not row.label:
        return _own_name(row) or row.label or None
    for key, value in row.attributes.items():
        if set(words) <= set(_roots(key)) and key.split()[-1:] != ["id"]:
            return value
    return None


def row_satisfies(row: Row, condition: Condition) -> bool:
    """Tell whether a row's attributes prove a condition.

    A condition that but names the row's kind holds. An attribute that the condition names is
    compared as the condition says; where it names none, a value of the row that stands in the
    condition as a phrase proves it.
    """
    text = _with_dimensions(condition.text)
    about = set(_roots(text))
    if about and about <= set(_roots(row.label)):
        return True
    for key, value in row.attributes.items():
        end = _named_until(key, text)
        if end is not None:
            return _compares(value, text[end:], text[:end])
    return any(_is_phrase_of(value, text) for value in row.attributes.values())


def number_of(row: Row, measure: Measure) -> Quantity | None:
    """Return the number of the attribute whose name shares most words with the measure."""
    wanted = set(_roots(measure.text))
    ranked = sorted(
        (-len(wanted & set(_roots(key))), len(_roots(key)), key)
        for key in row.attributes
        if wanted & set(_roots(key))
    )
    return next(quantities(row.attributes[ranked[0][2]]), None) if ranked else None


def _own_name(row: Row) -> str | None:
    keys = row.attributes
    for key in ("name", "title", "full name"):
        if key in keys:
            return keys[key]
    if "first name" in keys and "last name" in keys:
        return f"{keys['first name']} {keys['last name']}"
    named = [key for key in keys if key.endswith((" name", " title"))]
    return keys[named[0]] if named else None


def _named_until(key: str, text: str) -> int | None:
    """Return where a text has named all words of an attribute; None where it does not."""
    wanted = {root for root in _roots(key) if root not in _COUNTING} or set(_roots(key))
    for found in _WORD.finditer(text):
        wanted.discard(roots(found.group().lower())[1])
        if not wanted:
            return found.end()
    return None


def _with_dimensions(text: str) -> str:
    """Name the attribute that a comparative measures: `older than 40` is `age older than 40`."""
    for adjectives, name in _DIMENSIONS:
        text = re.sub(rf"\b(?={adjectives}\b)", f"{name} ", text)
    return text


def _compares(value: str, rest: str, before: str) -> bool:
    number = next(quantities(value), None)
    ahead = list(quantities(before))
    if number is not None and len(ahead) == 1 and next(quantities(rest), None) is None:
        same = _in_unit_of(ahead[0], number)
        return same is not None and _counts(same, before[: ahead[0].start], ahead[0].value)
    for operator, compare in _OPERATORS:
        found = re.search(rf"(?:\b|(?<=\W))(?:{operator})(?!\w)\s*(?:an?\s|the\s)?(.+)", rest)
        if found is None:
            continue
        asked = next(quantities(found.group(1)), None)
        if number is not None and asked is not None:
            same = _in_unit_of(asked, number)
            return same is not None and compare(same, asked.value)
        return _is_phrase_of(value, rest)
    return _is_phrase_of(value, rest)


def _in_unit_of(asked: Quantity, number: Quantity) -> float | None:
    """Return a number in the unit asked for; None where the two measure different things."""
    unit, wanted = (number.unit or "").lower(), (asked.unit or "").lower()
    if not (is_unit(unit) and is_unit(wanted)):
        return number.value
    told = converted(f"{number.value:.12g}", unit, wanted)
    return None if told is None else float(told)


def _counts(number: float, before: str, asked: float) -> bool:
    """Compare where the amount stands before the attribute: `more than 500 pages`."""
    for operator, compare in _OPERATORS[:-1]:
        if re.search(rf"(?:\b|(?<=\W))(?:{operator})\s*\Z", before.rstrip() + " "):
            return compare(number, asked)
    return number == asked


def _is_phrase_of(value: str, text: str) -> bool:
    words = value.strip()
    if len(words) < 2 or words.isdigit():
        return False
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE) is not None


def _roots(text: str) -> list[str]:
    words = [word for word in _WORD.findall(text.lower()) if word not in FUNCTION_WORDS]
    return [roots(word)[1] for word in words if not word.isdigit()]
