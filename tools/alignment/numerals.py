"""Numbers as names write them: digits, Roman numerals and English words brought to one form."""

import re
from typing import Final

__all__ = ("decimal", "is_number", "is_year", "roman")

_CARDINALS: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
)
_ORDINALS: Final = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_WORDS: Final = {
    word: str(value)
    for words in (_CARDINALS, _ORDINALS)
    for value, word in enumerate(words.split())
}
_ROMAN: Final = re.compile(r"(?=[ivxl])(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_VALUES: Final = {"i": 1, "v": 5, "x": 10, "l": 50}
_LONGEST: Final = 40
_ORDINAL: Final = re.compile(r"(\d+)(?:st|nd|rd|th)")


def decimal(word: str) -> str:
    """Return a folded word in digits where it is a number, else unchanged.

    >>> decimal("0484"), decimal("second"), decimal("21st"), decimal("seventy"), decimal("2.0")
    ('484', '2', '21', 'seventy', '2.0')
    """
    ordinal = _ORDINAL.fullmatch(word)
    digits = ordinal[1] if ordinal else word
    if digits.isdecimal() and len(digits) <= _LONGEST:
        return str(int(digits))
    return _WORDS.get(word, word)


def roman(word: str) -> str | None:
    """Return the value of a folded Roman numeral up to 89 in digits, None where it is none.

    >>> roman("xiv"), roman("vi"), roman("mix"), roman("")
    ('14', '6', None, None)
    """
    if not word or not _ROMAN.fullmatch(word):
        return None
    values = [_VALUES[letter] for letter in word]
    after = [*values[1:], 0]
    return str(sum(-one if one < two else one for one, two in zip(values, after, strict=True)))


def is_number(word: str) -> bool:
    """Tell whether a word begins with a digit."""
    return word[:1].isdigit()


def is_year(word: str) -> bool:
    """Tell whether a number may be a year: four digits from 1000 to 2999."""
    return len(word) == 4 and word.isdecimal() and word[0] in "12"
