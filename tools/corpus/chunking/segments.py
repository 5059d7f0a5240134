"""A text as segments: the smallest spans that a chunk or a quotation is made of.

A segment is a sentence, a clause, a heading, a record or a row. It ends where the next begins, so
that segments cover their text with no gap; only white space separates what they say.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from tools.corpus.chunking.headings import Heading, run_in_heading
from tools.corpus.chunking.paragraphs import Block, Rank, blocks
from tools.corpus.chunking.prose import Pauses, pauses_of, sentence_starts

__all__ = ("Rank", "Segment", "batches", "segments", "segments_of", "sentences")

_BATCH = 1 << 21
"""Characters of texts that are cut at once."""
_NUMBER = r"(?:\(?(?:\d{1,3}|[a-z]|[ivx]{2,4})[.)]|\d+(?:\.\d+)+|(?:Section|Article)\s)"
_CLAUSE = re.compile(rf"\s*{_NUMBER}", re.IGNORECASE)


class Segment(NamedTuple):
    """A span of a text, with the white space after it."""

    start: int
    end: int
    rank: Rank
    heading: Heading | None = None
    """Set where the segment is a heading: it belongs to what follows."""


_segment = partial(tuple.__new__, Segment)
"""Makes a segment of a tuple of its values without a call in Python."""


def sentences(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Return the spans of sentences, clauses, headings, records and rows, in order.

    They leave out only white space; offsets are into the whole text.
    """
    spans = []
    for segment in segments(text, start, end):
        said = text[segment.start : segment.end]
        if bare := said.strip():
            first = segment.start + len(said) - len(said.lstrip())
            spans.append((first, first + len(bare)))
    return spans


def segments(text: str, start: int = 0, end: int | None = None) -> list[Segment]:
    """Return the segments of `text[start:end]`, which they cover without gap or overlap."""
    stop = len(text) if end is None else end
    (found,) = blocks([text[start:stop]])
    if start:
        found = [each._replace(start=start + each.start, end=start + each.end) for each in found]
    pauses = _pauses([(text, found)])
    return _covering(start, stop, list(_starts(text, found, pauses)))


def segments_of(texts: Sequence[str]) -> list[list[Segment]]:
    """Return the segments of each text: as one by one, but many short texts take less time."""
    found = list(zip(texts, blocks(texts), strict=True))
    pauses = _pauses(found)
    return [_covering(0, len(text), list(_starts(text, own, pauses))) for text, own in found]


def batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the texts in groups that it takes little memory to cut at once."""
    first = size = 0
    for place, text in enumerate(texts):
        size += len(text)
        if size >= _BATCH:
            yield texts[first : place + 1]
            first, size = place + 1, 0
    if first < len(texts):
        yield texts[first:]


_Start = tuple[int, Rank, Heading | None]
"""Where a segment starts, how good a cut that is, and its heading."""


def _covering(start: int, stop: int, starts: Sequence[_Start]) -> list[Segment]:
    """Return the segments that begin at the starts and together cover `start` to `stop`."""
    if not starts:
        return [Segment(start, stop, Rank.PARAGRAPH)] if stop > start else []
    firsts, ranks, headings = zip(*starts, strict=True)
    columns = ((start, *firsts[1:]), (*firsts[1:], stop), ranks, headings)
    return list(map(_segment, zip(*columns, strict=True)))


def _pauses(found: Sequence[tuple[str, Sequence[Block]]]) -> Iterator[Pauses]:
    """Return what may part the sentences of each block that is no heading, text after text."""
    said = [
        text[block.start : block.end]
        for text, own in found
        for block in own
        if block.heading is None
    ]
    return iter(pauses_of(said))


def _starts(text: str, found: Iterable[Block], pauses: Iterator[Pauses]) -> Iterator[_Start]:
    """Yield the starts within blocks; of each that is no heading, takes what may part it."""
    for block in found:
        if block.heading is not None:
            yield block.start, block.rank, block.heading
            continue
        own = next(pauses)
        if own.stops or own.clauses or block.clause:
            yield from _parts(text, block, own)
        else:
            yield block.start, block.rank, None


def _parts(text: str, block: Block, pauses: Pauses) -> Iterator[_Start]:
    """Yield the starts within a block that is no heading."""
    starts = sentence_starts(text, block.start, block.end, pauses)
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
