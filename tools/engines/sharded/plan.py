"""Which files make which shard.

Files are taken in the order of a walk, so that a sharded corpus numbers its chunks as a local one
of the same files does. A shard ends where a file's own name says so, with a chance in proportion to
its size: a file that comes or goes changes the shard it is in, not all that follow.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from tools.corpus.documents.listing import FileBelow, files_below
from tools.corpus.settings import BuildSettings
from tools.engines.sharded.manifest import FORMAT, content_digest

__all__ = ("SHARD_BYTES", "PlannedShard", "plan_shards")

SHARD_BYTES = 64 * 1024 * 1024
"""What a shard's files come to, about: half of it at least, twice of it at most."""


@dataclass(frozen=True, slots=True)
class PlannedShard:
    """One shard to be made."""

    name: str
    files: tuple[FileBelow, ...]

    def dump(self) -> str:
        """Return the plan as JSON."""
        return json.dumps([asdict(each) for each in self.files])

    @classmethod
    def load(cls, name: str, written: str) -> "PlannedShard":
        """Return a plan from its name and its JSON."""
        return cls(name, tuple(FileBelow.load(each) for each in json.loads(written)))


def plan_shards(
    paths: Sequence[Path], own: Path | None, settings: BuildSettings, shard_bytes: int = SHARD_BYTES
) -> list[PlannedShard]:
    """Return the shards of all files at or below the paths; what lies below `own` is left out.

    A shard is named for its settings and its files' paths, sizes and times of change.

    Raises:
        SettingsError: If a path does not exist.
        DocumentUnreadable: If a single file goes meanwhile.
    """
    runs = _runs(files_below(paths, without=own), shard_bytes)
    return [PlannedShard(_name(run, settings), tuple(run)) for run in runs]


def _runs(files: Iterator[FileBelow], shard_bytes: int) -> Iterator[list[FileBelow]]:
    run: list[FileBelow] = []
    size = 0
    for file in files:
        run.append(file)
        size += file.size
        if size >= 2 * shard_bytes or (2 * size >= shard_bytes and _ends(file, shard_bytes)):
            yield run
            run, size = [], 0
    if run:
        yield run


def _ends(file: FileBelow, shard_bytes: int) -> bool:
    drawn = int.from_bytes(sha256(file.path.encode()).digest()[:8])
    return drawn * shard_bytes < file.size << 64


def _name(files: Sequence[FileBelow], settings: BuildSettings) -> str:
    reading = (FORMAT, settings.chunk_tokens, settings.overlap, settings.encoding)
    parts = [f"{each.path}\0{each.name}\0{each.size}\0{each.seen[1]}" for each in files]
    return content_digest([repr(reading), *parts])
