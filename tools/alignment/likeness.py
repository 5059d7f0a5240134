"""Whether two words, or two names, can be one: by what they share and by what tells them apart."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from tools.alignment.name import SMALL, Name, acronym_of, initials, is_number, is_year

_EQUAL_SOUNDS: Final = frozenset(map(frozenset, ("ck", "iy", "sz", "vw", "fv")))
_LONGEST_CUT: Final = 5
_FIRST_IDEOGRAPH: Final = "\u2e80"


def possible(one: Name, other: Name, *, wide: bool = False) -> bool:
    """Tell whether two names may be one.

    They are not where their numbers, generations or titles contradict each other, nor where both
    have a word without counterpart in the other. With `wide`, numbers contradict nothing.
    """
    if contradictory(one, other, wide=wide):
        return False
    acronyms = acronym_of(one, other) or acronym_of(other, one)
    return _same_words(one, other) or acronyms or _fit(one, other, wide=wide)


def contradictory(one: Name, other: Name, *, wide: bool = False) -> bool:
    """Tell whether numbers, titles or generations differ, whatever a reader says of the names."""
    if not wide and _numbers_differ(one, other):
        return True
    return _differ(one.title, other.title) or _differ(one.generation, other.generation)


def conflict(one: Name, other: Name, *, wide: bool = False) -> bool:
    """Tell whether two names cannot stand in one entity because others connect them.

    Names that share no word (translations, nicknames) do not contradict each other; names that
    share one and have each a word of their own do, and so do two legal forms.
    """
    if contradictory(one, other, wide=wide):
        return True
    if one.legal and other.legal and one.legal != other.legal and not wide:
        return True
    shared = (set(one.words) & set(other.words)) - SMALL
    return bool(shared) and not possible(one, other, wide=wide)


def _differ(one: str, other: str) -> bool:
    return bool(one and other and one != other)


def _numbers_differ(one: Name, other: Name) -> bool:
    """Tell whether numbers differ; a year that only one of the names gives is no contradiction."""
    if one.numbers == other.numbers:
        return False
    left, right = Counter(one.numbers), Counter(other.numbers)
    return not all(map(is_year, (left - right) + (right - left))) or bool(
        (left - right) and (right - left)
    )


def _forms(name: Name) -> set[tuple[str, ...]]:
    return {form for form in (name.words, name.spelt_out, name.inverted) if form}


def _same_words(one: Name, other: Name) -> bool:
    """Tell whether names have the same words, be some of them written as one: `JPMorgan`."""
    if not _forms(one).isdisjoint(_forms(other)) or one.every == other.every:
        return True
    return "".join(one.words) == "".join(other.words) and not (one.numbers or other.numbers)


def _fit(one: Name, other: Name, *, wide: bool) -> bool:
    """Tell whether each word of the one that has fewer stands for words of the other."""
    return any(
        _covered(left, right, one.letters | other.letters, wide=wide)
        for left in _forms(one)
        for right in _forms(other)
    )


def _covered(
    left: Sequence[str], right: Sequence[str], letters: frozenset[str], *, wide: bool
) -> bool:
    more, less = (_rest(*each, letters, wide=wide) for each in ((left, right), (right, left)))
    shared = len(left) > len(more)
    short, long = sorted((more, less), key=lambda rest: (len(rest), rest))
    if not short:
        return any(word not in SMALL and len(word) > 1 for word in set(left) & set(right))
    if len(short) == 1 and short[0] in letters and shared and short[0] in initials(tuple(long)):
        return True
    if shared and _paired(_opened(short, long, letters), _opened(long, short, letters), _stands):
        return True
    fits = partial(_same_word, letters, shared=shared)
    return len(short) == len(long) and _paired(short, long, fits)


def _rest(
    words: Sequence[str], others: Sequence[str], letters: frozenset[str], *, wide: bool
) -> list[str]:
    """Return the words that the other name has not, in order, small ones left out."""
    left = Counter(others)
    rest = []
    for word in words:
        if left[word]:
            left[word] -= 1
        elif (word not in SMALL or word in letters) and not (wide and is_number(word)):
            rest.append(word)
    return rest


def _opened(short: Sequence[str], long: Sequence[str], letters: frozenset[str]) -> list[str]:
    """Write initials as single words: `jr` for `john robert`."""
    opened: list[str] = []
    for word in short:
        apart = word in letters and 1 < len(word) <= max(3, len(long)) and word not in long
        opened.extend(word if apart else [word])
    return opened


def _paired(short: Sequence[str], long: Sequence[str], fits: Callable[[str, str], bool]) -> bool:
    """Tell whether each word of the shorter fits a word of its own in the longer, in order."""
    if len(short) > len(long):
        short, long = long, short
    rest = iter(long)
    return all(any(fits(word, each) for each in rest) for word in short)


def _stands(one: str, other: str) -> bool:
    """Tell whether one word is an initial or an abbreviation of the other."""
    short, long = sorted((one, other), key=lambda word: (len(word), word))
    if one == other or _is_closed(short, long):
        return one == other
    return short[0] == long[0] and (len(short) == 1 or _abbreviates(short, long))


def _same_word(letters: frozenset[str], one: str, other: str, *, shared: bool) -> bool:
    """Tell whether two words may be one, also by a slip of the pen; acronyms have none."""
    short, long = sorted((one, other), key=lambda word: (len(word), word))
    if shared and _stands(one, other):
        return True
    capitals = short in letters and long in letters and len(long) < 6
    return not (capitals or _is_closed(short, long)) and _is_slip(short, long)


def _is_closed(one: str, other: str) -> bool:
    """Tell whether either is a number or in a script where a letter is a word."""
    return is_number(one) or is_number(other) or max(one, other) >= _FIRST_IDEOGRAPH


def _abbreviates(short: str, long: str) -> bool:
    """Tell whether a word leaves out letters of another, by at least two: `dept`, `univ`."""
    if len(long) < len(short) + 2:
        return False
    if long.startswith(short):
        return len(short) <= _LONGEST_CUT
    letters = iter(long)
    return short[-1] == long[-1] and all(letter in letters for letter in short)


def _is_slip(short: str, long: str) -> bool:
    """Tell whether one or, in long words, two letters differ.

    The first letter of a short word is hardly ever wrong, unless another sounds alike.
    """
    from rapidfuzz.distance import OSA

    first = frozenset((short[0], long[0]))
    if len(first) == 2 and len(short) < 9 and first not in _EQUAL_SOUNDS:
        return False
    most = 2 if len(short) > 8 else int(len(long) > 3)
    return OSA.distance(short, long, score_cutoff=most) <= most
