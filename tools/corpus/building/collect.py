"""Gathering the documents of a build: read and chunk what is new, carry over what is not."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from agent.errors import DocumentUnreadable
from tools.corpus.building.origin import Section
from tools.corpus.building.part import Part
from tools.corpus.building.part_reading import PartReading
from tools.corpus.building.previous import Previous
from tools.corpus.building.workers import Workers
from tools.corpus.documents.listing import FileBelow, files_below
from tools.corpus.manifest import Unreadable
from tools.corpus.processes.collection import uncollected
from tools.corpus.progress import Progress
from tools.corpus.settings import BuildSettings
from tools.corpus.storage.source_files import SourceFile

__all__ = ("Collected", "collect")


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
    with PartReading(parts, settings, workers) as reading:
        kept: list[_Found | None] = []
        with uncollected():
            for file in files_below(sources, without=into):
                known = _unchanged(file, previous)
                kept.append(known)
                if known is None:
                    reading.add(file)
        told = _Told(progress, len(kept), sum(each is not None for each in kept))
        new = chain.from_iterable(map(_found, reading.parts(told.more)))
        found = [next(new) if known is None else known for known in kept]
    return Collected(
        sections=_joined(documents for _, documents, _ in found if documents is not None),
        files=[source for source, _, _ in found if source is not None],
        unreadable=list(_broken(found)),
    )


_Found = tuple[SourceFile | None, Section | None, Sequence[Unreadable]]


def _unchanged(file: FileBelow, previous: Previous) -> _Found | None:
    """Return what the last build made of a file; None where it is to be read."""
    try:
        return previous.find(file)
    except DocumentUnreadable:
        return None  # reading it says why


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
    return [_one(run) for run in found]


def _one(run: Sequence[Section]) -> Section:
    names = {place: name for each in run for place, name in each.names.items()}
    return Section(run[0].origin, run[0].first, run[-1].stop, names)


class _Told:
    """How many of a build's files are read or need not be."""

    def __init__(self, progress: Progress, total: int, done: int) -> None:
        self._progress, self._total, self._done = progress, total, done
        progress("read", done, total)

    def more(self, files: int) -> None:
        """Tell that so many more are read."""
        self._done += files
        self._progress("read", self._done, self._total)


def _found(part: Part) -> Iterator[_Found]:
    place = 0
    for file in part.files:
        count = file.source.documents if file.source is not None else 0
        yield file.source, Section(part.origin, place, place + count), file.unreadable
        place += count
