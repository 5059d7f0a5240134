"""Building a sharded corpus by Daft: resumable by the receipts of shards, and incremental.

Only shards whose files changed are made anew, and words, embedder and vectors, which are of the
whole corpus. The manifest is replaced last: until then the corpus is what it was.
"""

import io
import json
import logging
import shutil
import tempfile
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from xxhash import xxh3_64_hexdigest

from agent.errors import CorpusDamaged, DocumentUnreadable, SettingsError
from tools.corpus.build import Report
from tools.corpus.build_settings import BuildSettings, Progress, silent
from tools.corpus.checksums import sealed, unsealed
from tools.corpus.documents import Document, cut, read_file
from tools.corpus.embeddings.lsa import LsaEmbedder, sample
from tools.corpus.generations import CorpusLayout
from tools.corpus.manifest import check_target, corpus_id, none_readable, row_path
from tools.corpus.metadata_files import described, table_rows
from tools.corpus.processes import writing, writing_shared
from tools.corpus.readers import MAY_BE_SCANS
from tools.corpus.readers.extracted import suffix_of
from tools.corpus.readers.ocr import UNREAD, lacking
from tools.corpus.source_files import FileBelow, Skipped, files_below, path_text
from tools.corpus.words.lexical import build_lexical
from tools.engines.sharded.daft_session import MANIFEST, Place, damaged, each_shard, present
from tools.engines.sharded.sharded_corpus import (
    FORMAT,
    Selection,
    Shard,
    ShardedCorpus,
    ShardedManifest,
    embedder_file,
    fetch_embedder,
    pack_embedder,
    shard_tables,
    unpack_embedder,
    vectors_table,
    vocabulary_table,
)
from tools.engines.sharded.sharded_engine import word_counts
from tools.filters.searchable import bitmap
from tools.postgres.address import ServerAddress

_BATCH = 8192
_FOLDERS = ("documents", "chunks", "words")
_MUCH = 16 * 1024 * 1024
"""Above so many bytes reading is worth processes of its own."""
_MANY = 20_000
"""Above so many chunks embedding is."""
_SHARD_BYTES = 64 * 1024 * 1024
"""What a shard's files come to, about: half of it at least, twice of it at most."""
_CHATTY = ("pypdf", "trafilatura")
"""Libraries that log what the receipts report, file by file."""


def _embedded(digest: str, shard: str, _: str, chunks: bytes, packed: bytes) -> dict[str, Any]:
    embedder = unpack_embedder(packed)
    texts = pq.read_table(io.BytesIO(chunks), columns=["text"])["text"].to_pylist()
    rows = np.zeros((len(texts), embedder.dimensions), dtype=np.float32)
    for start in range(0, len(texts), _BATCH):
        rows[start : start + _BATCH] = embedder.embed(texts[start : start + _BATCH])
    table = vectors_table(shard, rows)
    return {"receipt": xxh3_64_hexdigest(table), f"vectors/{digest}": table}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardedReport(Report):
    """What a build did; what it skipped is among what could not be read."""

    shards: int
    made: int
    """Shards that had to be made; the others were there."""


def build_sharded(
    paths: Sequence[str | Path],
    into: str | Path,
    *,
    settings: BuildSettings | None = None,
    progress: Progress | None = None,
    shard_bytes: int = _SHARD_BYTES,
    server: ServerAddress | None = None,
) -> ShardedReport:
    """Index the files at or below the paths into shards, or bring them up to date.

    Every node must see the paths, and a folder, at the same place; `into` may be a URL such as
    `s3://bucket/x.shards`. Of the embedders only `lsa` runs on a cluster. The server keeps the
    writer's lock for other machines, and for a URL at all. Raises as `tools.corpus.build.build`,
    SettingsError also where two folders hold documents of one name, or Daft is not installed.
    """
    began = time.monotonic()
    settings, told = settings or BuildSettings(), progress or silent
    if settings.embedder != "lsa":
        raise SettingsError(f"a sharded corpus is embedded by lsa, not by {settings.embedder!r}")
    place = Place.of(into)
    with _locked(place), writing_shared(server, place.root, place.root) as still_alone:
        sources = [Path(path) for path in paths]
        skipped: list[Skipped] = []
        own = None if place.is_remote else place.folder
        below = files_below(sources, own, skipped)
        files, metadata = described(below, partial(table_rows, encoding=settings.encoding))
        plan = {_name(run, settings): run for run in _runs(files, shard_bytes)}
        _check_names(chain.from_iterable(plan.values()))
        known = _finished(place, plan)
        missing = {name: files for name, files in plan.items() if name not in known}
        made = _make(place, missing, settings, told)
        shards = [(known | made)[name] for name in plan]
        unreadable = tuple(each for shard in shards for each in shard.unreadable)
        if not any(shard.documents for shard in shards):
            raise none_readable(unreadable)
        named = tuple(path_text(path.resolve()) for path in sources)
        still_alone()
        corpus = _published(place, shards, settings, named, told)
        _sweep(corpus)
    return ShardedReport(
        shards=len(shards),
        made=len(made),
        documents=corpus.manifest.documents,
        chunks=corpus.chunk_count,
        unreadable=(*skipped, *unreadable),
        metadata=tuple(metadata),
        languages=corpus.manifest.spoken,
        seconds=time.monotonic() - began,
    )


