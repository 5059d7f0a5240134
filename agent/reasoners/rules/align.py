"""Decide by rule whether two names mean the same entity; what no rule settles is not the same."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final, cast

from agent.reasoners.rules.word_set import word_set
from agent.reasoners.rules.words import stem
from agent.replies import AlignReply, PairReply

__all__ = ("align", "same_name")

_WORD: Final = re.compile(r"[^\W_]+")
_POSSESSIVE: Final = re.compile(r"['’]s\b|['’]")
_LEGAL_FORMS: Final = word_set(
    "inc incorporated corp corporation company co ltd limited llc llp lp plc gmbh ag kg sa sas "
    "sarl srl spa bv nv oy ab as aps pty pte"
)
_TITLES: Final = word_set("mr mrs ms miss dr prof professor sir")
_SMALL: Final = word_set("the a an of and for de in on to")
_LAND: Final = word_set(
    "state commonwealth province republic kingdom city county territory canton district"
)


def align(values: Mapping[str, object]) -> AlignReply:
    """Return for each pair whether a rule shows that both names are the same.

    Args:
        values: of the prompt `align`: entity_type, pairs.
    """
    pairs = cast("Sequence[tuple[str, str]]", values["pairs"])
    replies: list[PairReply] = []
    for number, (left, right) in enumerate(pairs, start=1):
        reason = same_name(left, right)
        same = reason is not None
        replies.append(PairReply(pair=number, reason=reason or "no rule equates them", same=same))
    return AlignReply(pairs=replies)


def same_name(left: str, right: str) -> str | None:
    """Return the rule by which two names are the same, or None.

    Names whose numbers differ are never the same.

    >>> same_name("Acme, Inc.", "ACME"), same_name("PEP 484", "PEP 585")
    ('equal but for case, marks and legal form', None)
    """
    one, other = _words(left), _words(right)
    if not one or not other or _numbers(one) != _numbers(other):
        return None
    bare, rest = _bare(one), _bare(other)
    common = left.islower() and right.islower()
    rules = (
        (bare == rest, "equal but for case, marks and legal form"),
        (_inverted(left) == other or _inverted(right) == one, "the family name stands first"),
        (_is_acronym(left, other) or _is_acronym(right, one), "one is the other's initials"),
        (_initials_fit(bare, rest), "given names stand as initials"),
        (common and [*map(stem, bare)] == [*map(stem, rest)], "the same word inflected"),
    )
    return next((reason for applies, reason in rules if applies), None)


def _words(name: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", _POSSESSIVE.sub("", name).replace("&", " and "))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return _WORD.findall(letters.casefold())


def _numbers(words: Sequence[str]) -> list[str]:
    return [word.lstrip("0") or "0" for word in words if any(sign.isdigit() for sign in word)]


def _bare(words: Sequence[str]) -> list[str]:
    """Leave out the article, titles, trailing legal forms, and `State of` before a place."""
    kept = [word for word in words if word not in _TITLES and word != "the"]
    while len(kept) > 1 and kept[-1] in _LEGAL_FORMS:
        kept.pop()
    if len(kept) > 2 and kept[0] in _LAND and kept[1] == "of":
        kept = kept[2:]
    return kept or list(words)


def _inverted(name: str) -> list[str]:
    """Return the words of `Rossum, Guido van` as `guido van rossum`."""
    family, comma, given = name.partition(",")
    return [*_words(given), *_words(family)] if comma and given.strip() else []


def _is_acronym(name: str, words: Sequence[str]) -> bool:
    letters = "".join(letter for letter in name if letter.isalpha())
    if not (2 <= len(letters) <= 8 and letters.isupper()):
        return False
    full = [word for word in words if not word.isdigit()]
    initials = ["".join(word[0] for word in each) for each in (full, _content(full))]
    return len(full) > 1 and letters.casefold() in initials


def _content(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in _SMALL and word not in _LEGAL_FORMS]


def _initials_fit(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two personal names agree, one of them with given names as initials."""
    if len(one) != len(other) or len(one) < 2 or one[-1] != other[-1] or len(one[-1]) < 3:
        return False
    pairs = list(zip(one[:-1], other[:-1], strict=True))
    initial = any(min(len(a), len(b)) == 1 for a, b in pairs)
    return initial and all(a == b or (min(len(a), len(b)) == 1 and a[0] == b[0]) for a, b in pairs)
