"""General English words of degree, and what the plainest of them measure."""

from typing import Final

from agent.reasoners.rules.language.words import word_set

__all__ = ("AMOUNTS", "DEGREES", "SUPERLATIVES", "lasting", "measured_by", "points_up")

AMOUNTS: Final = word_set("many few several numerous large small big huge")
"""Words that say how many or how much."""

_DIMENSIONS: Final = (
    ("long lengthy", True, "length duration time pages words hours minutes days size downtime"),
    ("short brief", False, "length duration time pages words hours minutes days size"),
    ("quick fast rapid swift", False, "time duration minutes hours days seconds"),
    ("slow", True, "time duration minutes hours days seconds"),
    ("thick", True, "pages thickness length size"),
    ("thin", False, "pages thickness length size"),
    ("expensive costly pricey dear", True, "price cost fee rent charge amount value"),
    ("cheap inexpensive affordable", False, "price cost fee rent charge amount value"),
    ("large big huge sizable sizeable vast enormous", True,
     "size area number count amount capacity population length pages"),
    ("small tiny little", False, "size area number count amount capacity population length pages"),
    ("heavy", True, "weight mass"),
    ("light", False, "weight mass"),
    ("tall", True, "height"),
    ("deep", True, "depth"),
    ("shallow", False, "depth"),
    ("wide", True, "width"),
    ("narrow", False, "width"),
    ("high", True, "height altitude elevation level rate score"),
    ("low", False, "height altitude elevation level rate score"),
    ("popular", True, "votes rating views downloads stars sales visitors"),
    ("young", False, "age"),
)  # fmt: skip
_MEASURES: Final = {
    word: (up, tuple(measured.split()))
    for words, up, measured in _DIMENSIONS
    for word in words.split()
}
_OTHERS: Final = word_set(
    "many few several numerous high low major significant substantial considerable frequent "
    "frequently often rarely rare seldom senior junior heavily prolific strong weak serious severe "
    "mild complex complicated simple experienced widely highly extensive extensively rich poor "
    "good bad famous influential prominent notable important busy hard difficult easy "
    "intense intensive dense sparse elderly talented successful productive "
    "generous strict lenient moderate modest excessive massive hefty steep repeatedly "
    "regularly strongly badly severely seriously substantially considerably well-known hot cold "
    "warm cool crowded noisy remote"
)
_DOWN: Final = word_set("few low small rare seldom rarely junior weak mild simple sparse modest")
_LASTING: Final = word_set("term time level quality standard wing run end scale range speed")
"""Nouns that make a lasting compound with a word of degree: `long-term`, `high-level`."""

DEGREES: Final = frozenset(_MEASURES) | _OTHERS


SUPERLATIVES: Final = {
    form: word
    for word in _MEASURES
    for form in (f"{word}est", f"{word}st", f"{word[:-1]}iest", f"{word}{word[-1]}est")
}
"""Forms in `est`, regular and doubled, with the word of degree that they heighten."""


def lasting(word: str) -> bool:
    """Tell whether a word of degree and this noun make a fixed term.

    >>> lasting("term"), lasting("impact")
    (True, False)
    """
    return word in _LASTING


def measured_by(word: str) -> tuple[str, ...]:
    """Return the words for what a word of degree measures, where it tells.

    >>> measured_by("thick")[0], measured_by("serious")
    ('pages', ())
    """
    return _MEASURES.get(word, (True, ()))[1]


def points_up(word: str) -> bool:
    """Tell whether more of it satisfies the word: `long` and `many`, not `short` and `few`."""
    return _MEASURES[word][0] if word in _MEASURES else word not in _DOWN