def _published(
    place: Place,
    shards: Sequence[Shard],
    settings: BuildSettings,
    sources: tuple[str, ...],
    progress: Progress,
) -> ShardedCorpus:
    """Count the words of all shards, embed them, and make them the corpus at the place."""
    held = [shard for shard in shards if shard.chunks]
    digest = _digest([settings.embedder, *(shard.name for shard in held)])
    manifest = ShardedManifest(
        format=FORMAT,
        settings=settings,
        sources=sources,
        shards=tuple(shards),
        vocabulary=digest,
        embedder=digest,
        dimensions=0,
        vectors={},
    )
    corpus = ShardedCorpus(place, manifest)
    progress("words", 0, 1)
    place.write(f"vocabulary/{digest}.parquet", vocabulary_table(word_counts(corpus)))
    dimensions, vectors = _embed(corpus, digest, progress)
    manifest = manifest.model_copy(update={"dimensions": dimensions, "vectors": vectors})
    place.write(MANIFEST, sealed(manifest.model_dump_json(indent=1).encode()))
    return ShardedCorpus(place, manifest)


def _digest(parts: Sequence[str]) -> str:
    """Return a name for what is made of these parts, 20 hexadecimal digits.

    >>> _digest(["a", "b"]) == _digest(["ab"])
    False
    """
    taken = sha256()
    for part in parts:
        taken.update(len(part.encode()).to_bytes(8) + part.encode())
    return taken.hexdigest()[:20]


def _runs(files: Iterable[FileBelow], shard_bytes: int) -> Iterator[list[FileBelow]]:
    run: list[FileBelow] = []
    size = 0
    for file in files:
        run.append(file)
        size += file.size
        drawn = int.from_bytes(sha256(file.path.encode()).digest()[:8])
        ends = drawn * shard_bytes < file.size << 64
        if size >= 2 * shard_bytes or (2 * size >= shard_bytes and ends):
            yield run
            run, size = [], 0
    if run:
        yield run


def _name(files: Sequence[FileBelow], settings: BuildSettings) -> str:
    """Name a shard for its settings and its files' paths, sizes, times of change and metadata.

    One that may hold scans has another name where they can be read, or in other languages.
    """
    reading = (FORMAT, settings.chunk_tokens, settings.overlap, settings.encoding)
    parts = [
        f"{each.path}\0{each.name}\0{each.size}\0{each.seen[1]}\0{each.metadata_digest}"
        for each in files
    ]
    if any(suffix_of(each.path).lower() in MAY_BE_SCANS for each in files):
        parts.append(UNREAD if lacking(settings.ocr) else settings.ocr)
    return _digest([repr(reading), *parts])


def _check_names(files: Iterable[FileBelow]) -> None:
    """Refuse two documents of one name: they could not be told apart across shards."""
    seen: dict[str, str] = {}
    for file in files:
        if seen.setdefault(file.name, file.file) != file.file:
            raise SettingsError(
                f"{seen[file.name]!r} and {file.file!r} would be one document, {file.name!r}: "
                "index the folder above both"
            )


def _receipt(name: str) -> str:
    return f"shards/{name}.json"


def _finished(place: Place, names: Iterable[str]) -> dict[str, Shard]:
    """Return the shards that an earlier build finished, by name, but those that are damaged."""
    shards: dict[str, Shard] = {}
    for written in present(place, [_receipt(name) for name in names]).values():
        with suppress(ValueError):
            shard = Shard.model_validate_json(unsealed(written))
            shards[shard.name] = shard
    sums = {
        f"{folder}/{name}.parquet": shard.sums.get(folder, "")
        for name, shard in shards.items()
        for folder in _FOLDERS
    }
    for file in damaged(place, sums):
        shards.pop(Path(file).stem, None)
    return shards


