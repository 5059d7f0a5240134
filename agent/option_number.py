"""Which option a reply numbers, where the reply says nothing else: `2.`, `no. 2`, `the second`."""

import re
from typing import Final

__all__ = ("option_number",)

_CARDINALS: Final = "one two three four five six seven eight nine ten"
_ORDINALS: Final = "first second third fourth fifth sixth seventh eighth ninth tenth"
_NUMBERS: Final = {
    word: number
    for words in (_CARDINALS, _ORDINALS)
    for number, word in enumerate(words.split(), start=1)
} | {"former": 1}
_FROM_THE_END: Final = frozenset({"last", "latter"})
_NAMED: Final = r"(?:option|choice|answer|number|numero|no\.?|nr\.?|nº|№|#)"
_SAID: Final = re.compile(
    r"(?:"
    rf"(?:the )?(?:{_NAMED}[\s:]*){{0,2}}[(\[（]?(?P<digits>[+-]?\d{{1,9}})\s?[.):\]．）。]*|"
    rf"(?:the )?(?:{_NAMED}[\s:]*){{1,2}}(?P<cardinal>{_CARDINALS.replace(' ', '|')})|"
    rf"(?:the )?(?:(?P<ordinal>{_ORDINALS.replace(' ', '|')}|former|last|latter)|"
    r"(?P<place>\d{1,9})(?:st|nd|rd|th))(?: (?:one|option|choice|answer|reading))?"
    r")(?:,? (?:please|thanks|thank you))?\s?[.!]?",
    re.IGNORECASE,
)


def option_number(text: str, among: int | None = None) -> int | None:
    """Return the number of an option that a whole text says, None where it says anything else.

    `the last` is known only where there are `among` so many. The number may lie out of range.

    >>> [option_number(each) for each in ("2.", "(２)", "no. 2", "the second one", "2 or more")]
    [2, 2, 2, 2, None]
    >>> option_number("the latter"), option_number("the latter", among=2)
    (None, 2)
    """
    found = _SAID.fullmatch(" ".join(text.split()))
    if found is None:
        return None
    if digits := found["digits"] or found["place"]:
        return int(digits)
    word = (found["cardinal"] or found["ordinal"]).casefold()
    return among if word in _FROM_THE_END else _NUMBERS[word]
