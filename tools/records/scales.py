"""The scale behind a number: `1.2 million`, `3k`, `$5 m`, `2 hundred thousand`."""

import re
from typing import Final

from tools.records.conversion import is_money
from tools.records.number_words import SCALES
from tools.records.units import parse_unit

__all__ = ("read_scale",)

_WORDS: Final = SCALES | {"hundred": 100, "dozen": 12}
_WORD: Final = re.compile(rf"[\s-]*({'|'.join(_WORDS)})s?\b", re.IGNORECASE)
_LETTERS: Final = re.compile(r"\s*(mln|mio|mn|bn|tn|mm|MM|[kKmMbBtT])(?![^\W_]|[²³/^])\.?")
_SURE: Final = {"k": 10**3, "K": 10**3, "M": 10**6, "mn": 10**6, "mln": 10**6, "mio": 10**6,
                "bn": 10**9, "tn": 10**12}  # fmt: skip
_OF_MONEY: Final = {"m": 10**6, "mm": 10**6, "MM": 10**6, "b": 10**9, "B": 10**9, "t": 10**12,
                    "T": 10**12}  # fmt: skip


def read_scale(after: str, wanted: str, *, money: bool) -> tuple[int, str] | str:
    """Return the scale that opens a text and what follows it, else why it is not certain.

    A letter that is a unit of what the column measures is that unit (`5 m` of a height). Otherwise
    k, M, mn and bn are scales; m, mm, b and t are so beside money only, and a lone m or b beside
    nothing that tells is uncertain.

    >>> read_scale(" million USD", "", money=False), read_scale("m", "USD", money=False)
    ((1000000, ' USD'), (1000000, ''))
    >>> read_scale(" m", "feet", money=False), read_scale("m", "", money=False)
    ((1, ' m'), "'m' behind a number may be metres or millions: write one of them out")
    """
    scale = 1
    while found := _WORD.match(after):
        scale, after = scale * _WORDS[found[1].casefold()], after[found.end() :]
    letters = _LETTERS.match(after) if scale == 1 else None
    if letters is None or _is_unit(letters[1], wanted):
        return scale, after
    factor = _SURE.get(letters[1])
    if factor is None and (money or is_money(wanted)):
        factor = _OF_MONEY[letters[1]]
    if factor is not None:
        return factor, after[letters.end() :]
    if letters[1] == "m" and not wanted:
        return "'m' behind a number may be metres or millions: write one of them out"
    return scale, after


def _is_unit(letters: str, wanted: str) -> bool:
    unit, target = parse_unit(letters), parse_unit(wanted) if wanted else None
    if unit is None or target is None or not unit.measures:
        return False
    return unit.measures[0] in target.measures
