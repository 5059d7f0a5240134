"""Accuracy of analysis over many documents: process, final and full (MuDABench, section 4)."""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from agent.answer import Answer
from evals.names import normal_name
from evals.questions import Record

__all__ = ("final_accuracy", "numbers_in", "process_accuracy")

_NUMBER = re.compile(
    r"(?<![\w.,])(?P<sign>[-−]?)[$€£¥]?(?P<digits>\d[\d,]*(?:\.\d+)?)(?!\w|[.,]\d)"
)
_FEWEST = 2
"""Decimals that a rounded value must have, at least, to be compared with a longer one."""
_STATED = re.compile(
    r"\[(?P<name>[^\]\n]+)\]:\s*(?P<number>[-−]?[$€£¥]?\d[\d,]*(?:\.\d+)?)(?P<percent>\s?%)?"
)


def numbers_in(text: str) -> tuple[float, ...]:
    """Return the numbers of a text in order, without currency signs and thousands separators.

    >>> numbers_in("had -$1,250.50 in 2021, a margin of 35.59%")
    (-1250.5, 2021.0, 35.59)
    """
    return tuple(_number(found["sign"] + found["digits"]) for found in _NUMBER.finditer(text))


def process_accuracy(
    facts: Sequence[str], texts: Mapping[str, str], cells: Mapping[str, Collection[float]]
) -> float | None:
    """Return the share of the intermediate facts that were extracted.

    A fact is extracted where each number that it gives, and that some document states, is a value
    of the record of a document that states it. Numbers that no document states were computed from
    others; a fact without a stated number is left out. None where nothing is left.

    Args:
        facts: one sentence a fact.
        texts: the gold documents' texts by name.
        cells: the numbers in each document's records.
    """
    stated = {name: numbers_in(text) for name, text in texts.items()}
    told = [_extracted(fact, stated, cells) for fact in facts]
    known = [each for each in told if each is not None]
    return sum(known) / len(known) if known else None


def final_accuracy(record: Record, answer: Answer | None) -> bool | None:
    """Tell whether the final answer is right: the same items, and the values where it gives any.

    An item's value may be a fraction where the truth is in percent. Values agree to the digits that
    both have: documents may state a ratio rounded to two that the truth computes to four. None
    where the truth names no items.
    """
    if record.target != "names":
        return None
    if answer is None:
        return False
    true = {normal_name(name) for name in record.answer or ()}
    named = {normal_name(entity.name): entity.value for entity in answer.entities}
    if set(named) != true:
        return False
    return all(
        _agrees(named.get(normal_name(found["name"])), found)
        for found in _STATED.finditer(record.final_answer)
    )


def _extracted(
    fact: str, stated: Mapping[str, Sequence[float]], cells: Mapping[str, Collection[float]]
) -> bool | None:
    holders = [(number, _holding(number, stated)) for number in dict.fromkeys(numbers_in(fact))]
    known = [(number, names) for number, names in holders if names]
    if not known:
        return None
    return all(
        any(_among(number, cells.get(name, ())) for name in names) for number, names in known
    )


def _holding(number: float, stated: Mapping[str, Sequence[float]]) -> list[str]:
    return [name for name, numbers in stated.items() if _among(number, numbers)]


def _among(number: float, others: Iterable[float]) -> bool:
    return any(math.isclose(number, other, rel_tol=1e-9, abs_tol=1e-9) for other in others)


def _agrees(value: float | str | None, found: re.Match[str]) -> bool:
    if not isinstance(value, int | float):
        return False
    number, digits = _number(found["number"]), len(found["number"].partition(".")[2])
    own = len(f"{value:.12f}".rstrip("0").partition(".")[2])
    scales = (0, 2) if found["percent"] else (0,)
    return any(
        abs(value * 10**scale - number) <= 0.51 * 10 ** -min(digits, max(0, own - scale))
        for scale in scales
        if own >= min(digits, _FEWEST) or scale or value == number
    )


def _number(written: str) -> float:
    return float(re.sub(r"[,$€£¥]", "", written).replace("−", "-"))
