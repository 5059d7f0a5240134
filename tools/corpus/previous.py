"""The generation before a build: what of it need not be read and chunked again."""

from dataclasses import replace

from tools.corpus.chunker import Chunk
from tools.corpus.corpus import Corpus
from tools.corpus.document import Document
from tools.corpus.entry import Entry
from tools.corpus.manifest import SourceFile, Unreadable, row_path
from tools.corpus.settings import BuildSettings

__all__ = ("Previous",)


class Previous:
    """Looks up unchanged files by path and content."""

    def __init__(self, corpus: Corpus | None, settings: BuildSettings) -> None:
        self._corpus = corpus
        unreadable = () if corpus is None else corpus.manifest.unreadable
        self._rows = tuple(each for each in unreadable if row_path("") in each.path)
        self._files: dict[tuple[str, str], tuple[SourceFile, range]] = {}
        if corpus is not None and _same_reading(corpus.manifest.settings, settings):
            place = 0
            for file in corpus.manifest.files:
                documents = range(place, place + file.documents)
                self._files[file.path, file.digest] = file, documents
                place = documents.stop

    def find(self, path: str, digest: str, name: str) -> list[Entry] | None:
        """Return the documents of a file with this path and content; None where it is new.

        The name is the one the file would have now: it depends on the files beside it.
        """
        if self._corpus is None or (path, digest) not in self._files:
            return None
        file, places = self._files[path, digest]
        found = [_entry(self._corpus, place) for place in places]
        return found if name == file.name else [_renamed(old, file.name, name) for old in found]

    def broken_rows(self, path: str) -> list[Unreadable]:
        """Return the rows of a file that could not be read."""
        return [each for each in self._rows if each.path.startswith(row_path(path))]


def _entry(corpus: Corpus, place: int) -> Entry:
    entry = corpus.manifest.documents[place]
    document = Document(
        name=entry.name,
        path=entry.path,
        text=corpus.document_text(place),
        title=entry.title,
        reader=entry.reader,
        encoding=entry.encoding,
        digest=entry.digest,
        fields=corpus.document_fields(place),
        warnings=entry.warnings,
    )
    own = corpus.chunks_of(place)
    return Entry(document, [_chunk(corpus, chunk) for chunk in own], own.start)


def _renamed(entry: Entry, old: str, new: str) -> Entry:
    document = entry.document
    name = new + document.name.removeprefix(old)
    title = name if document.title == document.name else document.title
    return replace(entry, document=replace(document, name=name, title=title))


def _chunk(corpus: Corpus, chunk: int) -> Chunk:
    return Chunk(
        int(corpus.chunk_start[chunk]),
        int(corpus.chunk_end[chunk]),
        int(corpus.chunk_tokens[chunk]),
        corpus.headings(chunk),
    )


def _same_reading(old: BuildSettings, new: BuildSettings) -> bool:
    def reading(settings: BuildSettings) -> tuple[object, ...]:
        return settings.chunk_tokens, settings.overlap, settings.encoding

    return reading(old) == reading(new)
