"""Chunks: spans of a text that a model judges at once, cut where the text itself pauses.

The spans cover the text: whatever is written is in at least one chunk.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from tools.corpus.chunking.paragraphs import (
    Heading,
    HeadingPath,
    Rank,
    Segment,
    blocks,
    run_in_heading,
    sentence_starts,
)
from tools.corpus.chunking.token_counts import count_tokens, token_starts

_NUMBER = r"(?:\(?(?:\d{1,3}|[a-z]|[ivx]{2,4})[.)]|\d+(?:\.\d+)+|(?:Section|Article)\s)"
_CLAUSE = re.compile(rf"\s*{_NUMBER}", re.IGNORECASE)
_Start = tuple[int, Rank, Heading | None]
"""Where a segment starts, how good a cut that is, and its heading."""
_TITLE_WITHIN = 8192
"""Characters at the top of a text of which a heading may name it."""


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the spans of sentences, clauses, headings and rows in order, but for white space."""
    spans = []
    for segment in segments(text):
        said = text[segment.start : segment.end]
        if bare := said.strip():
            first = segment.start + len(said) - len(said.lstrip())
            spans.append((first, first + len(bare)))
    return spans


def segments(text: str) -> list[Segment]:
    """Return the segments of a text, which they cover without gap or overlap."""
    starts, stop = list(_starts(text)), len(text)
    if starts and starts[-1][0] == stop:
        starts.pop()
    if not starts:
        return [Segment(0, stop, Rank.PARAGRAPH)] if stop else []
    firsts, ranks, headings = zip(*starts, strict=True)
    return list(map(Segment, (0, *firsts[1:]), (*firsts[1:], stop), ranks, headings))


def _starts(text: str) -> Iterator[_Start]:
    for block in blocks(text):
        if block.heading is not None:
            yield block.start, block.rank, block.heading
        else:
            yield from _parts(text, block)


def _parts(text: str, block: Segment) -> Iterator[_Start]:
    """Yield the starts within a block that is no heading."""
    starts = sentence_starts(text, block.start, block.end)
    starts.append(block.end)
    for at, following in pairwise(starts):
        own = block.rank if at == block.start else Rank.SENTENCE
        if _CLAUSE.match(text, at, following) is None:
            yield at, own, None
            continue
        heading = run_in_heading(text[at:following])
        yield at, max(own, Rank.CLAUSE), heading[0] if heading else None
        if heading and (rest := text[at + heading[1] : following]).strip():
            yield following - len(rest.lstrip()), Rank.SENTENCE, None


@dataclass(frozen=True, slots=True)
class Chunk:
    """A span of a document's text."""

    start: int
    """Character offset, inclusive."""
    end: int
    """Character offset, exclusive."""
    tokens: int
    """Estimated tokens (`count_tokens`)."""
    headings: tuple[str, ...]
    """The headings above most of its text, outermost first, at most six."""


class Cut(NamedTuple):
    """What cutting makes of a text."""

    chunks: list[Chunk]
    title: str | None
    """The first heading, if it begins in the first 8192 characters."""


class _Piece(NamedTuple):
    """A segment, or a part of one that is longer than a chunk."""

    start: int
    end: int
    tokens: int
    rank: Rank
    is_heading: bool
    headings: tuple[str, ...]


def cut_text(text: str, *, size: int = 400, overlap: int = 40) -> Cut:
    """Return the chunks, in order, and the first heading of a text.

    The spans of the chunks together cover it exactly. A chunk holds at most `size` estimated
    tokens; only a heading that must stay with a sentence as long as that adds its own. It ends
    before a heading if it is a quarter full, else at the best place in its second half. Within a
    section it begins with the whole sentences, up to `overlap` tokens, that end the chunk before. A
    sentence is cut only if it is longer than `size`: at white space, or inside a word that itself
    is longer.
    """
    pieces = _pieces(text, size)
    under = (piece.headings for piece in pieces if piece.headings and piece.start < _TITLE_WITHIN)
    return Cut(_chunks(pieces, size, overlap), title=next(under, (None,))[0])


def _chunks(pieces: Sequence[_Piece], size: int, overlap: int) -> list[Chunk]:
    chunks = []
    start = first = 0
    while first < len(pieces):
        stop = _stop(pieces, start, first, size)
        chunks.append(_chunk(pieces[start:stop], first - start))
        start = _overlap_start(pieces, first, stop, size, overlap)
        first = stop
    return chunks


