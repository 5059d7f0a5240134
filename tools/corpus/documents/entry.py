"""One document of a build with its chunks."""

from collections.abc import Sequence
from dataclasses import dataclass

from tools.corpus.chunking.chunker import Chunk, cut_texts
from tools.corpus.documents.document import Document, Draft, finished
from tools.corpus.settings import BuildSettings

__all__ = ("Entry", "distinct", "entries_of")


@dataclass(frozen=True, slots=True)
class Entry:
    """A document and its chunks."""

    document: Document
    chunks: Sequence[Chunk]


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names with every repeat numbered, so that a name means one document.

    >>> distinct(["a", "b", "a", "a"])
    ['a', 'b', 'a~2', 'a~3']
    """
    taken = set(names)
    given: dict[str, None] = {}
    for name in names:
        found, number = name, 1
        while found in given or (number > 1 and found in taken):
            number += 1
            found = f"{name}~{number}"
        given[found] = None
    return list(given)


def entries_of(drafts: Sequence[Draft], settings: BuildSettings) -> list[Entry]:
    """Return the drafts' documents with their chunks, all cut at once."""
    texts = [draft.reading.text for draft in drafts]
    cuts = cut_texts(texts, size=settings.chunk_tokens, overlap=settings.overlap)
    documents = finished(drafts, [cut.title for cut in cuts])
    return list(map(Entry, documents, [cut.chunks for cut in cuts]))
