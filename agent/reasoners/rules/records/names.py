"""Names of kinds and attributes from the words by which documents call them."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from agent.reasoners.rules.language.words import PREPOSITIONS, singular

__all__ = ("attribute_name", "is_beside", "kind_name", "plain_label", "unit_in_label", "unused")

_LONGEST: Final = 60
_ARTICLE: Final = re.compile(r"(?:the|a|an|its|their|his|her|our)\s+")
_BRACKETED: Final = re.compile(r"\s*[(\[](?P<inner>.*)[)\]]\s*\Z")
_UNIT: Final = re.compile(
    r"(?:in |per )?[^\W_°][^\W_]{0,11}[²³]?(?:[/ ][^\W_]{1,10}[²³]?){0,2}|[%°$€£¥]\w{0,2}"
)


@lru_cache(maxsize=65536)
def plain_label(label: str) -> str:
    """Return a label without case, emphasis, article, underscores and closing marks.

    >>> plain_label("**The  Annual_Rent**:")
    'annual rent'
    """
    words = re.sub(r"[\s_\-–—]+", " ", label.strip(" *_`:.\t")).casefold()
    return _ARTICLE.sub("", words, count=1) if _ARTICLE.match(words) else words


@lru_cache(maxsize=65536)
def attribute_name(label: str) -> str:
    """Return the name of the attribute that a label calls; empty where no letter is in it.

    What is in brackets at its end is left out; a number at its start goes to its end.

    >>> attribute_name("Gross margin (profit / revenue)"), attribute_name("100 m"), _ascii("Größe")
    ('gross_margin', 'm_100', 'grosse')
    """
    bare = _BRACKETED.sub("", label) or label
    words = re.findall(r"[a-z0-9]+", _ascii(re.sub(r"(?<=\w)['’](?=\w)|['’](?=\s|$)", "", bare)))
    while words and words[0][0].isdigit() and any(word[0].isalpha() for word in words):
        words.append(words.pop(0))
    if not words or not words[0][0].isalpha():
        return ""
    return "_".join(words)[:_LONGEST].strip("_")


def kind_name(head: str) -> str:
    """Return the name of a kind: its head's words, with the noun in the singular.

    >>> kind_name("Treatment Types"), kind_name("Departments of Works")
    ('treatment_type', 'department_of_works')
    """
    words = plain_label(head).split()
    if words:
        stops = (at for at, word in enumerate(words) if at and word in PREPOSITIONS)
        noun = next(stops, len(words)) - 1
        words[noun] = singular(words[noun])
    return attribute_name(" ".join(words))


def is_beside(label: str) -> bool:
    """Tell whether a label is none of a text's, but says where beside labels a value stands.

    >>> is_beside("(year of the sentence)"), is_beside("(of the document) Tenant"), is_beside("Age")
    (True, True, False)
    """
    return label.startswith("(")


def unit_in_label(label: str) -> str | None:
    """Return the unit that stands in brackets at the end of a label: `Size (m²)`."""
    found = _BRACKETED.search(label)
    inner = found["inner"].strip() if found else ""
    return inner.removeprefix("in ") if _UNIT.fullmatch(inner) else None


def unused(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number behind it where it is taken."""
    known = set(taken)
    if name not in known:
        return name
    return next(new for n in range(2, 10_000) if (new := f"{name[:54]}_{n}") not in known)


def _ascii(text: str) -> str:
    """Return the text in lower-case Latin letters without accents, as far as it can be."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("ß", "ss"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))