def _pieces(text: str, size: int) -> list[_Piece]:
    cut = segments(text)
    if not cut:
        return []
    starts, ends, ranks, headings = zip(*cut, strict=True)
    tokens = [count_tokens(text[start:end]) for start, end, *_ in cut]
    marked = [heading is not None for heading in headings]
    pieces = list(map(_Piece, starts, ends, tokens, ranks, marked, _titles(headings, starts)))
    if all(count <= size for count in tokens):
        return pieces
    return [each for piece in pieces for each in _pieces_within(text, piece, size)]


def _titles(headings: Iterable[Heading | None], starts: Iterable[int]) -> Iterator[tuple[str, ...]]:
    """Yield the headings that each segment is under."""
    path = HeadingPath()
    titles = path.titles()
    for heading, start in zip(headings, starts, strict=True):
        if heading is not None:
            path.enter(heading, start)
            titles = path.titles()
        elif path.leave(start):
            titles = path.titles()
        yield titles


def _pieces_within(text: str, piece: _Piece, size: int) -> Iterator[_Piece]:
    """Yield the piece, or parts of at most `size` tokens, cut before one behind white space."""
    if piece.tokens <= size:
        yield piece
        return
    starts = [*token_starts(text, piece.start, piece.end), piece.end]
    start, rank, token = piece.start, piece.rank, 0
    while start < piece.end:
        cut = len(starts) - 1
        if cut - token > size:
            window = range(token + size, token, -1)
            cut = next((at for at in window if text[starts[at] - 1].isspace()), token + size)
        tokens = count_tokens(text[start : starts[cut]])
        yield _Piece(start, starts[cut], tokens, rank, is_heading=False, headings=piece.headings)
        start, rank, token = starts[cut], Rank.SENTENCE, cut


def _stop(pieces: Sequence[_Piece], start: int, first: int, size: int) -> int:
    """Return the piece before which the chunk that begins at `start` ends; it is past `first`."""
    tokens = sum(piece.tokens for piece in pieces[start:first])
    best, best_rank = 0, 0
    for index in range(first, len(pieces)):
        piece = pieces[index]
        sticks = pieces[index - 1].is_heading and _sticks(pieces, index, size)
        allowed = index > first and not sticks
        if allowed and piece.rank is Rank.HEADING and 4 * tokens >= size:
            return index
        rank = piece.rank if 2 * tokens >= size else 0
        if allowed and rank >= best_rank:
            best, best_rank = index, rank
        tokens += piece.tokens
        if tokens > size and best:
            return best
    return len(pieces)


def _sticks(pieces: Sequence[_Piece], index: int, size: int) -> bool:
    """Tell whether the piece behind a heading stays with it.

    Text always does. A heading does while those before it fill no more than a quarter of a chunk,
    so that a table of contents can be cut.
    """
    if not pieces[index].is_heading:
        return True
    room = size // 4
    while index and pieces[index - 1].is_heading and room >= 0:
        index -= 1
        room -= pieces[index].tokens
    return room >= 0


def _overlap_start(pieces: Sequence[_Piece], first: int, stop: int, size: int, overlap: int) -> int:
    """Return where the next chunk begins: at the sentences before `stop` that it repeats."""
    if stop >= len(pieces) or pieces[stop].is_heading or pieces[stop].rank is Rank.LINE:
        return stop
    room = min(overlap, size - pieces[stop].tokens)
    start = stop
    while start - 1 > first and not pieces[start - 1].is_heading:
        room -= pieces[start - 1].tokens
        if room < 0:
            break
        start -= 1
    return start


def _chunk(pieces: Sequence[_Piece], repeated: int) -> Chunk:
    """Return the chunk of these pieces, under the headings that most of its new text is under."""
    titles = pieces[-1].headings
    if pieces[repeated].headings is not titles:
        under: Counter[tuple[str, ...]] = Counter()
        for piece in pieces[repeated:]:
            under[piece.headings] += piece.tokens
        titles = under.most_common(1)[0][0]
    tokens = sum([piece.tokens for piece in pieces])
    return Chunk(pieces[0].start, pieces[-1].end, tokens, titles)
