"""Numbers in English words: `twenty-five`, `two hundred and fifty`, `half a million`."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from agent.english import SCALES

_CARDINALS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_ORDINALS: Final = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENTHS: Final = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"
SMALL_NUMBERS: Final = {
    word: value for words in (_CARDINALS, _ORDINALS) for value, word in enumerate(words.split())
}
"""Cardinals and ordinals below twenty."""
_ROUND: Final = {
    word: 10 * value for words in (_TENS, _TENTHS) for value, word in enumerate(words.split(), 2)
} | {"fourty": 40}
_PARTS: Final = {"half": Decimal("0.5"), "quarter": Decimal("0.25")}
_WORD = re.compile(r"[^\W\d_]+")


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case; hyphens part words."""
    return [word.casefold() for word in _WORD.findall(text)]


def leading_number(words: Sequence[str]) -> tuple[Decimal, int] | None:
    """Return the number that the first words state, and how many words it takes; None without one.

    >>> leading_number(words_of("two hundred and fifty-six rooms"))
    (Decimal('256'), 5)
    >>> leading_number(words_of("half a million")), leading_number(words_of("a room"))
    ((Decimal('500000.0'), 3), None)
    """
    found = _half(words) or _whole(words)
    if found is None or tuple(words[found[1] : found[1] + 2]) != ("and", "a"):
        return found
    number, counted = found
    part = _PARTS.get(words[counted + 2] if len(words) > counted + 2 else "")
    if part is None:
        return found
    multiplier = _multiplier(words[counted + 3]) if len(words) > counted + 3 else 0
    return (number + part) * (multiplier or 1), counted + 3 + bool(multiplier)


def _half(words: Sequence[str]) -> tuple[Decimal, int] | None:
    """Read `half a million`, `half a dozen`."""
    if len(words) < 3 or words[0] != "half" or words[1] not in {"a", "an"}:
        return None
    multiplier = _multiplier(words[2])
    return (Decimal(multiplier) * Decimal("0.5"), 3) if multiplier else None


def _multiplier(word: str) -> int:
    return {"hundred": 100, "dozen": 12}.get(word, SCALES.get(word, 0))


def _whole(words: Sequence[str]) -> tuple[Decimal, int] | None:
    at = 1 if len(words) > 1 and words[0] in {"a", "an"} and _multiplier(words[1]) else 0
    total, group, counted = (0, 1, at) if at else (0, 0, 0)
    while at < len(words):
        step = at + 1 if counted and words[at] == "and" and at + 1 < len(words) else at
        read = _added(words[step], group, total)
        if read is None:
            break
        group, total = read
        at = counted = step + 1
    return (Decimal(total + group), counted) if counted else None


def _added(word: str, group: int, total: int) -> tuple[int, int] | None:
    """Return group and total after one more word; None where the word cannot continue them."""
    if word in SMALL_NUMBERS:
        low = group % 100
        fits = low == 0 or (low % 10 == 0 and low >= 20 and 0 < SMALL_NUMBERS[word] < 10)
        return (group + SMALL_NUMBERS[word], total) if fits else None
    if word in _ROUND:
        return (group + _ROUND[word], total) if group % 100 == 0 else None
    multiplier = _multiplier(word)
    if not multiplier or not group:
        return None
    if multiplier <= 100:
        return (group * multiplier, total) if group < 100 else None
    return 0, total + group * multiplier
