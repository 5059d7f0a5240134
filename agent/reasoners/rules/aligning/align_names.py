"""The rules by which two names are one, or are not; most pairs fall under none."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.reasoners.rules.language.spelling import american
from agent.reasoners.rules.language.word_set import word_set
from agent.reasoners.rules.language.words import stem

__all__ = ("Ruling", "ruling")

_WORD: Final = re.compile(r"[^\W_]+")
_MARKS: Final = re.compile(r"['’]s\b|['’]|(?<=\b[^\W\d_])\.(?=[^\W\d_]\b)")
_LEGAL_FORMS: Final = word_set(
    "inc incorporated corp corporation company co ltd limited llc llp lp plc gmbh ag kg sa sarl "
    "srl bv nv oy aps pty pte kk"
)
_SPELLINGS: Final = {
    "incorporated": "inc", "corporation": "corp", "company": "co", "limited": "ltd",
}  # fmt: skip
_TITLES: Final = word_set("mr mrs ms miss dr prof professor sir")
_SMALL: Final = word_set("the a an of and for de in on to at")
_LAND: Final = word_set(
    "state commonwealth province republic kingdom city county territory canton district"
)
_SIDES: Final = word_set(
    "north south east west northern southern eastern western northeast northwest southeast "
    "southwest upper lower inner outer central new old greater lesser left right former junior "
    "senior jr sr"
)
_SHORTEST_ACRONYM: Final = 3


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the rules say of a pair."""

    same: bool | None
    """None where no rule applies."""
    reason: str = ""
    short: str = ""
    """The name that is short for the other, which must fit no other name."""


def ruling(left: str, right: str) -> Ruling:
    """Return what the rules say of two names.

    >>> ruling("Acme Ltd", "ACME").same, ruling("PEP 484", "PEP 585").same
    (True, False)
    >>> ruling("Jon Smith", "John Smith").same is None
    True
    """
    one, other = _words(left), _words(right)
    if not one or not other:
        return Ruling(same=None)
    if _numbers(one) != _numbers(other):
        return _of_numbers(_numbers(one), _numbers(other))
    return (
        _denied(one, other, left, right) or _equated(one, other, left, right) or Ruling(same=None)
    )


def _of_numbers(one: Sequence[str], other: Sequence[str]) -> Ruling:
    """Deny names of different numbers; a year that only one gives decides nothing."""
    if not one or not other:
        year = [*one, *other]
        if len(year) == 1 and re.fullmatch(r"[12]\d{3}", year[0]):
            return Ruling(same=None)
    return Ruling(same=False, reason="the numbers differ")


def _denied(one: Sequence[str], other: Sequence[str], left: str, right: str) -> Ruling | None:
    """Return why two names are not the same, if a rule says so."""
    bare, rest = _bare(one), _bare(other)
    forms = [
        [_SPELLINGS.get(word, word) for word in words if word in _LEGAL_FORMS]
        for words in (one, other)
    ]
    if bare == rest and all(forms) and forms[0] != forms[1]:
        return Ruling(same=False, reason="different legal forms")
    short, long = sorted((set(bare), set(rest)), key=len)
    more = long - short
    if short < long and more & _SIDES:
        return Ruling(same=False, reason="a side, an age or a rank tells them apart")
    if short < long and left.islower() and right.islower() and not more <= _SMALL:
        return Ruling(same=False, reason="a further word makes another kind")
    apart = [pair for pair in zip(bare, rest, strict=False) if pair[0] != pair[1]]
    if len(bare) == len(rest) and len(apart) == 1 and _other_gender(*apart[0]):
        return Ruling(same=False, reason="forms of different gender")
    return None


def _other_gender(one: str, other: str) -> bool:
    """Tell whether two names differ only by the ending that many languages give women's names."""
    short, long = sorted((one, other), key=lambda word: (len(word), word))
    added = long == short + "a"
    return added or (
        len(one) == len(other) and one[:-1] == other[:-1] and {one[-1], other[-1]} == {"a", "o"}
    )


