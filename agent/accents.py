"""Accents of Latin letters, which people write or leave out: `Zürich`, `Zurich`."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

__all__ = ("unaccented", "unaccented_places")

_ACCENTED: Final = re.compile(r"([A-Za-z])[\u0300-\u036f]+")
_PIECE: Final = re.compile(r"[A-Za-z][\u0300-\u036f]+|.", re.DOTALL)


def unaccented(text: str) -> str:
    """Leave out the accents of Latin letters; marks of other scripts make other letters.

    >>> unaccented("Zürich, São Paulo"), unaccented("Łódź"), unaccented("й")
    ('Zurich, Sao Paulo', 'Łodz', 'й')
    """
    if text.isascii():
        return text
    parted = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", _ACCENTED.sub(r"\1", parted))


def unaccented_places(text: str) -> tuple[str, Sequence[int]]:
    """Leave out the accents of Latin letters; return also where each character stood, and the end.

    >>> unaccented_places("ni\u00f1o"), unaccented_places("e\u0301t")
    (('nino', range(0, 5)), ('et', [0, 2, 3]))
    """
    if text.isascii():
        return text, range(len(text) + 1)
    plain = "".join(_bare(letter) for letter in text)
    if not _ACCENTED.search(plain):
        return plain, range(len(text) + 1)
    places = [found.start() for found in _PIECE.finditer(plain)]
    return _ACCENTED.sub(r"\1", plain), [*places, len(text)]


def _bare(letter: str) -> str:
    """Return a letter without its accents, in one character."""
    bare = letter if letter.isascii() else unaccented(letter)
    return bare if len(bare) == 1 else letter