def _make(
    place: Place,
    plan: Mapping[str, Sequence[FileBelow]],
    settings: BuildSettings,
    progress: Progress,
) -> dict[str, Shard]:
    """Make the shards and write the receipt of each as it is done."""
    made: dict[str, Shard] = {}
    progress("read", 0, len(plan))
    tasks = {name: json.dumps([asdict(each) for each in files]) for name, files in plan.items()}
    apart = sum(file.size for files in plan.values() for file in files) > _MUCH
    work = partial(_shard_files, settings)
    for name, receipt in each_shard(place, tasks, work, _FOLDERS, apart=apart):
        place.write(_receipt(name), sealed(receipt.encode()))
        made[name] = Shard.model_validate_json(receipt)
        progress("read", len(made), len(plan))
    return made


def _shard_files(settings: BuildSettings, name: str, task: str) -> dict[str, Any]:
    """Return a shard's tables by folder, and its receipt, which lists what cannot be read."""
    for library in _CHATTY:
        logging.getLogger(library).setLevel(logging.CRITICAL)
    documents: list[Document] = []
    unreadable: list[tuple[str, str]] = []
    for file in map(FileBelow.load, json.loads(task)):
        try:
            read = read_file(file, encoding=settings.encoding, ocr=settings.ocr)
            documents += cut(read.documents, settings)
        except DocumentUnreadable as error:
            unreadable.append((file.path, str(error)))
            continue
        unreadable += [(row_path(file.path, row), why) for row, why in read.broken]
    tables, receipt = shard_tables(name, documents, unreadable)
    return {"receipt": receipt.model_dump_json(), **tables}


def _embed(corpus: ShardedCorpus, digest: str, progress: Progress) -> tuple[int, Mapping[str, str]]:
    """Fit the embedder, embed what is not yet; return the vectors' length and files' checksums."""
    place, folder = corpus.place, f"vectors/{digest}"
    try:
        fetch_embedder(place, digest)
    except CorpusDamaged:
        progress("fit", 0, 1)
        chosen = bitmap(sample(corpus.chunk_count))
        found = Selection.of(corpus, chosen).texts("text")
        texts = [found[chunk]["text"] for chunk in chosen]
        with tempfile.TemporaryDirectory() as drafted:
            fitted = LsaEmbedder.fit(build_lexical(texts, Path(drafted) / "lexical"))
        place.write(embedder_file(digest), pack_embedder(fitted))
    names = [shard.name for shard in corpus.shards if shard.chunks]
    done = present(place, [f"{folder}/{name}.done" for name in names])
    sums = {f"{each[:-5]}.parquet": held.decode("utf-8", "replace") for each, held in done.items()}
    for wrong in damaged(place, sums):
        del sums[wrong]
    missing = [name for name in names if f"{folder}/{name}.parquet" not in sums]
    corpus.checked("chunks", missing)
    tasks, work = dict.fromkeys(missing, ""), partial(_embedded, digest)
    inputs = {name: (f"chunks/{name}.parquet", embedder_file(digest)) for name in missing}
    apart = corpus.manifest.chunks > _MANY
    made = each_shard(place, tasks, work, [folder], inputs=inputs, apart=apart)
    for count, (name, checksum) in enumerate(made, start=1):
        place.write(f"{folder}/{name}.done", checksum.encode())
        sums[f"{folder}/{name}.parquet"] = checksum
        progress("embed", count, len(missing))
    return fetch_embedder(place, digest).dimensions, sums


@contextmanager
def _locked(place: Place) -> Iterator[None]:
    """Hold the lock of a folder; an object store has none of its own."""
    if place.is_remote:
        yield
        return
    layout = CorpusLayout(place.folder)
    check_target(layout, sharded=True)
    layout.check_links()
    layout.root.mkdir(parents=True, exist_ok=True)
    with writing(layout.lock):
        corpus_id(layout.root)
        yield


def _sweep(corpus: ShardedCorpus) -> None:
    """Remove from a folder what no shard of the corpus uses; an object store keeps it."""
    if corpus.place.is_remote:
        return
    manifest = corpus.manifest
    used = {shard.name for shard in manifest.shards}
    digests = {manifest.vocabulary, manifest.embedder}
    for folder in (*_FOLDERS, "shards"):
        _remove(corpus.place.folder / folder, used)
    for folder in ("vocabulary", "embedder", "vectors"):
        _remove(corpus.place.folder / folder, digests)


def _remove(folder: Path, used: Collection[str]) -> None:
    for each in folder.iterdir():
        if each.name.partition(".")[0] in used:
            continue
        if each.is_dir():
            shutil.rmtree(each)
        else:
            each.unlink()
