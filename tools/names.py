"""What a name is once its spelling is set aside: the form by which two mentions are compared."""

import re
import unicodedata
from dataclasses import dataclass

__all__ = ("NormalName", "initials", "normal", "numbers", "single_spaced")

_LEGAL_FORMS = {
    "inc": "inc", "incorporated": "inc", "corp": "corp", "corporation": "corp",
    "co": "co", "company": "co", "ltd": "ltd", "limited": "ltd", "llc": "llc", "llp": "llp",
    "lp": "lp", "plc": "plc", "gmbh": "gmbh", "ag": "ag", "kg": "kg", "kgaa": "kgaa", "se": "se",
    "sa": "sa", "sas": "sas", "sarl": "sarl", "spa": "spa", "srl": "srl", "nv": "nv", "bv": "bv",
    "oy": "oy", "oyj": "oy", "ab": "ab", "aps": "aps", "pty": "pty", "pte": "pte", "kk": "kk",
}  # fmt: skip
_SMALL = {"the", "a", "an", "of", "and", "for", "in", "on", "to", "de", "la", "du", "des", "und"}
_ROMAN = re.compile(r"(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3})")
_NUMBER = re.compile(r"\d+(?:[.:/-]\d+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_INNER = re.compile(r"(?<=\d)[.:/](?=\d)")
_POSSESSIVE = re.compile(r"['’]s\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, order=True)
class NormalName:
    """A name without case, diacritics, punctuation, article and legal form."""

    words: tuple[str, ...]
    legal: tuple[str, ...]
    """The legal forms it ends with, in one spelling: `Corporation` is `corp`."""
    numbers: tuple[str, ...]
    """Its numbers, versions, numerals and last single letter: names that differ here differ."""


def normal(name: str) -> NormalName:
    """Return the name's normal form.

    Initials are one word however they are spaced (`J. R. R.` is `jrr`), `&` is `and`, and the signs
    that part names of programs (`C`, `C++`, `C#`) count as letters.

    >>> normal("The Müller & Söhne, Inc.").words
    ('muller', 'and', 'sohne')
    >>> normal("U.S. Bank") == normal("US Bank")
    True
    """
    words = _joined_initials(_words(name))
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    legal: list[str] = []
    while len(words) > 1 and words[-1] in _LEGAL_FORMS:
        legal.insert(0, _LEGAL_FORMS[words.pop()])
    if not words:
        words = [single_spaced(name).casefold()]
    return NormalName(tuple(words), tuple(legal), numbers(name))


def numbers(name: str) -> tuple[str, ...]:
    """Return what numbers a name: digits, versions, Roman numerals, a last single letter.

    >>> numbers("PEP 0484"), numbers("Python 3.10"), numbers("Henry VIII"), numbers("Class B")
    (('484',), ('3.10',), ('VIII',), ('B',))
    """
    words = re.findall(r"[^\W_]+(?:[.:/-]\d+)*", _THOUSANDS.sub("", name))
    found = [_plain_number(each) for each in _NUMBER.findall(words[0])] if words else []
    for word in words[1:]:
        if _ROMAN.fullmatch(word) and len(word) > 1:
            found.append(word)
        found.extend(map(_plain_number, _NUMBER.findall(word)))
    last_letter = len(words) > 1 and re.fullmatch(r"[A-Z]", words[-1])
    if last_letter and len(words[-2]) > 1 and "," not in name:
        found.append(words[-1])
    return tuple(found)


def initials(words: tuple[str, ...]) -> frozenset[str]:
    """Return the acronyms that words can have: of all words, and of all but the small ones.

    >>> sorted(initials(("bureau", "of", "labor", "statistics")))
    ['bls', 'bols']
    """
    large = [word for word in words if word not in _SMALL]
    return frozenset("".join(word[0] for word in chosen) for chosen in (words, large))


def single_spaced(name: str) -> str:
    """Return the name with single spaces and none at its ends."""
    return " ".join(name.split())


def _words(name: str) -> list[str]:
    decomposed = unicodedata.normalize("NFKD", _POSSESSIVE.sub("", name).replace("&", " and "))
    bare = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    guarded = _INNER.sub("\0", _THOUSANDS.sub("", bare.casefold()))
    words = re.findall(r"[^\W_]+(?:\0[^\W_]+)*[+#]*|[+#]+", guarded)
    return [_plain_number(word.replace("\0", ".")) for word in words]


def _plain_number(word: str) -> str:
    """Drop leading zeros: `0484` is `484`."""
    return (word.lstrip("0") or "0") if word.isdecimal() else word


def _joined_initials(words: list[str]) -> list[str]:
    joined: list[str] = []
    open_run = False
    for word in words:
        single = len(word) == 1 and word.isalpha()
        if single and open_run:
            joined[-1] += word
        else:
            joined.append(word)
        open_run = single
    return joined
