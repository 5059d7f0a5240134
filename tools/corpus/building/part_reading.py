"""Reading files part by part while others are listed, in processes of their own if there are many.

What is read is kept on disk, from where a build that was killed takes it up.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from tools.corpus.building.part import Part, load_part, part_name, write_part
from tools.corpus.building.workers import Workers
from tools.corpus.documents.listing import FileBelow
from tools.corpus.processes.threads import cores
from tools.corpus.settings import BuildSettings

__all__ = ("PartReading",)

_WORTH = 32 * 1024 * 1024
"""Bytes below which starting processes takes longer than it saves."""
_PART = 8 * 1024 * 1024
"""Bytes of files that make a part, at least: what is read again after a kill, a core."""
_LEAST = 1024 * 1024
"""Bytes that make one of the first parts, so that every core has some where little is read."""


@dataclass(frozen=True, slots=True)
class _Job:
    files: Sequence[FileBelow]
    place: Path
    """Where the part goes."""


class PartReading:
    """Files to be read, and the parts that they make."""

    def __init__(self, place: Path, settings: BuildSettings, workers: Workers) -> None:
        self._place = place
        """The folder of the parts."""
        self._settings = settings
        self._workers = workers
        self._pool: ThreadPoolExecutor | None = None
        """A thread a process."""
        self._jobs: list[_Job] = []
        self._begun: list[Future[int]] = []
        """What processes do: the files of each of the jobs, or of none of them."""
        self._batch: list[FileBelow] = []
        self._size = 0
        """Bytes of the batch."""
        self._total = 0
        """Bytes of all files."""

    def __enter__(self) -> Self:
        """Return it; parts of before are still there."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        _error: BaseException | None,
        _at: TracebackType | None,
    ) -> None:
        """Leave off: what is being read then is ended, what has been read is kept."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)  # before a process is free again
        if kind is not None:
            self._workers.end()
        if self._pool is not None:
            self._pool.shutdown()

    def add(self, file: FileBelow) -> None:
        """Have a file read; with those before it, it may make a part that is begun at once."""
        self._batch.append(file)
        self._size += file.size
        self._total += file.size
        if self._size >= min(_PART, max(_LEAST, self._total // (2 * cores()))):
            self._close()

    def parts(self, done: Callable[[int], None]) -> list[Part]:
        """Return the parts of all files, in their order; `done` is told how many files each read.

        Processes that have read much are ended: they keep the memory that it took.

        Raises:
            SettingsError: Python has no such encoding as the settings name.
            CorpusError: a reading process ended before its part was finished.
            OSError: a part cannot be written.
        """
        if self._batch:
            self._close()
        for job in self._left():
            if load_part(job.place) is None:
                write_part(job.files, self._settings, job.place)
            done(len(job.files))
        for begun in self._begun:
            if not begun.cancelled():
                done(begun.result())
        if self._total >= _WORTH:
            self._workers.end()
        return [_finished(job.place) for job in self._jobs]

    def _left(self) -> Iterator[_Job]:
        """Yield what this process is to read: if it is little, what no other has begun by then."""
        if not self._begun:
            yield from self._jobs
        elif self._total < _WORTH:
            for job, begun in zip(reversed(self._jobs), reversed(self._begun), strict=True):
                if begun.cancel():
                    yield job

    def _close(self) -> None:
        """Make a part of the batch."""
        name = part_name(self._batch, self._settings)
        self._jobs.append(_Job(self._batch, self._place / name))
        self._batch, self._size = [], 0
        if self._workers.running or (cores() > 1 and self._total >= _WORTH):
            self._begin(self._jobs[len(self._begun) :])

    def _begin(self, jobs: Sequence[_Job]) -> None:
        """Hand jobs to the processes."""
        if self._pool is None:
            self._workers.start()
            self._pool = ThreadPoolExecutor(self._workers.running)
        self._begun.extend(self._pool.submit(self._read, job) for job in jobs)

    def _read(self, job: _Job) -> int:
        """Have a process read a part; return how many files it has."""
        if load_part(job.place) is None:
            files = [asdict(each) for each in job.files]
            asked = {"files": files, "settings": asdict(self._settings), "place": str(job.place)}
            self._workers.do("read", asked, job.files[0].file)
        return len(job.files)


def _finished(place: Path) -> Part:
    part = load_part(place)
    if part is None:
        raise FileNotFoundError(f"the part {str(place)!r} is gone: index again")
    return part
