"""Chunks as they are shown to a reasoner: no word twice, no clause without its neighbour."""

import re
from collections.abc import Sequence
from typing import Protocol, overload

import numpy as np
import numpy.typing as npt

from agent.evidence import Passage
from tools.corpus.chunking.chunker import sentences
from tools.corpus.chunking.token_counts import count_tokens

_CONTEXT_TOKENS = 40
_WORD = re.compile(r"\S+")
_ENDED = re.compile(r"[.!?:;。！？][\"'”’)\]*_]*\s*\Z|\n\s*\n\s*\Z")


class ChunkSource(Protocol):
    """The part of a corpus that passages are made from; chunks of a document are contiguous."""

    @property
    def documents(self) -> Sequence[str]:
        """The documents' names."""
        ...

    @property
    def titles(self) -> Sequence[str]:
        """The documents' titles."""
        ...

    @property
    def chunk_document(self) -> npt.NDArray[np.int32]:
        """Document of every chunk, shape (N,)."""
        ...

    @property
    def chunk_start(self) -> npt.NDArray[np.int32]:
        """Character offset of every chunk in its document, shape (N,)."""
        ...

    @property
    def chunk_end(self) -> npt.NDArray[np.int32]:
        """End offset, exclusive, shape (N,)."""
        ...

    def chunk_text(self, chunk: int) -> str:
        """Return the chunk's text."""
        ...

    def headings(self, chunk: int) -> tuple[str, ...]:
        """Return the path of the headings above the chunk."""
        ...


def passages(
    corpus: ChunkSource, chunks: Sequence[int], *, context: int = _CONTEXT_TOKENS
) -> tuple[Passage, ...]:
    """Return a passage for each chunk, in the order given.

    Chunks overlap. Where the chunk before is among those shown, the words that both hold are left
    to it: `text` then begins where the chunk before ends, and `start` says so. Spaces at the ends
    are left off in the same way, so that `document_text[start : start + len(text)] == text` always;
    only a chunk with no words of its own is shown whole.
    `before` and `after` are neighbours' words around `text` where the cut is in mid-sentence;
    `before` also where that neighbour is not shown, for what a text means depends on what it
    follows more than on what follows it.

    Args:
        corpus: where the chunks are.
        chunks: chunk ids, each once.
        context: about how many tokens `before` and `after` may have each.
    """
    shown = frozenset(chunks)
    return tuple(_passage(corpus, chunk, shown, context) for chunk in chunks)


class _Sentences(Sequence[tuple[int, int]]):
    """The spans of a text's sentences, cut when they are first looked at: a model never does."""

    __slots__ = ("_spans", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._spans: tuple[tuple[int, int], ...] | None = None

    @overload
    def __getitem__(self, at: int) -> tuple[int, int]: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[tuple[int, int], ...]: ...
    def __getitem__(self, at: int | slice) -> object:
        return self._cut()[at]

    def __len__(self) -> int:
        return len(self._cut())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._cut() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._text)

    def _cut(self) -> tuple[tuple[int, int], ...]:
        if self._spans is None:
            self._spans = tuple(sentences(self._text))
        return self._spans


def _passage(corpus: ChunkSource, chunk: int, shown: frozenset[int], context: int) -> Passage:
    document = int(corpus.chunk_document[chunk])
    start, text = _own_text(corpus, chunk, shown)
    earlier = _text_before(corpus, chunk, start)
    later = _text_after(corpus, chunk)
    before = chunk - 1 not in shown or _is_cut(earlier, text)
    after = _is_cut(text, later)
    return Passage(
        chunk=chunk,
        document=corpus.documents[document],
        title=corpus.titles[document],
        start=start,
        text=text,
        sentences=_Sentences(text),
        headings=corpus.headings(chunk),
        before=_last_words(earlier, context) if before else "",
        after=_first_words(later, context) if after else "",
    )


def _own_text(corpus: ChunkSource, chunk: int, shown: frozenset[int]) -> tuple[int, str]:
    """Return the text to show, with its offset in the document."""
    start, text = int(corpus.chunk_start[chunk]), corpus.chunk_text(chunk)
    if chunk - 1 in shown and _joined(corpus, chunk - 1):
        overlap = max(0, int(corpus.chunk_end[chunk - 1]) - start)
        if text[overlap:].strip():
            start, text = start + overlap, text[overlap:]
    bare = text.lstrip()
    return start + len(text) - len(bare), bare.rstrip()


def _text_before(corpus: ChunkSource, chunk: int, start: int) -> str:
    """Return the text of the chunk before, as far as it lies before the passage."""
    if chunk == 0 or not _joined(corpus, chunk - 1):
        return ""
    return corpus.chunk_text(chunk - 1)[: start - int(corpus.chunk_start[chunk - 1])]


def _text_after(corpus: ChunkSource, chunk: int) -> str:
    """Return the text of the chunk after, as far as it lies after this one."""
    if not _joined(corpus, chunk):
        return ""
    overlap = int(corpus.chunk_end[chunk]) - int(corpus.chunk_start[chunk + 1])
    return corpus.chunk_text(chunk + 1)[max(0, overlap) :]


def _joined(corpus: ChunkSource, chunk: int) -> bool:
    """Tell whether the next chunk is of the same document."""
    documents = corpus.chunk_document
    return chunk + 1 < len(documents) and bool(documents[chunk] == documents[chunk + 1])


def _is_cut(left: str, right: str) -> bool:
    """Tell whether a sentence runs on over the cut between two texts."""
    if not left.strip() or not right.strip():
        return False
    return right.lstrip()[0].islower() or not _ENDED.search(left)


def _first_words(text: str, tokens: int) -> str:
    words = [match[0] for match in _WORD.finditer(text[: tokens * 20])]
    return " ".join(_within(words, tokens))


def _last_words(text: str, tokens: int) -> str:
    words = [match[0] for match in _WORD.finditer(text[-tokens * 20 :])]
    return " ".join(_within(words[::-1], tokens)[::-1])


def _within(words: Sequence[str], tokens: int) -> Sequence[str]:
    """Return as many of the first words as the number of tokens allows."""
    room = tokens
    for number, word in enumerate(words):
        room -= count_tokens(word)
        if room < 0:
            return words[:number]
    return words
