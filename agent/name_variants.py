"""Names of people and firms that are written in several ways: `H. Brandt`, `Dr. Helena Brandt`."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from agent.english import unaccented, word_set

_TITLES: Final = word_set("mr mrs ms miss dr prof professor sir dame rev hon")
_FIRMS: Final = word_set("ltd limited plc inc incorporated llc llp gmbh ag co corp corporation bv")
_WORD: Final = re.compile(r"[^\W\d_]+")


def same_names(written: Iterable[str]) -> dict[str, str]:
    """Return the fullest way in which each name is written, by name, where it is not its own.

    Titles, forms of firms, accents and case make no other name; an initial is the first name of
    the only one with that surname that it can be. A lone word is no variant of a longer name.

    >>> same_names(["H. Brandt", "Dr. Helena Brandt", "Harrow Ltd", "A. Ray", "Ann Ray", "Al Ray"])
    {'H. Brandt': 'Dr. Helena Brandt'}
    """
    return _same_names(tuple(dict.fromkeys(written)))


@lru_cache(maxsize=64)
def _same_names(written: tuple[str, ...]) -> dict[str, str]:
    words = {each: told for each in written if (told := _words(each))}
    fullest: dict[tuple[str, ...], str] = {}
    for each in sorted(words, key=lambda name: (-len(name), name)):
        fullest.setdefault(words[each], each)
    same: dict[str, str] = {}
    for each, own in words.items():
        others = {told for told in fullest if told != own and _shortens(own, told)}
        known = others.pop() if len(others) == 1 else own
        if fullest[known] != each:
            same[each] = fullest[known]
    return same


def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name without title and form of firm; empty for what is none."""
    told = _WORD.findall(unaccented(name.casefold()))
    bare = tuple(each for each in told if each not in _TITLES | _FIRMS)
    capital = all(each[:1].isupper() for each in _WORD.findall(name) if len(each) > 3)
    named = len(bare) > 1 or (bare and bare != tuple(told) and set(told) & _FIRMS)
    return bare if named and capital and not any(each.isdigit() for each in name) else ()


def _shortens(short: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """Tell whether a name has initials for the first names of another."""
    return (
        len(short) == len(full)
        and short[-1] == full[-1]
        and len(short[-1]) > 1
        and all(one == other or one == other[:1] for one, other in zip(short, full, strict=True))
    )
