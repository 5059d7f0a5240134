"""Text of documents and models without what would steer a terminal."""

import re

from rich.text import Text

__all__ = ("printable", "styled")

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    r"""Replace control characters and changes of direction; line breaks and tabs stay.

    >>> printable("red \x1b[31m\r\n")
    'red �[31m\n'
    """
    return _STEERING.sub("�", text.replace("\r\n", "\n"))


def styled(text: str, style: str = "") -> Text:
    """Return printable text in one style, no part of it read as markup."""
    return Text(printable(text), style=style)
