"""Chunks as they are shown to a reasoner: no word twice, no clause without its neighbour."""

import re
from collections.abc import Sequence

from agent.evidence import Passage
from tools.corpus.chunking.token_counts import count_tokens
from tools.corpus.corpus import Corpus

_CONTEXT_TOKENS = 40
_CONTEXT = 20 * _CONTEXT_TOKENS
"""Characters that surely hold so many tokens."""
_WORD = re.compile(r"\S+")
_ENDED = re.compile(r"[.!?。！？][\"'”’)\]*_]*\s*\Z|[^\s:;,]\s*\n\s*\n\s*\Z")


def passages(corpus: Corpus, chunks: Sequence[int]) -> tuple[Passage, ...]:
    """Return a passage for each chunk, in the order given.

    Chunks overlap. Where the chunk before is shown, too, the words that both hold are left to it,
    but for a chunk with no words of its own; `document_text[start : start + len(text)] == text`.
    `before` and `after` are neighbours' words around `text` where the cut is in mid-sentence, or
    between a list's items or what introduces them, about 40 tokens each.
    """
    shown = frozenset(chunks)
    return tuple(_passage(corpus, chunk, shown) for chunk in chunks)


def _passage(corpus: Corpus, chunk: int, shown: frozenset[int]) -> Passage:
    document = int(corpus.chunk_document[chunk])
    start, text = _own_text(corpus, chunk, shown)
    earlier = _text_before(corpus, chunk, start)
    later = _text_after(corpus, chunk)
    before = _WORD.findall(earlier[-_CONTEXT:])[::-1] if _is_cut(earlier, text) else []
    after = _WORD.findall(later[:_CONTEXT]) if _is_cut(text, later) else []
    return Passage(
        chunk=chunk,
        document=corpus.documents[document],
        title=corpus.titles[document],
        start=start,
        text=text,
        headings=corpus.headings(chunk),
        before=" ".join(reversed(_near(before))),
        after=" ".join(_near(after)),
    )


def _own_text(corpus: Corpus, chunk: int, shown: frozenset[int]) -> tuple[int, str]:
    """Return the text to show, with its offset in the document."""
    start, text = int(corpus.chunk_start[chunk]), corpus.chunk_text(chunk)
    if chunk - 1 in shown and _joined(corpus, chunk - 1):
        overlap = max(0, int(corpus.chunk_end[chunk - 1]) - start)
        if text[overlap:].strip():
            start, text = start + overlap, text[overlap:]
    bare = text.lstrip()
    return start + len(text) - len(bare), bare.rstrip()


def _text_before(corpus: Corpus, chunk: int, start: int) -> str:
    """Return the text of the chunk before, as far as it lies before the passage."""
    if chunk == 0 or not _joined(corpus, chunk - 1):
        return ""
    return corpus.chunk_text(chunk - 1)[: start - int(corpus.chunk_start[chunk - 1])]


def _text_after(corpus: Corpus, chunk: int) -> str:
    """Return the text of the chunk after, as far as it lies after this one."""
    if not _joined(corpus, chunk):
        return ""
    overlap = int(corpus.chunk_end[chunk]) - int(corpus.chunk_start[chunk + 1])
    return corpus.chunk_text(chunk + 1)[max(0, overlap) :]


def _joined(corpus: Corpus, chunk: int) -> bool:
    """Tell whether the next chunk is of the same document."""
    documents = corpus.chunk_document
    return chunk + 1 < len(documents) and bool(documents[chunk] == documents[chunk + 1])


def _is_cut(left: str, right: str) -> bool:
    """Tell whether a sentence runs on over the cut between two texts."""
    if not left.strip() or not right.strip():
        return False
    return right.lstrip()[0].islower() or not _ENDED.search(left)


def _near(words: Sequence[str]) -> Sequence[str]:
    """Return as many of the first words as a context has tokens."""
    room = _CONTEXT_TOKENS
    for number, word in enumerate(words):
        room -= count_tokens(word)
        if room < 0:
            return words[:number]
    return words
