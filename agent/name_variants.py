"""Names of people and firms that are written in several ways: `H. Brandt`, `Dr. Helena Brandt`."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from agent.english import FUNCTION_WORDS, fold, root, unaccented, word_set

Words = tuple[str, ...]

TITLES: Final = word_set("mr mrs ms miss dr prof professor sir dame rev hon")
FIRMS: Final = word_set(
    "ltd limited plc inc incorporated llc llp lp gmbh kg ag co company corp corporation bv nv ab "
    "as oy pty sa sarl se spa srl sons"
)
"""Legal forms, which a firm's name is written with or without."""
_WORD: Final = re.compile(r"[^\W\d_]{3,}\.|[^\W\d_]+")
_TURNED: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)?,\s*[^\W\d_]+\.?")
"""A surname before a first name."""
_SHARED: Final = 5
"""Letters that the beginnings of two inflections share."""
_MARKED: Final = re.compile(r"[+#<>=~*%]|-$")
"""What is no part of a name: `A+` and `A-` are grades."""
_ADDRESS: Final = re.compile(r"\s*<[^<>\s]+@[^<>\s]+>$")
"""An e-mail address behind a name."""
_OF: Final = re.compile(r"([^\W\d_]+\.?) of (?:the )?([^\W\d_]+)")
_ARTICLE: Final = re.compile(r"\Athe (?=\S)")
_VOWELS: Final = frozenset("aeiou")
_MOST: Final = 0.6
"""The share of a word's consonants that a contraction of it has."""
_SAINT: Final = re.compile(r"\bst\b\.?(?= \S)")
"""`St` before a name: at the end it is a street."""


def is_variant(one: str, other: str) -> bool:
    """Tell whether one phrase is an inflection of the other, or cut short from it.

    >>> is_variant("Global Interpreter Lock", "GIL"), is_variant("TUF", "The Update Framework")
    (True, True)
    >>> is_variant("sustainable drainage systems", "SuDS"), is_variant("SBOM", "bill of materials")
    (True, False)
    >>> is_variant("Paraloid B-72", "B-72"), is_variant("Cargo", "Rust")
    (True, False)
    >>> is_variant("corrosion", "corrodes"), is_variant("WebAssembly", "wasm")
    (True, True)
    >>> is_variant("bill of lading", "blade")
    False
    """
    short, long = sorted((fold(one), fold(other)), key=len)
    words = re.split(r"[\s-]+", long)
    if len(words) > 1:
        if long.endswith(f" {short}"):
            return True
        large = [each[0] for each in words if each not in FUNCTION_WORDS]
        first = short[0] in {large[0], words[0][0]}
        return first and _in_order(large, short) and _in_order(short, long)
    cut = 2 * len(short) <= len(long) and _in_order(short, long)
    return root(one, other) or short[:_SHARED] == long[:_SHARED] or (cut and short[0] == long[0])


def _in_order(letters: Iterable[str], text: str) -> bool:
    rest = iter(text)
    return all(each in rest for each in letters)


def same_names(written: Iterable[str]) -> dict[str, str]:
    """Return the fullest way in which each name is written, by name, where it is not its own.

    Titles, forms of firms, a leading article, accents and case make no other name, and `St` is
    `Saint`; an initial is the first name of the only one with that surname that it can be, and a
    lone surname is his or hers where initials or titles show that the names are of people. `Lee,
    Jo` is `Jo Lee`, `Univ. of York` and `York University` are the `University of York`.

    >>> same_names(["H. Brandt", "Dr. Helena Brandt", "Harrow Ltd", "A. Ray", "Ann Ray", "Al Ray"])
    {'H. Brandt': 'Dr. Helena Brandt'}
    >>> same_names(["Ann Ray <ann@ray.example>", "Ann Ray"])
    {'Ann Ray <ann@ray.example>': 'Ann Ray'}
    >>> same_names(["Okafor", "M. Okafor", "Miriam Okafor"])
    {'Okafor': 'Miriam Okafor', 'M. Okafor': 'Miriam Okafor'}
    >>> same_names(["St. Olave's School", "Saint Olave's School", "The Anvil", "Anvil Ltd"])
    {"St. Olave's School": "Saint Olave's School", 'The Anvil': 'Anvil Ltd'}
    >>> same_names(["University of York", "Univ. of York", "York University", "York College"])
    {'Univ. of York': 'University of York', 'York University': 'University of York'}
    >>> same_names(["Holm Water Bd.", "Holm Water Board", "Don Ray", "Damon Ray", "Mt Row"])
    {'Holm Water Bd.': 'Holm Water Board'}
    >>> same_names(["PR Office", "Power Office", "Market Row", "Mt Row", "HR Team", "Hr Team"])
    {}
    """
    return _same_names(tuple(dict.fromkeys(written)))


