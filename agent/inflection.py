"""English word forms: singular and plural of nouns, British and American spelling."""

import re
from functools import lru_cache
from itertools import takewhile
from typing import Final

__all__ = ("american", "noun_forms", "plural", "singular")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PLURALS: Final = {
    "analysis": "analyses", "appendix": "appendices", "axis": "axes", "basis": "bases",
    "calf": "calves", "child": "children", "crisis": "crises", "criterion": "criteria",
    "curriculum": "curricula", "diagnosis": "diagnoses", "foot": "feet", "goose": "geese",
    "half": "halves", "hypothesis": "hypotheses", "index": "indices", "knife": "knives",
    "leaf": "leaves", "life": "lives", "loaf": "loaves", "man": "men", "matrix": "matrices",
    "medium": "media", "memorandum": "memoranda", "mouse": "mice", "ox": "oxen",
    "person": "people", "phenomenon": "phenomena", "quiz": "quizzes", "radius": "radii",
    "shelf": "shelves", "synopsis": "synopses", "synthesis": "syntheses", "thesis": "theses",
    "thief": "thieves", "tooth": "teeth", "vertex": "vertices", "wife": "wives",
    "wolf": "wolves", "woman": "women",
}  # fmt: skip
_SINGULARS: Final = {many: one for one, many in _PLURALS.items()}
_REGULAR_BESIDES: Final = _words("appendix curriculum index matrix memorandum person vertex")
"""Nouns with an irregular plural and a regular one: `indices`, `indexes`."""
_SAME: Final = _words(
    "aircraft always analytics chaos diabetes economics electronics ethics headquarters its"
    " logistics mathematics means news has perhaps physics politics series species statistics this"
    " was whereas yes"
)
"""Words that have no other number, although they end like a plural."""
_IN_S: Final = _words(
    "alias atlas bias bonus bus campus canvas census chorus circus consensus corpus focus gas"
    " genus iris lens minus nexus plus radius sinus status stimulus surplus virus"
)
"""Nouns in a single -s, whose plural is in -es."""
_IN_E: Final = _words(
    "ache avalanche axe birdie brownie cache calorie canoe cookie creche die headache hoe lie"
    " movie niche pie psyche rookie shoe tie toe zombie"
)
"""Nouns in -e before whose plural another rule would take the -e off."""
_IN_U: Final = _words("emu gnu guru menu thou")
_MAN: Final = re.compile(r"(?<=[a-z]{2})(?<!hu)(?<!ger)(?<!ro)(?<!tto)(?<!alis)m[ae]n\Z")
_HISSING: Final = re.compile(r"(?:s|x|z|ch|sh)\Z")
_CONSONANT_Y: Final = re.compile(r"(?<=[b-df-hj-np-tv-z])y\Z")
_WORD: Final = re.compile(r"[a-z]{2,}\Z")


@lru_cache(maxsize=65536)
def singular(noun: str) -> str:
    """Return the singular of an English plural, any other word as it is.

    >>> [singular(each) for each in ("companies", "people", "PEPs", "process", "clauses", "boxes")]
    ['company', 'person', 'PEP', 'process', 'clause', 'box']
    >>> [singular(each) for each in ("status", "analyses", "Movies", "viruses", "chairmen", "news")]
    ['status', 'analysis', 'Movie', 'virus', 'chairman', 'news']
    """
    low = noun.casefold()
    if low in _SINGULARS:
        return _cased_like(noun, _SINGULARS[low])
    if _MAN.search(low) and low[-2] == "e":
        return _cased_like(noun, f"{low[:-2]}an")
    return _cased_like(noun, _without_s(low))


def plural(noun: str) -> str:
    """Return the commonest plural of an English noun in the singular.

    >>> [plural(each) for each in ("company", "person", "lease", "tax", "status", "photo", "Key")]
    ['companies', 'people', 'leases', 'taxes', 'statuses', 'photos', 'Keys']
    """
    low = noun.casefold()
    if low in _SAME:
        return noun
    if low in _PLURALS:
        return _cased_like(noun, _PLURALS[low])
    if _MAN.search(low):
        return _cased_like(noun, f"{low[:-2]}en")
    return _cased_like(noun, _with_s(low))


