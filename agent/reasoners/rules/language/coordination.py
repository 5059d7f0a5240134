"""What an `or` joins: a phrase with alternatives is written out as several phrases."""

from collections.abc import Callable, Sequence
from typing import Final

from agent.reasoners.rules.language.word_set import word_set
from agent.reasoners.rules.language.words import FUNCTION_WORDS

__all__ = ("alternatives",)

_ARTICLES: Final = frozenset({"a", "an", "the"})
_BOUNDS: Final = word_set(", ; that when if who which while where unless because whether")
_MOST: Final = 24


def alternatives(words: Sequence[str]) -> list[list[str]]:
    """Write out a phrase's alternatives, at most 24, each a phrase of its own.

    The right member of an `or` is as long as its parallel allows: a repeated first word
    (`from A or from B`), two articles (`a fee or a consent`), two forms in -ing; else it is one
    word. What stands before and behind both members belongs to each of them.

    >>> [" ".join(each) for each in alternatives("audit books , records or rooms".split())]
    ['audit records', 'audit rooms', 'audit books']
    """
    return _written_out(list(words))[:_MOST]


def _written_out(words: list[str]) -> list[list[str]]:
    where = [place for place, word in enumerate(words) if word.lower() == "or"]
    if not where:
        return [words]
    left, right = words[: where[-1]], words[where[-1] + 1 :]
    while left and left[-1] == ",":
        left.pop()
    if not left or not right:
        return _written_out(left + right)
    begin, size = _members(left, right)
    before, after = left[:begin], right[size:]
    members = [left[begin:], right[:size]]
    before = _more_members(before, members, right[0].lower())
    return [phrase for member in members for phrase in _written_out(before + member + after)]


def _members(left: Sequence[str], right: Sequence[str]) -> tuple[int, int]:
    """Return where the left member begins and how many words the right one has."""
    first = right[0].lower()
    size = next((n for n, word in enumerate(right) if n and word.lower() in _BOUNDS), len(right))
    if first in _ARTICLES:
        begin = _last(left, lambda word: word in _ARTICLES)
        return (_same_length(left, right[:size]) if begin is None else begin), size
    begin = _last(left, lambda word: word == first)
    if begin is None and _is_participle(first):
        begin = _last(left, _is_participle)
        begin = None if begin == len(left) - 1 else begin
    return (len(left) - 1, 1) if begin is None else (begin, size)


def _more_members(before: list[str], members: list[list[str]], first: str) -> list[str]:
    """Move earlier members of a list (`A, B or C`) over to the members; return what is left."""
    single = len(members[1]) == 1
    while before and before[-1] == ",":
        listed = before[:-1]
        begin = len(listed) - 1 if single else _last(listed, lambda word: word == first)
        if begin is None or begin < 0 or "," in listed[begin:]:
            break
        members.append(listed[begin:])
        before = listed[:begin]
    return before


def _last(words: Sequence[str], fits: Callable[[str], bool]) -> int | None:
    for place in range(len(words) - 1, -1, -1):
        word = words[place].lower()
        if word in {";", "or"}:
            return None
        if fits(word):
            return place
    return None


def _same_length(left: Sequence[str], right: Sequence[str]) -> int:
    """Return where the left member begins if it has as many content words as the right one."""
    wanted = sum(word.lower() not in FUNCTION_WORDS for word in right)
    place = len(left)
    while place and wanted:
        place -= 1
        wanted -= left[place].lower() not in FUNCTION_WORDS
    return place


def _is_participle(word: str) -> bool:
    return len(word) > 4 and word.endswith("ing")
