"""Reading the parts of a build, in processes of their own where there is enough to read."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from tools.corpus.building.part import write_part
from tools.corpus.building.workers import Workers
from tools.corpus.documents.listing import FileBelow
from tools.corpus.processes.threads import cores
from tools.corpus.settings import BuildSettings

__all__ = ("Job", "read_parts")

_WORTH = 32 * 1024 * 1024
"""Bytes below which starting processes takes longer than it saves."""


@dataclass(frozen=True, slots=True)
class Job:
    """A part to be read."""

    files: Sequence[FileBelow]
    bytes: int
    """Of the files as they lie on disk."""
    place: Path
    """Where the part goes."""


def read_parts(
    jobs: Sequence[Job], settings: BuildSettings, workers: Workers, done: Callable[[Job], None]
) -> None:
    """Read the parts; `done` is called, one call at a time, with each that is finished.

    Processes that have read much are ended: they keep the memory that it took.

    Raises:
        SettingsError: Python has no such encoding as the settings name.
        CorpusError: a reading process ended before its part was finished.
        OSError: a part cannot be written.
    """
    much = sum(job.bytes for job in jobs) >= _WORTH
    if min(cores(), len(jobs)) < 2 or not (workers.running or much):
        for job in jobs:
            write_part(job.files, settings, job.place)
            done(job)
        return

    def read(job: Job) -> Job:
        files = [asdict(each) for each in job.files]
        asked = {"files": files, "settings": asdict(settings), "place": str(job.place)}
        workers.do("read", asked, job.files[0].file)
        return job

    workers.start()
    with ThreadPoolExecutor(cores()) as pool:
        for job in pool.map(read, jobs):
            done(job)
    if much:
        workers.end()
