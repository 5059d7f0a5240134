"""Text as it is compared: without case, in one Unicode form, white space as single spaces."""

import unicodedata

from agent.accents import unaccented

__all__ = ("fold", "folded", "plain", "plainly")

SQLValue = str | bytes | int | float | None


def folded(text: str) -> str:
    """Return a text in the form in which equal texts are equal.

    >>> folded("  Straße   DES 17. Juni") == folded("STRASSE des 17. juni")
    True
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
        return " ".join(text.split())
    return " ".join(text.lower().split())


def plainly(text: str) -> str:
    """Return a folded text without accents: the form in which a text is what a question says.

    >>> plainly("ZÜRICH"), plainly("Zurich")
    ('zurich', 'zurich')
    """
    return unaccented(folded(text))


def fold(value: SQLValue) -> SQLValue:
    """Fold a value of a cell as the SQL function `fold`; what is no text stays as it is."""
    return folded(value) if isinstance(value, str) else value


def plain(value: SQLValue) -> SQLValue:
    """Fold a value and leave out its accents, as the SQL function `plain`."""
    return plainly(value) if isinstance(value, str) else value
