"""The manifest of a sharded corpus: its shards in order, and what is known of all of them."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from pydantic import Field

from agent.errors import CorpusDamaged, CorpusMissing
from agent.value import Value
from tools.corpus.build_settings import BuildSettings
from tools.corpus.checksums import unsealed
from tools.corpus.source_files import FileBelow, Skipped, files_below
from tools.engines.sharded.daft_session import MANIFEST, Place

FORMAT = 4
"""Raised with every change of the files or of what readers and chunker make of the same bytes."""
SHARD_BYTES = 64 * 1024 * 1024
"""What a shard's files come to, about: half of it at least, twice of it at most."""


_Name = Annotated[str, Field(pattern=r"^[0-9a-zA-Z-]{1,64}$")]
"""What may be part of a file's name, whoever wrote the manifest."""


class Shard(Value):
    """One shard: the receipt that its building leaves."""

    name: _Name
    """The digest of what it was made of; its files carry it."""
    documents: int
    chunks: int
    words: int
    """Words in all chunks, repeats counted."""
    chars: int
    """Characters of its documents."""
    keys: dict[str, int]
    """The metadata keys as written, with their document counts."""
    unreadable: tuple[tuple[str, str], ...]
    """Path and reason of every file or row that could not be read."""
    sums: dict[str, str]
    """The checksum of the file of each of its tables."""


class ShardedManifest(Value):
    """Everything an engine must know before it reads a shard."""

    format: int
    settings: BuildSettings
    sources: tuple[str, ...]
    shards: tuple[Shard, ...]
    vocabulary: _Name
    """The digest that names the vocabulary."""
    embedder: _Name
    """The digest that names the embedder and the vectors."""
    dimensions: int
    """The length of a vector."""
    vectors: dict[str, str]
    """The checksum of each file of vectors, by its place."""

    @property
    def chunks(self) -> int:
        """The number of chunks, N."""
        return sum(shard.chunks for shard in self.shards)

    @property
    def documents(self) -> int:
        """The number of documents, D."""
        return sum(shard.documents for shard in self.shards)

    @property
    def keys(self) -> dict[str, int]:
        """The metadata keys as written with their document counts, most widespread first."""
        counts: Counter[str] = Counter()
        for shard in self.shards:
            counts.update(shard.keys)
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def files(self, table: str) -> dict[str, tuple[str, str]]:
        """Return the place and the checksum of each shard's file of a table, by the shard."""
        if table != "vectors":
            return {
                each.name: (f"{table}/{each.name}.parquet", each.sums.get(table, ""))
                for each in self.shards
            }
        held = [each.name for each in self.shards if each.chunks]
        files = {name: f"vectors/{self.embedder}/{name}.parquet" for name in held}
        return {name: (file, self.vectors.get(file, "")) for name, file in files.items()}

    @classmethod
    def load(cls, place: Place) -> "ShardedManifest":
        """Read the manifest at a place.

        Raises:
            CorpusMissing: no build has finished there.
            CorpusDamaged: it is broken, or of another version.
            CorpusUnreachable: the place cannot be read.
        """
        data = place.read(MANIFEST)
        if data is None:
            raise CorpusMissing(
                f"there is no sharded corpus at {place.root!r}: make one with "
                f"`headcount index PATH --into {place.root} --engine daft`"
            )
        try:
            manifest = cls.model_validate_json(unsealed(data))
        except ValueError as error:
            raise CorpusDamaged(
                f"the manifest at {place.root!r} is broken or of an earlier version "
                f"({str(error).splitlines()[0]}): index anew"
            ) from error
        if manifest.format != FORMAT:
            raise CorpusDamaged(
                f"the corpus at {place.root!r} has format {manifest.format}, this version reads "
                f"{FORMAT}: index it anew"
            )
        return manifest


def content_digest(parts: Sequence[str]) -> str:
    """Return a name for what is made of these parts, 20 hexadecimal digits.

    >>> content_digest(["a", "b"]) == content_digest(["ab"])
    False
    """
    taken = hashlib.sha256()
    for part in parts:
        taken.update(len(part.encode()).to_bytes(8) + part.encode())
    return taken.hexdigest()[:20]


def plan_shards(
    paths: Sequence[Path],
    own: Path | None,
    settings: BuildSettings,
    shard_bytes: int,
    skipped: list[Skipped],
) -> dict[str, list[FileBelow]]:
    """Return the files of each shard by its name; what lies below `own` is left out.

    `skipped` is told what belongs to other corpora.

    A shard is named for its settings and its files' paths, sizes and times of change.

    Raises:
        SettingsError: If a path does not exist.
        DocumentUnreadable: If a single file goes meanwhile.
    """
    runs = _runs(files_below(paths, own, skipped), shard_bytes)
    return {_name(run, settings): run for run in runs}


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
