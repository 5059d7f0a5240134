"""Names that may be spellings of one name: accents, middle names, initials."""

import unicodedata
from collections.abc import Iterable, Sequence

__all__ = ("spelling_variants", "variant_pairs")


def _parts(name: str) -> tuple[str, ...]:
    plain = unicodedata.normalize("NFKD", name)
    letters = "".join(each for each in plain if not unicodedata.combining(each))
    return tuple(
        part for part in letters.casefold().replace("-", " ").replace(".", " ").split() if part
    )


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether first and last name agree and no middle name contradicts."""
    if len(one) < 2 or len(other) < 2:
        return False
    short, long = sorted((one, other), key=len)
    ends = short[0] == long[0] and short[-1] == long[-1]
    return ends and set(short) <= set(long)


def spelling_variants(name: str, names: Iterable[str]) -> list[str]:
    """Return the other names that may mean the same as `name`.

    >>> spelling_variants("Jo Ann Lee", ["Jo Lee", "Jo Ann Lée", "Ann Lee"])
    ['Jo Lee', 'Jo Ann Lée']
    """
    own = _parts(name)
    found = dict.fromkeys(each for each in names if each.casefold() != name.casefold())
    return [each for each in found if _same(own, _parts(each))]


def variant_pairs(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return pairs of names that may mean the same, each pair once, in order."""
    distinct = list(dict.fromkeys(names))
    by_last: dict[str, list[str]] = {}
    for name in distinct:
        parts = _parts(name)
        if len(parts) > 1:
            by_last.setdefault(parts[-1], []).append(name)
    return [
        (one, other)
        for group in by_last.values()
        for at, one in enumerate(group)
        for other in group[at + 1 :]
        if one.casefold() != other.casefold() and _same(_parts(one), _parts(other))
    ]
