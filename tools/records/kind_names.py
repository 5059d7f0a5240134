"""Names of kinds and attributes: brought into form, and told apart where one is taken."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

__all__ = ("name_of", "unused")

_LONGEST: Final = 60


def name_of(told: str) -> str:
    """Return a name in form: lower-case Latin letters, digits, underscores, a letter first.

    >>> name_of("Größe (m²)"), name_of("2023 Revenue"), name_of("  ")
    ('grosse_m2', 'revenue', '')
    """
    plain = unicodedata.normalize("NFKD", told.casefold())
    words = re.findall(
        "[a-z0-9]+", "".join(each for each in plain if not unicodedata.combining(each))
    )
    return re.sub(r"^[0-9_]+", "", "_".join(words))[:_LONGEST].rstrip("_")


def unused(name: str, taken: Iterable[str]) -> str:
    """Return the name; where it is taken, with the next number behind it.

    >>> unused("customer_2", {"customer", "customer_2"})
    'customer_3'
    """
    known = set(taken)
    if name not in known:
        return name
    bare = re.sub(r"_\d+$", "", name)[: _LONGEST - 5]
    return next(new for n in range(2, 10_000) if (new := f"{bare}_{n}") not in known)
