"""A name taken apart: the form by which two mentions are compared."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tools.alignment.legal_forms import split_legal
from tools.alignment.numerals import decimal, is_number, roman
from tools.alignment.spelling import folded, single_spaced, spelt_out

__all__ = ("SMALL", "Name", "parsed")

_SMALL: Final = (
    "the a an of and for in on to at de la le les el los das do da du des der die del di und et y e"
    " von van"
)
SMALL: Final = frozenset(_SMALL.split())
"""Words that acronyms and short forms leave out."""
_TITLES: Final = {
    "mr": "m", "sir": "m", "herr": "m", "monsieur": "m", "senor": "m", "lord": "m", "mrs": "f",
    "ms": "f", "miss": "f", "dame": "f", "frau": "f", "mme": "f", "madame": "f", "mlle": "f",
    "senora": "f", "lady": "f", "dr": "", "prof": "", "professor": "", "doctor": "", "rev": "",
    "hon": "", "judge": "", "justice": "",
}  # fmt: skip
_AFTER: Final = "phd md esq jd mba cpa dphil obe cbe mbe kcb qc kc"
_AND: Final = ("und", "et", "och", "og", "en")
_GENERATIONS: Final = {"jr": "junior", "junior": "junior", "sr": "senior", "senior": "senior"}
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_TOKEN: Final = re.compile(
    r"(?:[^\W\d_]\.){2,}(?:[^\W\d_]\b)?|[^\W\d_](?:[/][^\W\d_])+\b|\d+(?:[.:/]\d+)*(?:st|nd|rd|th)?"
    r"|(?:[^\W\d_]['’]?)+[+#]*|[+#]+"
)
_VERSION: Final = re.compile(r"\b[vV](?:er(?:sion)?)?\.?\s?(?=\d)")
_AMPERSAND: Final = re.compile(r"[&＆]")
_MARKED: Final = re.compile(r"[./]|^[^\W\d_]*[A-ZÀ-ÞЀ-Я]{2}|[a-z][A-Z]")
_INVERTED: Final = re.compile(r"([^,]+),\s*([^,]+)")
_GLOSS: Final = re.compile(r"(?P<name>.*\S)\s*[(（](?P<gloss>[^()（）]+)[)）]\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A name without case, diacritics, punctuation, article, title and legal form."""

    text: str
    words: tuple[str, ...]
    """What names: folded, numbers in digits, initials as one word however they are spaced."""
    spelt_out: tuple[str, ...]
    """The same with umlauts as two letters."""
    inverted: tuple[str, ...]
    """`Smith, John` as `john smith`; empty without a comma."""
    every: tuple[str, ...]
    """All words, legal forms and titles included."""
    letters: frozenset[str]
    """Words that may be acronyms or initials: capitals or single letters."""
    legal: tuple[str, ...] = ()
    """The legal forms, in one spelling."""
    title: str = ""
    """m or f where a title tells."""
    generation: str = ""
    """`junior` or `senior`."""
    numbers: tuple[str, ...] = ()
    """Its numbers, versions, numerals and last single letter, sorted."""
    gloss: str = ""
    """Its acronym, where it gives that in parentheses: folded."""


@lru_cache(maxsize=65536)
def parsed(text: str) -> Name:
    """Return the name taken apart.

    >>> parsed("The Müller & Söhne, Inc.").words, parsed("Henry VIII").numbers
    (('muller', 'and', 'sohne'), ('8',))
    >>> parsed("U.S. Bank").words == parsed("US Bank").words
    True
    """
    found = _GLOSS.fullmatch(text)
    name, gloss = (found["name"], found["gloss"]) if found else (text, "")
    if gloss and not _stands_for(gloss, name):
        name, gloss = text, ""
    every, marked, letters = _tokens(name)
    kept, marks, title = _untitled(every, marked)
    generation = _GENERATIONS.get(kept[-1], "") if len(kept) > 2 else ""
    if generation:
        kept, marks = kept[:-1], marks[:-1]
    words, legal = split_legal(kept, marks)
    words = _without_article(words) or (single_spaced(folded(text)) or " ",)
    inverted = _inverted(name, words, legal)
    return Name(
        text=text,
        words=words,
        spelt_out=_spelt_out(name, words),
        inverted=inverted,
        every=tuple(every),
        letters=letters,
        legal=legal,
        title=title,
        generation=generation,
        numbers=_numbers(words, inverted=bool(inverted)),
        gloss=folded(gloss).replace(".", "").strip(),
    )


