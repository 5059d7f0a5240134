"""LIKE without case in all of Unicode, and in time that no pattern can make explode."""

from collections import defaultdict
from functools import lru_cache
from typing import Final

from agent.errors import QueryError
from tools.records.folding import folded

__all__ = ("like",)

_ANY: Final = None
"""Stands for `_` in a piece of a pattern: any one character."""

_MOST: Final = 1_000
"""Characters of a pattern; SQLite's own limit does not hold for a function that replaces its."""

Piece = tuple[str | None, ...]


def like(pattern: object, text: object, escape: str | None = None) -> bool | None:
    """Tell whether a text is like a pattern of `%` (any characters) and `_` (any one).

    SQLite's own function tries every place for every `%`, which is exponential; here the pieces
    between them are found one after another, each as early as can be, in time linear in the text.

    >>> like("%café", "Grand CAFÉ"), like("_og", "dog"), like("d_", "dog"), like("%", None)
    (True, True, False, None)

    Raises:
        QueryError: the pattern is longer than 1,000 characters.
    """
    if pattern is None or text is None:
        return None
    if len(str(pattern)) > _MOST:
        raise QueryError(f"a pattern of LIKE has at most {_MOST:,} characters; shorten it")
    pieces = _pieces(folded(str(pattern)), escape)
    return _matches(folded(str(text)), pieces)


@lru_cache(maxsize=256)
def _pieces(pattern: str, escape: str | None) -> tuple[Piece, ...]:
    pieces: list[list[str | None]] = [[]]
    symbols = iter(pattern)
    for symbol in symbols:
        if escape is not None and symbol == escape:
            pieces[-1].append(next(symbols, symbol))
        elif symbol == "%":
            pieces.append([])
        else:
            pieces[-1].append(_ANY if symbol == "_" else symbol)
    return tuple(tuple(piece) for piece in pieces)


def _matches(text: str, pieces: tuple[Piece, ...]) -> bool:
    first, last = pieces[0], pieces[-1]
    if len(pieces) == 1:
        return len(text) == len(first) and _stands(first, text, 0)
    if len(text) < len(first) + len(last):
        return False
    end = len(text) - len(last)
    if not (_stands(first, text, 0) and _stands(last, text, end)):
        return False
    position = len(first)
    for piece in pieces[1:-1]:
        position = _found(piece, text, position, end)
        if position < 0:
            return False
    return True


def _stands(piece: Piece, text: str, at: int) -> bool:
    return all(want is _ANY or want == text[at + place] for place, want in enumerate(piece))


def _found(piece: Piece, text: str, start: int, end: int) -> int:
    """Return where the piece's first occurrence ends, -1 where there is none."""
    if _ANY not in piece:
        whole = "".join(symbol or "" for symbol in piece)
        at = text.find(whole, start, end)
        return -1 if at < 0 else at + len(whole)
    return _shifted(piece, text, start, end)


def _shifted(piece: Piece, text: str, start: int, end: int) -> int:
    """Find a piece that holds `_` by Shift-And: bit n tells that n + 1 of its symbols stand."""
    masks = _masks(piece)
    last = 1 << (len(piece) - 1)
    standing = 0
    for place in range(start, end):
        standing = (standing << 1 | 1) & masks[text[place]]
        if standing & last:
            return place + 1
    return -1


def _masks(piece: Piece) -> dict[str, int]:
    """Return for each character which symbols of a piece it can be."""
    anywhere = sum(1 << place for place, want in enumerate(piece) if want is _ANY)
    masks: dict[str, int] = defaultdict(lambda: anywhere)
    for place, want in enumerate(piece):
        if want is not _ANY:
            masks[want] |= 1 << place
    return masks
