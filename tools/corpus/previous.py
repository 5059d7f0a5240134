"""The generation before a build: what of it need not be read, chunked and counted again."""

from collections.abc import Sequence

from tools.corpus.corpus import Corpus
from tools.corpus.layout import Generation
from tools.corpus.manifest import DocumentEntry, SourceFile, Unreadable, row_path
from tools.corpus.origin import Origin, Section
from tools.corpus.settings import BuildSettings

__all__ = ("Previous",)


class Previous:
    """Looks up unchanged files by path and content."""

    def __init__(
        self, corpus: Corpus | None, generation: Generation | None, settings: BuildSettings
    ) -> None:
        unreadable = () if corpus is None else corpus.manifest.unreadable
        self._rows = tuple(each for each in unreadable if row_path("") in each.path)
        self._files: dict[tuple[str, str], tuple[SourceFile, int]] = {}
        if corpus is None or generation is None:
            return
        self._origin = Origin(generation, corpus.manifest.documents, before=True)
        if corpus.manifest.settings.reading == settings.reading:
            place = 0
            for file in corpus.manifest.files:
                self._files[file.path, file.digest] = file, place
                place += file.documents

    def __bool__(self) -> bool:
        """Return whether there is any file to look up."""
        return bool(self._files)

    def find(self, path: str, digest: str, name: str) -> Section | None:
        """Return the documents of a file with this path and content; None where it is new.

        The name is the one the file would have now: it depends on the files beside it.
        """
        if (path, digest) not in self._files:
            return None
        file, place = self._files[path, digest]
        entries = self._origin.entries[place : place + file.documents]
        return Section(self._origin, place, _renamed(entries, file.name, name))

    def broken_rows(self, path: str) -> list[Unreadable]:
        """Return the rows of a file that could not be read."""
        return [each for each in self._rows if each.path.startswith(row_path(path))]


def _renamed(entries: Sequence[DocumentEntry], old: str, new: str) -> Sequence[DocumentEntry]:
    return entries if old == new else [_with_name(each, old, new) for each in entries]


def _with_name(entry: DocumentEntry, old: str, new: str) -> DocumentEntry:
    name = new + entry.name.removeprefix(old)
    title = name if entry.title == entry.name else entry.title
    return entry.model_copy(update={"name": name, "title": title})
