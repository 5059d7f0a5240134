"""What the name of an attribute says about what it refers to."""

import re
from typing import Final

__all__ = ("is_identifier", "mentions", "stem_words")

_IDENTIFIER: Final = frozenset(
    {"id", "ids", "key", "code", "no", "nr", "num", "number", "ref", "uuid", "guid"}
)
"""Words by which databases call what identifies, in whatever domain."""

_GLUED: Final = re.compile(r"(?P<stem>[a-z]{3,})id\Z")
"""`clubid`: as `club_id`."""


def is_identifier(name: str) -> bool:
    """Tell whether a name is that of an identifier.

    >>> is_identifier("team_id"), is_identifier("stuid"), is_identifier("age")
    (True, True, False)
    """
    words = name.split("_")
    return not _IDENTIFIER.isdisjoint(words) or _GLUED.match(words[-1]) is not None


def stem_words(name: str) -> tuple[str, ...]:
    """Return the words of a name without those that only say that it identifies.

    >>> stem_words("caused_by_ship_id"), stem_words("clubid"), stem_words("id")
    (('caused', 'by', 'ship'), ('club',), ())
    """
    words = [word for word in name.split("_") if word and word not in _IDENTIFIER]
    glued = _GLUED.match(words[-1]) if words else None
    if glued:
        words[-1] = glued["stem"]
    return tuple(words)


def mentions(name: str, kind: str) -> float:
    """Return how well an attribute's name names a kind: 0, or 0.9 to 1.

    The last word must be the kind's last: `product_quantity` is no product. The rest is the share
    of the kind's words that are named. Words agree in singular and plural, and where one
    abbreviates the other from its beginning with three letters or more.

    >>> mentions("lost_in_battle", "battle"), mentions("stuid", "students")
    (1.0, 1.0)
    >>> mentions("company_id", "air_company"), mentions("product_quantity", "product")
    (0.95, 0.0)
    """
    words = stem_words(name)
    wanted = [word for word in kind.split("_") if word]
    if not words or not wanted or not _agree(words[-1], wanted[-1]):
        return 0.0
    named = sum(any(_agree(word, part) for word in words) for part in wanted)
    return round(0.9 + 0.1 * named / len(wanted), 3)


def _agree(one: str, other: str) -> bool:
    one, other = _singular(one), _singular(other)
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= 3 and long.startswith(short))


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word
