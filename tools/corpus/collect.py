"""Gathering the documents of a build: read and chunk what is new, carry over what is not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agent.errors import DocumentUnreadable
from tools.corpus.document import walk
from tools.corpus.folder import document_name, path_text
from tools.corpus.manifest import SourceFile, Unreadable
from tools.corpus.origin import Section
from tools.corpus.part import Part, digest_of, load_part, part_name
from tools.corpus.part_reading import Job, read_parts
from tools.corpus.previous import Previous
from tools.corpus.progress import Progress
from tools.corpus.settings import BuildSettings

__all__ = ("Collected", "collect")

_PART = 8 * 1024 * 1024
"""Bytes of files that make a part, at least: what is read again after a kill, a core."""

_File = tuple[Path, Path]
"""A file and its root."""


@dataclass(slots=True)
class Collected:
    """Everything that was found under the sources, in a fixed order."""

    sections: list[Section] = field(default_factory=list)
    files: list[SourceFile] = field(default_factory=list)
    unreadable: list[Unreadable] = field(default_factory=list)

    def add(self, source: SourceFile | None, documents: Section | None) -> None:
        """Put a file behind the others; documents that lie in one piece make one section."""
        if source is not None:
            self.files.append(source)
        if documents is None or not documents.entries:
            return
        last = self.sections[-1] if self.sections else None
        if last is None or (last.origin, last.stop) != (documents.origin, documents.first):
            self.sections.append(documents)
            return
        joined = (*last.entries, *documents.entries)
        self.sections[-1] = Section(last.origin, last.first, joined)


def collect(
    sources: Sequence[Path],
    into: Path,
    parts: Path,
    settings: BuildSettings,
    previous: Previous,
    progress: Progress,
) -> Collected:
    """Read every file under the sources, in a fixed order; what cannot be read is listed.

    The corpus directory `into` is left out where it lies under a source. What is read is kept in
    `parts`, from where a build that was killed takes it up.
    """
    own = into.resolve()
    files = [pair for pair in walk(sources) if not pair[0].absolute().is_relative_to(own)]
    kept = {file: each for file in files if (each := _unchanged(file, previous)) is not None}
    fresh = [file for file in files if file not in kept]
    read = _Fresh(parts, settings, len(files), progress)
    new = iter(read.files(fresh, done=len(kept)))
    found = Collected()
    for file in files:
        source, documents, broken = kept[file] if file in kept else next(new)
        found.add(source, documents)
        found.unreadable.extend(broken)
    return found


_Found = tuple[SourceFile | None, Section | None, Sequence[Unreadable]]


def _unchanged(pair: _File, previous: Previous) -> _Found | None:
    """Return what the last build made of a file; None where it is to be read."""
    if not previous:
        return None
    file, root = pair
    path = path_text(file.relative_to(root))
    try:
        name, digest = document_name(file, root), digest_of(file)
    except DocumentUnreadable:
        return None  # reading it says why
    documents = previous.find(path, digest, name)
    if documents is None:
        return None
    source = SourceFile(path=path, name=name, digest=digest, documents=len(documents.entries))
    return source, documents, previous.broken_rows(path)


@dataclass(frozen=True, slots=True)
class _Fresh:
    """Files to be read, part by part."""

    parts: Path
    settings: BuildSettings
    total: int
    """Files of the build, for the progress."""
    progress: Progress

    def files(self, files: Sequence[_File], done: int) -> Iterator[_Found]:
        """Read the files and yield what was found in each, in their order."""
        self.progress("read", done, self.total)
        self.parts.mkdir(parents=True, exist_ok=True)
        jobs = [self._job(each, size) for each, size in _batches(files)]
        waiting = [job for job in jobs if load_part(job.place) is None]
        left = sum(len(job.files) for job in waiting)

        def told(job: Job) -> None:
            nonlocal left
            left -= len(job.files)
            self.progress("read", self.total - left, self.total)

        self.progress("read", self.total - left, self.total)
        read_parts(waiting, self.settings, told)
        for job in jobs:
            part = load_part(job.place)
            if part is None:
                raise FileNotFoundError(f"the part {str(job.place)!r} is gone: index again")
            yield from _found(part)

    def _job(self, files: Sequence[_File], size: int) -> Job:
        return Job(files, size, self.parts / part_name(files, self.settings))


def _batches(files: Sequence[_File]) -> Iterator[tuple[list[_File], int]]:
    """Yield files for a part each, with their bytes on disk."""
    batch: list[_File] = []
    size = 0
    for file in files:
        batch.append(file)
        size += _size(file[0])
        if size >= _PART:
            yield batch, size
            batch, size = [], 0
    if batch:
        yield batch, size


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0  # reading it says why


def _found(part: Part) -> Iterator[_Found]:
    place = 0
    for file in part.files:
        count = file.source.documents if file.source is not None else 0
        entries = part.origin.entries[place : place + count]
        yield file.source, Section(part.origin, place, entries), file.unreadable
        place += count
