"""Names of kinds and attributes against the words of a question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from agent.reasoners.rules.language.units import is_unit
from agent.reasoners.rules.language.words import FUNCTION_WORDS, akin, singular, stem, word_set
from agent.reasoners.rules.records.querying.irregular import is_past, present

__all__ = (
    "IDENTIFYING",
    "SILENT",
    "Form",
    "alike",
    "forms_of",
    "matched",
    "name_words",
    "root",
    "verbal",
)

SILENT: Final = FUNCTION_WORDS - {"total"}
"""Function words that do not tell one name from another."""

IDENTIFYING: Final = word_set("id identifier code number num no nr key name title")
"""Last words of a name that say how a thing is told apart, not what it is."""
_SHORTENED: Final = {
    "num": "number", "no": "number", "nr": "number", "nbr": "number", "qty": "quantity",
    "amt": "amount", "desc": "description", "avg": "average", "pct": "percentage",
    "percent": "percentage", "addr": "address", "dept": "department", "emp": "employee",
    "cust": "customer", "prod": "product", "cat": "category", "loc": "location", "tel": "phone",
    "dob": "birth", "ref": "reference", "info": "information", "gov": "government",
    "proportion": "ratio", "share": "ratio", "percentage": "ratio", "gender": "sex",
    "intl": "international", "org": "organization", "temp": "temperature", "max": "maximum",
    "min": "minimum", "yr": "year", "telephone": "phone", "kind": "type",
    "born": "birth", "died": "death", "latest": "last",
}  # fmt: skip
"""Common abbreviations and equivalents, each with the word it is compared as."""
_SINGULAR_IN_S: Final = word_set("lens series species news means")


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write a name."""

    words: tuple[str, ...]
    strength: float
    """1 for the name as it is, less where parts of it are left out."""
    head: int
    """Which of the words is the noun that the others describe."""
    own: tuple[int, ...] = ()
    """Which of the words say more than the name of the kind."""


@lru_cache(maxsize=65536)
def alike(one: str, other: str) -> float:
    """Return how surely two words are one: 1 for inflections, less for words of one root, or 0.

    >>> alike("injuries", "injured") > 0, alike("number", "num"), alike("visit", "visitors")
    (True, 1.0, 0.85)
    """
    a, b = (_plain(word) for word in (one, other))
    if a == b or stem(a) == stem(b):
        return 1.0
    if b in {f"{a}er", f"{a}{a[-1:]}er"} or a in {f"{b}er", f"{b}{b[-1:]}er"}:
        return 0.85
    if akin(a, b) or (len(a) > 5 and a.endswith("y") and akin(a[:-1], b)):
        return 0.85
    return 0.85 if len(b) > 5 and b.endswith("y") and akin(a, b[:-1]) else 0.0


@lru_cache(maxsize=65536)
def root(word: str) -> str:
    """Return what all words have in common that are alike for sure.

    >>> root("customers") == root("cust"), root("lenses") == root("lens")
    (True, True)
    """
    return stem(_plain(word))


def _plain(word: str) -> str:
    low = word.casefold()
    whole = low in _SINGULAR_IN_S
    bare = low if whole else low[:-2] if low[:-2] in _SINGULAR_IN_S else singular(low)
    return present(_SHORTENED.get(bare, bare))


def verbal(word: str) -> bool:
    """Tell whether a word has the form of a participle: `opened`, `sold`."""
    return word.endswith(("ed", "ing")) or is_past(word)


def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a name or label without what stands in parentheses.

    >>> name_words("debt_to_assets_ratio"), name_words("Margin (profit / revenue)")
    (('debt', 'to', 'assets', 'ratio'), ('margin',))
    """
    bare = re.sub(r"\(.*\)", " ", name) or name
    words = re.findall(r"[^\W_]+(?:['’][^\W_]+)*", bare.casefold())
    return tuple(re.sub(r"['’]s?$", "", word) for word in words)


def forms_of(words: Sequence[str], owner: Sequence[str]) -> list[Form]:
    """Return the ways to write an attribute's name: whole, without its kind, its unit, its `id`."""
    whole, head = _content(words)
    found = {whole: Form(whole, 1.0, head, _own(whole, owner))}
    for shorter, strength in (
        (_without_owner(whole, owner), 0.95),
        (_without_unit(words), 0.95),
        (_without_ending(whole), 0.85),
        (_without_ending(_without_owner(whole, owner)), 0.85),
    ):
        if shorter and shorter not in found:
            found[shorter] = Form(shorter, strength, len(shorter) - 1, _own(shorter, owner))
    if owner:
        for form in [each for each in found.values() if each.words and not verbal(each.words[-1])]:
            owned = (owner[-1], *form.words)
            own = tuple(at + 1 for at in form.own or range(len(form.words)))
            found.setdefault(owned, Form(owned, form.strength - 0.03, len(owned) - 1, own))
    return list(found.values())


def _content(words: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """Return the words that say something, and which is the head: the one before `of`, or last."""
    kept = [word for word in words if word not in SILENT] or list(words)
    head = len(kept) - 1
    if "of" in words and words.index("of"):
        before = words[words.index("of") - 1]
        head = kept.index(before) if before in kept else head
    return tuple(kept), head


def _own(words: Sequence[str], owner: Sequence[str]) -> tuple[int, ...]:
    """Return which words say more than the kind's name does."""
    return tuple(
        at for at, word in enumerate(words) if not any(alike(word, each) for each in owner)
    )


def _without_owner(words: tuple[str, ...], owner: Sequence[str]) -> tuple[str, ...]:
    rest = tuple(word for word in words if not any(alike(word, each) >= 1 for each in owner))
    return rest if rest != words else ()


def _without_unit(words: Sequence[str]) -> tuple[str, ...]:
    """Return `gross` of `gross in dollar`, `length` of `length mm`."""
    kept = list(words)
    while len(kept) > 1 and is_unit(kept[-1]):
        kept.pop()
        if len(kept) > 1 and kept[-1] in {"in", "per"}:
            kept.pop()
    return _content(kept)[0] if len(kept) < len(words) else ()


def _without_ending(words: tuple[str, ...]) -> tuple[str, ...]:
    kept = words
    while len(kept) > 1 and kept[-1] in IDENTIFYING:
        kept = kept[:-1]
    return kept if len(kept) < len(words) else ()


def matched(words: Sequence[str], form: Form, *, ordered: bool = True) -> float:
    """Return how surely the words of a question stand for a name so written, from 0 to 1.

    Every word must be one of the form's, in its order unless told otherwise. Where some of the
    form's words are not said, the match is partial: below 0.75, and lower without its head.
    """
    left = list(range(len(form.words)))
    surest, last = 1.0, -1
    for word in words:
        fits = [(alike(word, form.words[at]), -at) for at in left if at > last or not ordered]
        best, at = max(fits, default=(0.0, 1))
        if best <= 0:
            return 0.0
        left.remove(-at)
        last = -at
        surest = min(surest, best)
    surest = 0.5 + surest / 2
    if not left:
        return form.strength * surest
    if form.own and set(form.own) <= set(left):
        return 0.0
    share = len(words) / len(form.words)
    base = 0.42 + 0.32 * share if form.head not in left else 0.3 + 0.3 * share
    return base * form.strength * surest