def _equated(one: Sequence[str], other: Sequence[str], left: str, right: str) -> Ruling | None:
    """Return why two names are the same, if a rule says so."""
    bare, rest = _bare(one), _bare(other)
    common = left.islower() and right.islower()
    plain = (
        (bare == rest, "equal but for case, marks and legal form"),
        (_content(bare) == _content(rest), "equal but for small words"),
        (_inverted(left) == other or _inverted(right) == one, "the family name stands first"),
        ([*map(american, bare)] == [*map(american, rest)], "British and American spelling"),
        (_swapped(bare, rest) and not common, "the family name stands first"),
        (common and [*map(stem, bare)] == [*map(stem, rest)], "the same word inflected"),
    )
    reason = next((reason for applies, reason in plain if applies), None)
    if reason is not None:
        return Ruling(same=True, reason=reason)
    for short, long, name in ((one, other, left), (other, one, right)):
        found = _shortened(name, short, long)
        if found:
            return Ruling(same=True, reason=found, short=name)
    return None


def _shortened(name: str, short: Sequence[str], long: Sequence[str]) -> str:
    """Return how the first name is short for the second, empty where it is not."""
    rules = (
        (_is_acronym(name, long), "one is the other's initials"),
        (_initials_fit(_bare(short), _bare(long)), "given names stand as initials"),
        (_middle_left_out(_bare(short), _bare(long)), "a middle name is left out"),
        (_abbreviated(name, _bare(short), _bare(long)), "a word is abbreviated"),
    )
    return next((reason for applies, reason in rules if applies), "")


def _words(name: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", _MARKS.sub("", name).replace("&", " and "))
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


def _content(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in _SMALL and word not in _LEGAL_FORMS]


def _inverted(name: str) -> list[str]:
    """Return the words of `Rossum, Guido van` as `guido van rossum`."""
    family, comma, given = name.partition(",")
    return [*_words(given), *_words(family)] if comma and given.strip() else []


def _swapped(one: Sequence[str], other: Sequence[str]) -> bool:
    return len(one) == 2 and list(one) == [*reversed(other)]


def _is_acronym(name: str, words: Sequence[str]) -> bool:
    parts = [part for part in re.findall(r"[^\W\d_]+", name) if part.casefold() not in _LEGAL_FORMS]
    letters = "".join(parts)
    if not (_SHORTEST_ACRONYM <= len(letters) <= 8 and letters.isupper()):
        return False
    full = [word for word in words if not word.isdigit()]
    initials = ["".join(word[0] for word in each) for each in (full, _bare(full), _content(full))]
    return len(full) > 1 and letters.casefold() in initials


def _initials_fit(short: Sequence[str], long: Sequence[str]) -> bool:
    """Tell whether given names of the first are initials of those of the second, in order."""
    if min(len(short), len(long)) < 2 or short[-1] != long[-1] or len(short[-1]) < 3:
        return False
    given = [*short[:-1]]
    if len(given) == 1 and len(given[0]) == len(long) - 1:
        given = [*given[0]]
    pairs = list(zip(given, long[:-1], strict=False))
    initial = any(len(a) < len(b) for a, b in pairs) and len(given) <= len(long) - 1
    return initial and all(a == b or (len(a) == 1 and a == b[0]) for a, b in pairs)


def _middle_left_out(short: Sequence[str], long: Sequence[str]) -> bool:
    """Tell whether two personal names differ by one initial between first and last."""
    if len(short) != 2 or len(long) != 3 or len(short[0]) < 2:
        return False
    return (short[0], short[1]) == (long[0], long[2]) and len(long[1]) == 1


def _abbreviated(name: str, short: Sequence[str], long: Sequence[str]) -> bool:
    """Tell whether one word is cut by a full stop and all others are equal."""
    if len(short) != len(long) or len(short) < 2:
        return False
    apart = [(a, b) for a, b in zip(short, long, strict=True) if a != b]
    if len(apart) != 1 or len(apart[0][0]) < 2:
        return False
    cut, full = apart[0]
    letters = iter(full)
    fits = full[0] == cut[0] and all(letter in letters for letter in cut)
    return fits and re.search(rf"\b{re.escape(cut)}\.", name, re.IGNORECASE) is not None
