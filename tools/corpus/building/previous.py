"""The generation before a build: what of it need not be read, chunked and counted again."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from tools.corpus.building.origin import Origin, Section
from tools.corpus.building.part import digest_of
from tools.corpus.corpus import Corpus
from tools.corpus.documents.listing import FileBelow
from tools.corpus.manifest import Unreadable
from tools.corpus.processes.collection import uncollected
from tools.corpus.settings import BuildSettings
from tools.corpus.storage.layout import Generation
from tools.corpus.storage.source_files import SourceFile, Stamp

if TYPE_CHECKING:
    import polars as pl

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
        self._rows: defaultdict[int, list[Unreadable]] = defaultdict(list)
        self._seen: dict[tuple[str, Stamp], int] = {}
        self._alike = False
        self.files: Sequence[SourceFile] = ()
        """The files of that generation, in its order."""
        self.documents: pl.DataFrame | None = None
        """The rows of its documents."""
        if corpus is None or generation is None:
            return
        for each in corpus.manifest.unreadable:
            if each.file is not None:
                self._rows[each.file].append(each)
        self._origin = Origin(generation, before=True)
        self.documents = self._origin.documents
        with uncollected():
            self.files = corpus.files
            self._starts = list(accumulate((file.documents for file in self.files), initial=0))
            self._alike = corpus.manifest.settings.reading == settings.reading
            if self._alike and not checksum:
                self._seen = {
                    (file.path, file.stamp): place
                    for place, file in enumerate(self.files)
                    if file.stamp is not None
                }

    @cached_property
    def _read(self) -> dict[tuple[str, str], int]:
        """The place of each file by path and content."""
        return {(file.path, file.digest): place for place, file in enumerate(self.files)}

    def find(self, file: FileBelow) -> tuple[SourceFile, Section, Sequence[Unreadable]] | None:
        """Return a file as last read, its documents and broken rows; None where it is to be read.

        It is opened only where what it looks like tells nothing. The names are those of now: they
        depend on the files beside it.

        Raises:
            DocumentUnreadable: the file cannot be opened.
        """
        if not self._alike:
            return None
        place = self._seen.get((file.path, file.seen))
        if place is None:
            place = self._read.get((file.path, digest_of(Path(file.file))))
        if place is None:
            return None
        source = self.files[place]
        section = Section(self._origin, self._starts[place], self._starts[place + 1])
        if source.name != file.name:
            section = _renamed(section, source.name, file.name)
        if (source.name, source.stamp) != (file.name, file.stamp):
            source = source._replace(name=file.name, stamp=file.stamp)
        return source, section, self._rows.get(place, ())


def _renamed(section: Section, old: str, new: str) -> Section:
    """Return a file's documents under the names that they have if the file's document is `new`."""
    names = section.documents()["read_as"].to_list()
    now = (new + name.removeprefix(old) for name in names)
    return replace(section, names=dict(enumerate(now, start=section.first)))
