"""What texts say of names: `International Business Machines (IBM)`, `Istanbul, formerly …`."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from tools.alignment.spelling import folded

__all__ = ("stated_aliases",)

_OPEN: Final = re.compile(r"[(（]")
_MARK: Final = re.compile(
    r"[,;(]?\s*\b(?:also|formerly|previously|now|better|commonly|otherwise)\s+(?:known|called|named)"
    r"(?:\s+as)?\b|[,;(]?\s*\b(?:a\.?k\.?a\.?|[fnd]/[kb]/a|doing business as|trading as|abbreviated"
    r"(?:\s+as|\s+to)?|formerly|alias|auch bekannt als|ehemals|également connue? sous le nom de"
    r"|anciennement|también conocid[oa] como|noto come)(?!\w)",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"^(?:the|a|an|or|hereinafter|hereafter|herein|collectively|as|short|referred to as|abbreviated"
    r"|called|die|der|das|kurz|ci-après|le|la|el|en adelante)\s+",
    re.IGNORECASE,
)
_LONGEST: Final = 12


def stated_aliases(names: Iterable[str], quotes: Iterable[str]) -> Iterator[tuple[str, str, bool]]:
    """Yield each two names of which a text says that they are one, in the text's order.

    The third value is true where words say so (`also known as`, `formerly`), false where the
    second name only stands in parentheses after the first.
    """
    known: Mapping[tuple[str, ...], list[str]] = _known(names)
    for quote in dict.fromkeys(quotes):
        for match in _MARK.finditer(quote):
            yield from _beside(known, quote[: match.start()], quote[match.end() :], said=True)
        for match in _OPEN.finditer(quote):
            inner = re.split(r"[)）]", quote[match.end() :], maxsplit=1)[0]
            for part in dict.fromkeys((inner, *re.split(r"[,;]| or (?:the )?", inner))):
                yield from _beside(known, quote[: match.start()], part, said=False)


def _known(names: Iterable[str]) -> dict[tuple[str, ...], list[str]]:
    known: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in names:
        words = _words(name)
        known[words[1:] if words[:1] == ("the",) else words].append(name)
    known.pop((), None)
    return known


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W_]+", folded(text)))


def _beside(
    known: Mapping[tuple[str, ...], Sequence[str]], before: str, after: str, *, said: bool
) -> Iterator[tuple[str, str, bool]]:
    """Pair the longest name that ends the text before with the one that begins the text after."""
    while (shorter := _LEAD.sub("", after.lstrip(" \"'“”‘’«„,(").lstrip())) != after:
        after = shorter
    left = _words(before[-200:])[-_LONGEST:]
    right = _words(after[:200])[:_LONGEST]
    first = next((known[left[at:]] for at in range(len(left)) if left[at:] in known), ())
    whole = range(len(right), 0, -1) if said else range(len(right), len(right) - 1, -1)
    second = next((known[right[:end]] for end in whole if right[:end] in known), ())
    yield from ((one, two, said) for one in first for two in second if one != two)