def _tokens(name: str) -> tuple[list[str], list[bool], frozenset[str]]:
    """Return the folded words, which of them are written as abbreviations, and likely acronyms."""
    plain = _VERSION.sub(" ", _AMPERSAND.sub(" and ", _THOUSANDS.sub("", name)))
    raw = [each for each in _TOKEN.findall(plain) if each]
    mixed = any(map(str.islower, plain)) and any(map(str.isupper, plain))
    alone = sum(token[0].isalpha() for token in raw) == 1
    words: list[str] = []
    marked: list[bool] = []
    letters: set[str] = set()
    run = False
    for at, token in enumerate(raw):
        numbered = at > 0 and (len(token) > 1 or (at + 1 == len(raw) and "," not in name))
        word = _word(token, numbered=numbered, mixed=mixed)
        single = len(token) == 1 and len(word) == 1 and word.isalpha()
        if single and run:
            words[-1] += word
            marked[-1] = True
            letters.add(words[-1])
        else:
            words.append(word)
            marked.append("." in token or "/" in token or (mixed and bool(_MARKED.search(token))))
        initial = single and (token.isupper() or word not in SMALL)
        if initial or "." in token or ((mixed or alone) and _is_capitals(token)):
            letters.add(words[-1])
        run = single or token.endswith(".")
    return words, marked, frozenset(letters)


def _word(token: str, *, numbered: bool, mixed: bool) -> str:
    """Return the token folded, in digits where it is a number; `numbered` lets letters be one."""
    word = folded(token)
    if is_number(word):
        return decimal(word.replace(":", ".").replace("/", "."))
    word = word.replace(".", "").replace("/", "").replace("'", "")
    word = "and" if word in _AND else _letter_name(word)
    if not numbered or (not token.isupper() and mixed and word not in {"ii", "iii"}):
        return decimal(word)
    return roman(word) or decimal(word)


def _letter_name(word: str) -> str:
    """Write out a Greek letter that stands alone: `α` is `alpha`."""
    described = unicodedata.name(word, "") if len(word) == 1 else ""
    greek = described.startswith("GREEK SMALL LETTER ") and " WITH " not in described
    return described.rsplit(" ", 1)[-1].casefold() if greek else word


def _is_capitals(token: str) -> bool:
    bare = token.replace(".", "")
    return 2 <= len(bare) <= 8 and sum(map(str.isupper, bare)) > len(bare) / 2


def _untitled(words: list[str], marked: list[bool]) -> tuple[list[str], list[bool], str]:
    """Leave out a first article, titles before and degrees after a name of two words or more."""
    start, end, title = int(len(words) > 1 and words[0] == "the"), len(words), ""
    while end - start > 2 and words[start] in _TITLES:
        title = _TITLES[words[start]] or title
        start += 1
    while end - start > 2 and words[end - 1] in _AFTER.split():
        end -= 1
    return words[start:end], marked[start:end], title


def _without_article(words: Sequence[str]) -> tuple[str, ...]:
    kept = tuple(word for word in words if word != "the")
    return kept or tuple(words)


def _spelt_out(name: str, words: tuple[str, ...]) -> tuple[str, ...]:
    changed = spelt_out(name)
    if changed == name:
        return words
    every, marked, _ = _tokens(changed)
    kept, marks, _ = _untitled(every, marked)
    return _without_article(split_legal(kept, marks)[0])


def _inverted(name: str, words: tuple[str, ...], legal: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of `Rossum, Guido van` as `guido van rossum`."""
    found = _INVERTED.fullmatch(name)
    if not found or legal:
        return ()
    family = len(_tokens(found[1])[0])
    given = _tokens(found[2])[0]
    if not given or family > 3 or len(given) > 3 or family + len(given) != len(words):
        return ()
    return (*words[family:], *words[:family])


def _numbers(words: tuple[str, ...], *, inverted: bool) -> tuple[str, ...]:
    """Return the numbers, and a last single letter that labels: `Class B`, not `P & G`."""
    found = [word for word in words if is_number(word)]
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    letter = len(last) == 1 and last.isalpha() and last.isascii()
    if letter and len(before) > 1 and before != "and" and not inverted:
        found.append(last)
    return tuple(sorted(found))


def _stands_for(short: str, long: str) -> bool:
    """Tell whether the short name has the first letters, or some words, of the long one."""
    letters = folded(short).replace(".", "").replace(" ", "")
    words = _tokens(long)[0]
    part = _tokens(short)[0]
    if part and set(part) < set(words):
        return True
    heads = "".join(word[0] for word in words)
    large = "".join(word[0] for word in words if word not in SMALL)
    return len(words) > 1 and letters in {heads, large}
