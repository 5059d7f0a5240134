"""Names that may be spellings of one name: accents, initials, middle names, marks, legal forms."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

__all__ = ("spelling_variants", "variant_pairs")

_LEGAL: Final = frozenset(
    {
        "ab", "ag", "as", "bv", "co", "company", "corp", "corporation", "gmbh", "inc",
        "incorporated", "kg", "limited", "llc", "llp", "lp", "ltd", "nv", "oy", "plc", "pty", "sa",
        "sarl", "se", "spa", "srl",
    }
)  # fmt: skip
"""Legal forms, which a firm's name is written with or without."""


@lru_cache(maxsize=65536)
def _parts(name: str) -> tuple[str, ...]:
    """Return the words of a name without accents, case, marks, articles and legal forms."""
    plain = unicodedata.normalize("NFKD", name.replace("&", " and "))
    letters = "".join(each for each in plain if not unicodedata.combining(each)).casefold()
    letters = re.sub(r"(?<=\b\w)\.(?=\w\b)", "", letters)
    words = re.findall(r"[^\W_]+", re.sub(r"['’]", "", letters))
    while len(words) > 1 and words[-1] in _LEGAL:
        words.pop()
    return tuple(words[1:] if words[:1] == ["the"] and len(words) > 1 else words)


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two names are one but for marks, or agree in first and last name.

    No middle name may contradict; an initial stands for any name that begins with it.
    """
    if one == other:
        return bool(one)
    short, long = sorted((one, other), key=len)
    if len(short) < 2 or any(any(map(str.isdigit, part)) for part in (*one, *other)):
        return False
    if short[-1] != long[-1] or not _begins(short[0], long[0]):
        return False
    if len(short[0]) == len(long[0]) == 1:
        return False
    return all(any(_begins(part, each) for each in long[1:-1]) for part in short[1:-1])


def _begins(one: str, other: str) -> bool:
    """Tell whether two given names agree: alike, or one of them is the other's initial."""
    return one == other or (min(len(one), len(other)) == 1 and one[0] == other[0])


def spelling_variants(name: str, names: Iterable[str]) -> list[str]:
    """Return the other names that may mean the same as `name`.

    >>> spelling_variants("Jo Ann Lee", ["Jo Lee", "Jo Ann Lée", "Ann Lee", "J. Lee"])
    ['Jo Lee', 'Jo Ann Lée', 'J. Lee']
    >>> spelling_variants("Birch & Sons", ["Birch and Sons Ltd.", "Birch"])
    ['Birch and Sons Ltd.']
    """
    own = _parts(name)
    found = dict.fromkeys(each for each in names if each.casefold() != name.casefold())
    return [each for each in found if _same(own, _parts(each))]


def variant_pairs(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return pairs of names that may mean the same, each pair once, in order.

    >>> variant_pairs(["Acme Inc.", "Jo Lee", "ACME", "Jo Ann Lee"])
    [('Acme Inc.', 'ACME'), ('Jo Lee', 'Jo Ann Lee')]
    """
    blocks: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name in dict.fromkeys(names):
        if parts := _parts(name):
            blocks[parts[0][0], parts[-1]].append(name)
    return [
        (one, other)
        for group in blocks.values()
        for at, one in enumerate(group)
        for other in group[at + 1 :]
        if one.casefold() != other.casefold() and _same(_parts(one), _parts(other))
    ]
