"""Accents of Latin letters, which people write or leave out: `Zürich`, `Zurich`."""

import re
import unicodedata
from typing import Final

__all__ = ("unaccented",)

_ACCENTED: Final = re.compile(r"([A-Za-z])[\u0300-\u036f]+")


def unaccented(text: str) -> str:
    """Leave out the accents of Latin letters; marks of other scripts make other letters.

    >>> unaccented("Zürich, São Paulo"), unaccented("Łódź"), unaccented("й")
    ('Zurich, Sao Paulo', 'Łodz', 'й')
    """
    if text.isascii():
        return text
    parted = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", _ACCENTED.sub(r"\1", parted))
