"""Whether bytes look like a western language in Windows-1252."""

import re
from typing import Final

__all__ = ("is_western",)

_ODD_SHARE: Final = 0.1
_WORD = re.compile("\\S*[\u0080-\U0010ffff]\\S*")
_LETTER: Final = "[^\\W\\d_]"
_ODD = re.compile(
    f"(?<={_LETTER})[^\\x00-\\x7f\\w\u00ad\u00b7\u2010-\u2019\u2022\u2026™®](?={_LETTER})"
    "|\\w[ªº¹²³]\\w"
    "|[a-zß-öø-ÿšœž][À-ÖØ-ÞŠŒŽŸ]"
    "|[À-ÖØ-öø-ÿŠšŒœŽžŸƒ]{3,}"
    "|[ƒˆ˜¤¦¨¬¯´¸‡\x80-\x9f]"
)
"""A sign within a word, a capital behind a small letter, three accented letters in a row, or a
sign that hardly any text has: what other encodings look like in this one."""


def is_western(data: bytes) -> bool:
    """Tell whether at most one in ten of the words with other than ASCII looks unlike a word.

    >>> is_western("Café: crème, €40".encode("cp1252")), is_western("Привет".encode("cp1251"))
    (True, False)
    """
    try:
        words = _WORD.findall(data.decode("cp1252"))
    except UnicodeDecodeError:
        return False
    return sum(_ODD.search(word) is not None for word in words) <= _ODD_SHARE * len(words)
