"""Gathering the documents of a build: read and chunk what is new, carry over what is not."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.errors import DocumentUnreadable
from tools.corpus.building.origin import Section
from tools.corpus.building.part import Part, load_part, part_name
from tools.corpus.building.part_reading import Job, read_parts
from tools.corpus.building.previous import Previous
from tools.corpus.building.workers import Workers
from tools.corpus.documents.listing import FileBelow, files_below
from tools.corpus.manifest import Unreadable
from tools.corpus.processes.collection import uncollected
from tools.corpus.processes.threads import cores
from tools.corpus.progress import Progress
from tools.corpus.settings import BuildSettings
from tools.corpus.storage.source_files import SourceFile

__all__ = ("Collected", "collect")

_PART = 8 * 1024 * 1024
"""Bytes of files that make a part, at least: what is read again after a kill, a core."""
_LEAST = 1024 * 1024
"""Bytes of files that make a part where few are to be read, so that every core has some."""


@dataclass(frozen=True, slots=True)
class Collected:
    """Everything that was found under the sources, in a fixed order."""

    sections: list[Section]
    """Documents that follow one another where they come from make one."""
    files: list[SourceFile]
    unreadable: list[Unreadable]


def collect(
    sources: Sequence[Path],
    into: Path,
    parts: Path,
    settings: BuildSettings,
    previous: Previous,
    workers: Workers,
    progress: Progress,
) -> Collected:
    """Read every file under the sources, in a fixed order; what cannot be read is listed.

    The corpus directory `into` is left out where it lies under a source. What is read is kept in
    `parts`, from where a build that was killed takes it up.
    """
    with uncollected():
        files = list(files_below(sources, without=into))
        kept = [_unchanged(file, previous) for file in files]
    fresh = [file for file, known in zip(files, kept, strict=True) if known is None]
    read = _Fresh(parts, settings, len(files), workers, progress)
    new = read.files(fresh, done=len(files) - len(fresh))
    found = [next(new) if known is None else known for known in kept]
    return Collected(
        sections=_joined(documents for _, documents, _ in found if documents is not None),
        files=[source for source, _, _ in found if source is not None],
        unreadable=[each for _, _, broken in found for each in broken],
    )


_Found = tuple[SourceFile | None, Section | None, Sequence[Unreadable]]


def _unchanged(file: FileBelow, previous: Previous) -> _Found | None:
    """Return what the last build made of a file; None where it is to be read."""
    try:
        known = previous.find(file)
    except DocumentUnreadable:
        return None  # reading it says why
    return None if known is None else (*known, previous.broken_rows(file.path))


def _joined(pieces: Iterable[Section]) -> list[Section]:
    """Make sections whose documents follow one another in their origin one."""
    found: list[list[Section]] = []
    for piece in pieces:
        last = found[-1][-1] if found else None
        if last is not None and (last.origin, last.stop) == (piece.origin, piece.first):
            found[-1].append(piece)
        elif len(piece):
            found.append([piece])
    return [_one(run) for run in found]


def _one(run: Sequence[Section]) -> Section:
    names = {place: name for each in run for place, name in each.names.items()}
    return Section(run[0].origin, run[0].first, run[-1].stop, names)


@dataclass(frozen=True, slots=True)
class _Fresh:
    """Files to be read, part by part."""

    parts: Path
    settings: BuildSettings
    total: int
    """Files of the build, for the progress."""
    workers: Workers
    progress: Progress

    def files(self, files: Sequence[FileBelow], done: int) -> Iterator[_Found]:
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
        read_parts(waiting, self.settings, self.workers, told)
        for job in jobs:
            part = load_part(job.place)
            if part is None:
                raise FileNotFoundError(f"the part {str(job.place)!r} is gone: index again")
            yield from _found(part)

    def _job(self, files: Sequence[FileBelow], size: int) -> Job:
        return Job(files, size, self.parts / part_name(files, self.settings))


def _batches(files: Sequence[FileBelow]) -> Iterator[tuple[list[FileBelow], int]]:
    """Yield files for a part each, with their bytes on disk."""
    share = sum(file.size for file in files) // (2 * cores())
    enough = min(_PART, max(_LEAST, share))
    batch: list[FileBelow] = []
    size = 0
    for file in files:
        batch.append(file)
        size += file.size
        if size >= enough:
            yield batch, size
            batch, size = [], 0
    if batch:
        yield batch, size


def _found(part: Part) -> Iterator[_Found]:
    place = 0
    for file in part.files:
        count = file.source.documents if file.source is not None else 0
        yield file.source, Section(part.origin, place, place + count), file.unreadable
        place += count
