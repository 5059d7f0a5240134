"""The documents that a benchmark is made from: texts whose offsets every span counts."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Final, TypeVar

from agent.corpus_view import FieldValue
from agent.english import stems
from agent.errors import DocumentUnreadable, SettingsError
from agent.value import Value
from tools.corpus.chunking.chunker import Chunk, Segment, chunk_text, segments
from tools.corpus.documents import Document, read_contents, walk
from tools.corpus.fields.field_values import fold
from tools.corpus.fields.header import read_fields
from tools.corpus.words.tokenizer import words

__all__ = (
    "OUTER",
    "Source",
    "bare_title",
    "heading_key",
    "read_documents",
    "read_sources",
)

OUTER: Final = "()[]{}<>«»“”‘’\"'`*_.,;:!?…|~-–—"
"""Marks that stand around words and are no part of them."""
_NUMBERING: Final = re.compile(r"^(?:(?:\d+(?:\.\d+)*|[IVXLC]+|[A-Z])[.):]?\s+)")


def heading_key(title: str) -> str:
    """Return what two writings of one heading share: words, without number, marks and case.

    >>> heading_key("2.1 Rejected  Ideas:"), heading_key("## Rejected ideas")
    ('rejected ideas', 'rejected ideas')
    """
    return bare_title(title).casefold()


def bare_title(title: str) -> str:
    """Return a heading's words as written, without its number and marks."""
    bare = _NUMBERING.sub("", title.strip().lstrip("#").strip())
    return " ".join(bare.strip(OUTER + "= ").split())


_WORD = re.compile(r"[^\W_]+")
_LONGEST_LINE = 160


@dataclass(frozen=True)
class Source:
    """A document."""

    name: str
    """Path below its folder without suffix; what answers name."""
    text: str

    @cached_property
    def fields(self) -> Mapping[str, FieldValue]:
        """The fields its text states, by folded key; what only its file says is not among them."""
        found = read_fields(self.text)[0]
        return {fold(key): value for key, value in found.items() if value.start is not None}

    @cached_property
    def keys(self) -> Mapping[str, str]:
        """The fields' keys as written, by folded key."""
        return {fold(key): key for key in read_fields(self.text)[0]}

    @cached_property
    def headings(self) -> tuple[Segment, ...]:
        """The segments that are headings, in order."""
        return tuple(each for each in segments(self.text) if each.heading is not None)

    @cached_property
    def heading_stems(self) -> tuple[tuple[str, ...], ...]:
        """The stems of each heading's words."""
        titles = (each.heading.title for each in self.headings if each.heading is not None)
        return tuple(tuple(map(_stem, words(title))) for title in titles)

    @cached_property
    def line_keys(self) -> frozenset[str]:
        """What its short lines would be as headings."""
        lines = self.text.split("\n")
        return frozenset(heading_key(each) for each in lines if len(each) <= _LONGEST_LINE)

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """The chunks by the product's chunker with its usual sizes."""
        return tuple(chunk_text(self.text))

    @cached_property
    def lowered(self) -> str:
        """The text in lower case, to see quickly what is not in it."""
        return self.text.lower()

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stems of its words in order, underscores parting words too."""
        return tuple(map(_stem, _WORD.findall(self.lowered)))

    @cached_property
    def stem_places(self) -> Mapping[str, Sequence[int]]:
        """Where each stem stands among the stems."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        for at, stem in enumerate(self.stems):
            places[stem].append(at)
        return places

    def chunk_at(self, place: int) -> int:
        """Return the first chunk that holds a character.

        >>> Source("a", "One sentence.").chunk_at(3)
        0
        """
        return next(at for at, chunk in enumerate(self.chunks) if place < chunk.end)


@cache
def _stem(form: str) -> str:
    return stems([form])[0]


def read_sources(folder: Path, say: Callable[[str], None]) -> list[Source]:
    """Read the documents below a folder, by name; `say` is told each file that cannot be read.

    Raises:
        SettingsError: it is no folder, or holds no document.
    """
    read = read_documents(folder, say)
    sources = (Source(each.name.replace("#", "-"), each.text) for each in read)
    found = {each.name: each for each in sources}
    return [found[name] for name in sorted(found)]


def read_documents(folder: Path, say: Callable[[str], None]) -> list[Document]:
    """Read the documents below a folder, as they are indexed; raises as `read_sources`."""
    if not folder.is_dir():
        raise SettingsError(f"{str(folder)!r} is not a folder of documents")
    found = list(_read(folder, say))
    if not found:
        raise SettingsError(f"{str(folder)!r} holds no document")
    return found


def _read(folder: Path, say: Callable[[str], None]) -> Iterator[Document]:
    for file, root in walk([folder]):
        try:
            contents = read_contents(file, root)
        except DocumentUnreadable as error:
            say(f"left out {str(file)!r}: {error}")
            continue
        for place, why in contents.broken:
            say(f"left out {place} of {str(file)!r}: {why}")
        yield from contents.documents


V = TypeVar("V", bound=Value)