@lru_cache(maxsize=64)
def _same_names(written: tuple[str, ...]) -> dict[str, str]:
    words = {each: told for each in written if (told := _words(each))}
    people = any(len(told) > 1 and len(told[0]) == 1 for told in words.values()) or any(
        _WORD.findall(each.casefold())[0].rstrip(".") in TITLES for each in words
    )
    fullest: dict[Words, str] = {}
    for each in sorted(words, key=lambda name: ("," in name or "<" in name, -len(name), name)):
        fullest.setdefault(words[each], each)
    same: dict[str, str] = {}
    for each, own in words.items():
        others = [told for told in fullest if told != own and _shortens(own, told, people=people)]
        whole = [told for told in others if not any(_shortens(told, one) for one in others)]
        known = whole[0] if len(whole) == 1 else own
        if fullest[known] != each:
            same[each] = fullest[known]
    return same


def is_turned(name: str) -> bool:
    """Tell whether it may be a surname before a first name: `Lee, Ann`."""
    capital = all(each[:1].isupper() for each in map(str.strip, name.split(",")))
    return capital and _TURNED.fullmatch(name) is not None


def _words(name: str) -> Words:
    """Return the words of a name without title and form of firm; empty for what is none.

    A word that a full stop cuts short keeps it.
    """
    name = _ADDRESS.sub("", name)
    plain = _ARTICLE.sub("", unaccented(name.casefold()).replace("&", " and "))
    plain = _SAINT.sub("saint", plain)
    if _TURNED.fullmatch(plain):
        plain = " ".join(reversed(plain.split(",")))
    if _OF.fullmatch(plain):
        plain = _OF.sub(r"\2 \1", plain)
    initialisms = {each.casefold() for each in _WORD.findall(name) if _is_initialism(each, name)}
    told = [f"{each}^" if each in initialisms else each for each in _WORD.findall(plain)]
    bare = tuple(each for each in told if each.rstrip(".") not in TITLES | FIRMS)
    bare = bare[:-1] if bare[-1:] == ("and",) else bare
    marked = _MARKED.search(name) or any(each.isdigit() for each in name)
    capital = all(each[:1].isupper() for each in _WORD.findall(name) if len(each) > 3)
    return bare if capital and not marked else ()


def _is_initialism(word: str, name: str) -> bool:
    """Tell whether a word is an initialism, which contracts no other word: `PR Office`."""
    return len(word) > 1 and word.isupper() and not (name.isupper() or _VOWELS & {*word.casefold()})


def _shortens(short: Words, full: Words, *, people: bool = False) -> bool:
    """Tell whether a name has initials for the first names of another, or its surname alone."""
    if people and len(short) == 1 < len(full):
        return short[0] == full[-1]
    return (
        len(short) == len(full)
        and short != full
        and any(one == other and len(one) > 1 for one, other in zip(short, full, strict=True))
        and all(_stands_for(one, other) for one, other in zip(short, full, strict=True))
        and (short[-1] == full[-1] or short[-1].endswith(".") or _contracts(short[-1], full[-1]))
    )


def _stands_for(one: str, other: str) -> bool:
    cut = one.endswith(".") and other.startswith(one[:-1])
    return cut or one in {other, other[:1], f"{other}."} or _contracts(one, other)


def _contracts(one: str, other: str) -> bool:
    """Tell whether a word is most consonants of another: `Bd` of `Board`, `Cncl` of `Council`."""
    bare = one.rstrip(".")
    ends = bare[:1] == other[:1] and bare[-1:] == other[-1:]
    consonants = sum(each not in _VOWELS for each in other)
    most = 1 < _MOST * consonants <= len(bare) and len(other) > len(bare) + 1
    return ends and most and not _VOWELS & {*bare} and _in_order(bare, other)
