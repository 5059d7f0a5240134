"""The generation before a build: what of it need not be read, chunked and counted again."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

from tools.corpus.building.origin import Origin, Section
from tools.corpus.building.part import digest_of
from tools.corpus.corpus import Corpus
from tools.corpus.documents.listing import FileBelow
from tools.corpus.manifest import DocumentEntry, SourceFile, Stamp, Unreadable, row_path
from tools.corpus.processes.collection import uncollected
from tools.corpus.settings import BuildSettings
from tools.corpus.storage.layout import Generation

__all__ = ("Previous",)


class Previous:
    """Looks up unchanged files by path and, as far as it can be told, content."""

    def __init__(
        self,
        corpus: Corpus | None,
        generation: Generation | None,
        settings: BuildSettings,
        *,
        checksum: bool = False,
    ) -> None:
        self._rows: defaultdict[str, list[Unreadable]] = defaultdict(list)
        self._read: dict[tuple[str, str], tuple[SourceFile, int]] = {}
        self._seen: dict[tuple[str, Stamp], tuple[SourceFile, int]] = {}
        if corpus is None or generation is None:
            return
        for each in corpus.manifest.unreadable:
            for path in _files_of(each.path):
                self._rows[path].append(each)
        self._origin = Origin(generation, corpus.manifest.documents, before=True)
        if corpus.manifest.settings.reading == settings.reading:
            with uncollected():
                self._remember(corpus.manifest.files, checksum=checksum)

    def _remember(self, files: Sequence[SourceFile], *, checksum: bool) -> None:
        starts = accumulate((file.documents for file in files), initial=0)
        for file, place in zip(files, starts, strict=False):
            self._read[file.path, file.digest] = file, place
            if file.stamp is not None and not checksum:
                self._seen[file.path, file.stamp] = file, place

    def find(self, file: FileBelow) -> tuple[SourceFile, Section] | None:
        """Return a file as last read, and its documents; None where it is new or has changed.

        It is opened only where what it looks like tells nothing. The names are those of now: they
        depend on the files beside it.

        Raises:
            DocumentUnreadable: the file cannot be opened.
        """
        if not self._read:
            return None
        known = self._seen.get((file.path, file.seen))
        if known is None:
            known = self._read.get((file.path, digest_of(Path(file.file))))
        if known is None:
            return None
        source, place = known
        entries = self._origin.entries[place : place + source.documents]
        section = Section(self._origin, place, _renamed(entries, source.name, file.name))
        if (source.name, source.stamp) != (file.name, file.stamp):
            source = source.model_copy(update={"name": file.name, "stamp": file.stamp})
        return source, section

    def broken_rows(self, path: str) -> list[Unreadable]:
        """Return the rows of a file that could not be read."""
        return self._rows.get(path, [])


def _files_of(path: str) -> Iterator[str]:
    """Yield what a row's path may name as its file, which may have the mark in its name.

    >>> list(_files_of("a#b.csv#3")), list(_files_of("a.txt"))
    (['a', 'a#b.csv'], [])
    """
    mark = row_path("")
    parts = path.split(mark)
    return (mark.join(parts[:count]) for count in range(1, len(parts)))


def _renamed(entries: Sequence[DocumentEntry], old: str, new: str) -> Sequence[DocumentEntry]:
    return entries if old == new else [_with_name(each, old, new) for each in entries]


def _with_name(entry: DocumentEntry, old: str, new: str) -> DocumentEntry:
    name = new + entry.name.removeprefix(old)
    title = name if entry.title == entry.name else entry.title
    return entry.model_copy(update={"name": name, "title": title})