@lru_cache(maxsize=65536)
def noun_forms(word: str) -> tuple[str, ...]:
    """Return a lower-cased word with its singular and its plurals.

    A word that is no noun has itself alone for a form that ever stands in a text.

    >>> noun_forms("cherries"), noun_forms("index"), noun_forms("hero")
    (('cherries', 'cherry'), ('index', 'indices', 'indexes'), ('hero', 'heros', 'heroes'))
    >>> noun_forms("organization"), noun_forms("2014")
    (('organization', 'organizations'), ('2014',))
    """
    if not _WORD.match(word):
        return (word,)
    one = singular(word)
    forms = [word, one, plural(one)]
    if one in _REGULAR_BESIDES:
        forms.append(_with_s(one))
    if one.endswith("o"):
        forms.append(f"{one}es")
    return tuple(dict.fromkeys(forms))


def _with_s(low: str) -> str:
    if low.endswith("sis"):
        return f"{low[:-2]}es"
    if _HISSING.search(low):
        return f"{low}es"
    return _CONSONANT_Y.sub("ie", low) + "s"


def _without_s(low: str) -> str:
    """Return a word without the ending of a regular plural."""
    bare = low[:-1]
    if low in _SAME or low in _IN_S or not low.endswith("s") or len(low) < 3:
        return low
    if bare in _IN_E or bare in _IN_U:
        return bare
    if low.endswith(("ss", "us", "is")):
        return low
    if low.endswith("ies") and len(low) > 4:
        return f"{low[:-3]}y"
    hissing = low.endswith(("sses", "xes", "zzes", "ches", "shes", "oes"))
    return low[:-2] if low[:-2] in _IN_S or hissing else bare


def _cased_like(noun: str, form: str) -> str:
    """Write a lower-cased form as the noun is written, as far as both are the same."""
    if noun.isupper() and len(noun) > 1:
        return form.upper()
    pairs = zip(noun.casefold(), form, strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return noun[:shared] + form[shared:] if noun[:shared].casefold() == form[:shared] else form


_INFLECTED: Final = r"(?=(?:s|ed|ing|er|ers|ful|al|ist)?\Z)"
_SPELLINGS: Final = tuple(
    (re.compile(pattern), other)
    for pattern, other in (
        (r"isation(?=s?\Z)", "ization"),
        (r"is(?=(?:e|es|ed|ing|er|ers)\Z)", "iz"),
        (r"ys(?=(?:e|es|ed|ing)\Z)", "yz"),
        (rf"our{_INFLECTED}", "or"),
        (r"ence(?=s?\Z)", "ense"),
        (r"([aeiou][^aeiou]{1,3}[aeiou])ll(?=(?:s|ed|ing|er|ers|ment)?\Z)", r"\1l"),
        (r"(?<=[bt])re(?=s?\Z)", "er"),
        (r"(?<=[ao])gue(?=s?\Z)", "g"),
        (r"(?<=m)me(?=s?\Z)", ""),
        (r"(?<=\w)ae(?=\w)", "e"),
    )
)
_ANY: Final = re.compile("|".join(pattern.pattern for pattern, _ in _SPELLINGS))
"""Most words have one spelling: they are told by a single search."""
_SHORTEST: Final = 6


@lru_cache(maxsize=65536)
def american(word: str) -> str:
    """Return a lower-cased word spelt as in American English, whether or not a word.

    It serves as a key: both spellings of a word have the same, few different words share one.

    >>> american("licence"), american("organised"), american("colours"), american("party")
    ('license', 'organized', 'colors', 'party')
    """
    if len(word) < _SHORTEST or not _ANY.search(word):
        return word
    for pattern, other in _SPELLINGS:
        changed = pattern.sub(other, word)
        if changed != word and len(changed) >= _SHORTEST - 1:
            return changed
    return word
