"""Gathering the documents of a build: read and chunk what is new, carry over what is not."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import accumulate, chain
from pathlib import Path

from agent.errors import CorpusError, DocumentUnreadable
from tools.corpus.build_settings import BuildSettings, Progress
from tools.corpus.building.build_processes import TaskFailed, Workers
from tools.corpus.building.part import (
    Origin,
    Part,
    Section,
    digest_of,
    load_part,
    part_name,
    rows_of,
)
from tools.corpus.corpus import Corpus
from tools.corpus.document_table import SourceFile, Stamp
from tools.corpus.generations import CorpusLayout
from tools.corpus.manifest import Unreadable
from tools.corpus.metadata_files import described
from tools.corpus.processes import cores, gc_disabled
from tools.corpus.readers import IMAGES
from tools.corpus.readers.extracted import suffix_of
from tools.corpus.readers.ocr import NO_OCR, lacking
from tools.corpus.readers.rows import Row
from tools.corpus.source_files import FileBelow, Skipped, files_below

_WORTH = 4 * 1024 * 1024
"""Bytes below which starting a second process takes longer than it saves."""
_PART = 8 * 1024 * 1024
"""Bytes of files that make a part, at least: what is read again after a kill, a core."""
_LEAST = 1024 * 1024
"""Bytes that make one of the first parts, so that every core has some where little is read."""
_SLOW = {**dict.fromkeys(IMAGES, 32), ".pdf": 8}
"""How much longer OCR takes over bytes of these than reading takes over others, about."""
_Found = tuple[SourceFile | None, Section | None, Sequence[Unreadable]]


class PartReading(AbstractContextManager["PartReading"]):
    """Files to be read, and the parts that they make."""

    def __init__(self, place: Path, settings: BuildSettings, workers: Workers) -> None:
        self._place = place
        self._settings = settings
        self._workers = workers
        self._pool = ThreadPoolExecutor(cores())
        """A thread a process."""
        self._begun: list[tuple[Path, Future[int]]] = []
        """Where each part goes, and how many files it has, once a process has read them."""
        self._batch: list[FileBelow] = []
        self._size = 0
        """Bytes of the batch, those that OCR may read several times."""
        self._total = 0
        """Bytes of all files."""

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Leave off: what is being read then is ended, what has been read is kept."""
        self._pool.shutdown(wait=False, cancel_futures=True)  # before a process is free again
        if kind is not None:
            self._workers.end()
        self._pool.shutdown()

    def add(self, file: FileBelow) -> None:
        """Have a file read; with those before it, it may make a part that is begun at once."""
        if not self._total:
            self._workers.start(1)
        self._batch.append(file)
        slow = _SLOW.get(suffix_of(file.path).lower(), 1) if self._settings.ocr != NO_OCR else 1
        size = file.size * slow
        self._size += size
        self._total += size
        if self._size >= min(_PART, max(_LEAST, self._total // (2 * cores()))):
            self._close()

    def parts(self, done: Callable[[int], None]) -> list[Part]:
        """Return the parts of all files, in their order; `done` is told how many files each read.

        The processes are ended: they keep the memory that reading took. Raises SettingsError for an
        unknown encoding, CorpusError where a part cannot be made, though each file can be read.
        """
        if self._batch:
            self._close()
        for _, begun in self._begun:
            done(begun.result())
        self._workers.end()
        return [_loaded(place) for place, _ in self._begun]

    def _close(self) -> None:
        files = self._batch
        place = self._place / part_name(files, self._settings, self._workers.limits)
        self._batch, self._size = [], 0
        if self._total >= _WORTH:
            self._workers.start(cores())
        self._begun.append((place, self._pool.submit(self._read, files, place)))

    def _read(self, files: Sequence[FileBelow], place: Path) -> int:
        """Have a process read a part; return how many files it has.

        A file at which the process ends is refused from then on. Where it ends at no file, every
        file is tried apart; where that does not help, it is no file's fault.
        """
        refused: dict[int, str] = {}
        asked = {
            "files": [asdict(each) for each in files],
            "settings": asdict(self._settings),
            "limits": asdict(self._workers.limits),
            "place": str(place),
            "refused": refused,
            "apart": False,
        }
        if load_part(place) is not None:
            return len(files)
        while True:
            try:
                self._workers.do("read", asked)
                return len(files)
            except TaskFailed as failed:
                if failed.at in refused or (failed.at < 0 and asked["apart"]):
                    raise CorpusError(
                        f"a process that indexes failed: {failed}; run `headcount index` again"
                    ) from failed
                if failed.at < 0:
                    asked["apart"] = True
                else:
                    refused[failed.at] = str(failed)


def _loaded(place: Path) -> Part:
    if (part := load_part(place)) is None:
        raise FileNotFoundError(
            f"the part {str(place)!r} is gone or not as written: check the disk, index again"
        )
    return part


class Previous:
    """Looks up unchanged files by path and, as far as it can be told, content."""

    def __init__(
        self, corpus: Corpus | None, settings: BuildSettings, *, checksum: bool = False
    ) -> None:
        self._rows: defaultdict[int, list[Unreadable]] = defaultdict(list)
        self._seen: dict[tuple[str, Stamp], int] = {}
        self._alike = False
        self._ocr = settings.ocr
        self.files: Sequence[SourceFile] = ()
        """The files of that generation, in its order."""
        self.documents = rows_of([])
        if corpus is None:
            return
        for each in corpus.manifest.unreadable:
            if each.file is not None:
                self._rows[each.file].append(each)
        self._origin = Origin(corpus.generation, before=True)
        self.documents = self._origin.documents
        with gc_disabled():
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
        return {(file.path, file.digest): place for place, file in enumerate(self.files)}

    def find(self, file: FileBelow) -> tuple[SourceFile, Section, Sequence[Unreadable]] | None:
        """Return a file as last read, its documents and broken rows; None where it is to be read.

        It is opened only where what it looks like tells nothing. One whose document has another
        name or other metadata now, which depend on the files beside it, is read again; so is one
        with scans where they can be read now, or in other languages. Raises DocumentUnreadable.
        """
        if not self._alike:
            return None
        place = self._seen.get((file.path, file.seen))
        if place is None:
            place = self._read.get((file.path, digest_of(Path(file.file))))
        if place is None:
            return None
        source = self.files[place]
        if (source.name, source.metadata) != (file.name, file.metadata_digest):
            return None
        if source.ocr not in {"", self._ocr} and not lacking(self._ocr):
            return None
        if source.stamp != file.stamp:
            source = source._replace(stamp=file.stamp)
        section = Section(self._origin, self._starts[place], self._starts[place + 1])
        return source, section, self._rows.get(place, ())


@dataclass(frozen=True, slots=True)
class Collected:
    """Everything that was found under the sources, in a fixed order."""

    sections: list[Section]
    """Documents that follow one another where they come from make one."""
    files: list[SourceFile]
    unreadable: list[Unreadable]
    skipped: list[Skipped]
    metadata: list[str]
    """A line for each source of metadata."""


def collect(
    sources: Sequence[Path],
    layout: CorpusLayout,
    settings: BuildSettings,
    previous: Previous,
    workers: Workers,
    progress: Progress,
) -> Collected:
    """Read every file under the sources in a fixed order, the corpus's own left out."""

    def rows(file: FileBelow) -> Sequence[Row]:
        workers.start(1)
        asked = {"file": asdict(file), "limits": asdict(workers.limits)}
        try:
            found: Sequence[Row] = workers.do("rows", {**asked, "encoding": settings.encoding})
        except TaskFailed as failed:
            raise DocumentUnreadable(str(failed)) from failed
        return found

    with PartReading(layout.parts, settings, workers) as reading:
        kept: list[_Found | None] = []
        skipped: list[Skipped] = []
        with gc_disabled():
            files, told = described(files_below(sources, layout.root, skipped), rows)
            for file in files:
                known: _Found | None = None
                with suppress(DocumentUnreadable):  # reading it says why
                    known = previous.find(file)
                kept.append(known)
                if known is None:
                    reading.add(file)
        done = sum(each is not None for each in kept)
        progress("read", done, len(kept))

        def read(files: int) -> None:
            nonlocal done
            done += files
            progress("read", done, len(kept))

        new = chain.from_iterable(map(_found, reading.parts(read)))
        found = [next(new) if known is None else known for known in kept]
    return Collected(
        sections=_joined(documents for _, documents, _ in found if documents is not None),
        files=[source for source, _, _ in found if source is not None],
        unreadable=list(_broken(found)),
        skipped=skipped,
        metadata=told,
    )


def _broken(found: Iterable[_Found]) -> Iterator[Unreadable]:
    """Yield what cannot be read, rows with the place that their file has now."""
    place = 0
    for source, _, broken in found:
        own = None if source is None else place
        yield from (each.model_copy(update={"file": own}) for each in broken)
        place += source is not None


def _joined(pieces: Iterable[Section]) -> list[Section]:
    """Make sections whose documents follow one another in their origin one."""
    found: list[list[Section]] = []
    for piece in pieces:
        last = found[-1][-1] if found else None
        if last is not None and (last.origin, last.stop) == (piece.origin, piece.first):
            found[-1].append(piece)
        elif len(piece):
            found.append([piece])
    return [Section(run[0].origin, run[0].first, run[-1].stop) for run in found]


def _found(part: Part) -> Iterator[_Found]:
    place = 0
    for file in part.files:
        count = file.source.documents if file.source is not None else 0
        yield file.source, Section(part.origin, place, place + count), file.unreadable
        place += count
