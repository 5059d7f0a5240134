"""Building a corpus: atomic, incremental, resumable, in bounded memory, one writer.

A build reads only files that are new or changed, part by part; what it has read is on disk, so that
one that was killed is taken up where it was. Tables, words, vectors and clusters are then written
from the parts and the generation before, block by block. The new generation takes the old one's
place in one step: until then the corpus is as it was.
"""

import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from agent.errors import CorpusDamaged, CorpusError, CorpusMissing, SettingsError
from tools.corpus.building.collect import Collected, collect
from tools.corpus.building.embed import Carried
from tools.corpus.building.origin import Section, runs
from tools.corpus.building.previous import Previous
from tools.corpus.building.tables_build import join_tables
from tools.corpus.building.vectors_build import VectorBuild
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.documents.entry import distinct
from tools.corpus.documents.folder import path_text
from tools.corpus.embeddings.embedder import check_embedder
from tools.corpus.health import problems_of
from tools.corpus.identity import corpus_id
from tools.corpus.manifest import FORMAT, Manifest, corpus_digest
from tools.corpus.processes.lock import writing, writing_shared
from tools.corpus.progress import Progress, silent
from tools.corpus.settings import BuildSettings, Endpoint
from tools.corpus.storage.generations import draft, flush, publish, replace_file, sweep
from tools.corpus.storage.layout import CorpusLayout, Generation
from tools.corpus.storage.tables import ChunkTable
from tools.corpus.words.counts import Run
from tools.corpus.words.lexical_build import write_lexical
from tools.corpus.words.lexical_update import LexicalUpdate, updatable
from tools.postgres.address import ServerAddress

__all__ = ("BuildReport", "BuildSettings", "build")

_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """What a build did; documents are compared by name and content."""

    added: int
    updated: int
    removed: int
    unchanged: int
    unreadable: tuple[tuple[str, str], ...]
    """Path and reason of every file that could not be read."""
    notes: tuple[tuple[str, str], ...]
    """Path and what its reader notes of it, each note once a file."""
    documents: int
    chunks: int
    seconds: float


def build(
    paths: Sequence[str | Path],
    into: str | Path,
    *,
    settings: BuildSettings | None = None,
    progress: Progress | None = None,
    endpoint: Endpoint | None = None,
    server: ServerAddress | None = None,
    checksum: bool = False,
) -> BuildReport:
    """Index the files at or below the paths into a corpus directory, or bring it up to date.

    Documents that are no longer below the given paths leave the corpus; its runs stay. `endpoint`
    reaches a paid embedder; `server` keeps the writer's lock for other machines. `checksum` reads
    every file's content, also of those whose size, time of change and inode are as they were.

    Raises:
        SettingsError: If a path does not exist, the embedder is unknown, or `into` is something
            else than a corpus.
        CorpusLocked: If another process is building it.
        CorpusUnreachable: If the server does not answer, or went away meanwhile; the corpus is as
            it was.
        CorpusError: If not one document can be read.
    """
    began = time.monotonic()
    settings = settings or BuildSettings()
    check_embedder(settings.embedder)
    layout = CorpusLayout(Path(into))
    _check_target(layout)
    layout.root.mkdir(parents=True, exist_ok=True)
    with (
        writing(layout.lock),
        writing_shared(server, corpus_id(layout.root), str(layout.root)) as still_alone,
    ):
        sweep(layout)
        old = _opened(layout)
        before = {} if old is None else _contents(old.manifest, old.documents)
        previous = Previous(old, layout.generation(), settings, checksum=checksum)
        job = _Job(layout, settings, endpoint or Endpoint(), progress or silent, old, still_alone)
        manifest = job.run([Path(path) for path in paths], previous)
        shutil.rmtree(layout.parts, ignore_errors=True)
    after = _contents(manifest, distinct([entry.name for entry in manifest.documents]))
    return _report(before, after, manifest, time.monotonic() - began)


@dataclass(frozen=True, slots=True)
class _Job:
    """One build under the lock."""

    layout: CorpusLayout
    settings: BuildSettings
    endpoint: Endpoint
    progress: Progress
    old: Corpus | None
    still_alone: Callable[[], None]
    """Raises where the lock was lost."""

    def run(self, paths: Sequence[Path], previous: Previous) -> Manifest:
        """Collect the documents and write what changed; return the manifest in use."""
        parts = self.layout.parts
        found = collect(paths, self.layout.root, parts, self.settings, previous, self.progress)
        if not found.sections:
            raise CorpusError(_nothing(found))
        sources = tuple(path_text(path.resolve()) for path in paths)
        manifest = self._manifest(found, sources)
        if self.old is None or not _same_content(self.old.manifest, manifest):
            return self._write(found.sections, manifest)
        known = self.old.manifest
        told = {"dimensions": known.dimensions, "tokens": known.tokens}
        manifest = manifest.model_copy(update=told)
        generation = self.layout.generation()
        if manifest != known and generation is not None:
            replace_file(generation.manifest, manifest.dump())
        return manifest

    def _write(self, sections: Sequence[Section], manifest: Manifest) -> Manifest:
        with draft(self.layout) as generation:
            dimensions = self._index(sections, manifest, generation)
            tokens = int(ChunkTable.load(generation).tokens.sum())
            told = {"dimensions": dimensions, "tokens": tokens}
            manifest = manifest.model_copy(update=told)
            generation.manifest.write_text(manifest.dump(), encoding="utf-8")
            self.still_alone()
            publish(self.layout, generation, manifest.digest)
        return manifest

    def _index(
        self, sections: Sequence[Section], manifest: Manifest, generation: Generation
    ) -> int:
        """Write everything but the manifest; return the vectors' length."""
        self.progress("words", 0, manifest.chunks)
        carried = Carried.of(sections, 0 if self.old is None else len(self.old))
        counted = runs(sections)
        update = self._update(carried, counted)  # its many small steps would wait for the tables'
        with ThreadPoolExecutor(1) as beside:
            joined = beside.submit(join_tables, sections, generation)
            if update is None:
                write_lexical(counted, generation.lexical, progress=self.progress)
            else:
                update.save(generation.lexical, self.progress)
            joined.result()
            flushed = beside.submit(flush, generation.root)
            dimensions = self._embed(carried, manifest, generation)
            flushed.result()
        return dimensions

    def _embed(self, carried: Carried, manifest: Manifest, generation: Generation) -> int:
        fitted = self.layout.parts / f"space-{manifest.digest[:16]}"
        vectors = VectorBuild(
            self.settings.embedder, self.endpoint, self.old, fitted, self.progress
        )
        return vectors.save(carried, generation)

    def _update(self, carried: Carried, counted: Sequence[Run]) -> LexicalUpdate | None:
        """Return the lexical index as an update of the one before; None where it is none."""
        before = self.layout.generation()
        if before is None or not updatable(carried.places):
            return None
        return LexicalUpdate.of(before.lexical, carried.places, counted)

    def _manifest(self, found: Collected, sources: tuple[str, ...]) -> Manifest:
        documents = tuple(entry for section in found.sections for entry in section.entries)
        content = [(entry.name, entry.path, entry.digest) for entry in documents]
        return Manifest(
            format=FORMAT,
            settings=self.settings,
            sources=sources,
            files=tuple(found.files),
            documents=documents,
            unreadable=tuple(found.unreadable),
            chunks=sum(entry.chunks for entry in documents),
            tokens=0,
            embedder=self.settings.embedder,
            dimensions=0,
            digest=corpus_digest(self.settings, content),
        )


def _check_target(layout: CorpusLayout) -> None:
    if layout.root.is_dir() and not layout.is_corpus() and _holds_more(layout):
        raise SettingsError(
            f"{str(layout.root)!r} is not empty and not a corpus: name another directory"
        )
    if layout.root.exists() and not layout.root.is_dir():
        raise SettingsError(f"{str(layout.root)!r} is a file: name a directory")


def _holds_more(layout: CorpusLayout) -> bool:
    """Return whether anything lies there but what a build leaves that found nothing."""
    left = (layout.lock, layout.id)
    return any(each not in left or each.is_dir() for each in layout.root.iterdir())


def _opened(layout: CorpusLayout) -> Corpus | None:
    """Open the generation in use; a missing or damaged one is built from nothing."""
    try:
        corpus = open_corpus(layout.root)
    except (CorpusMissing, CorpusDamaged):
        return None
    return None if problems_of(corpus) else corpus


def _nothing(found: Collected) -> str:
    if not found.unreadable:
        return "there is no document below the given paths (hidden files are skipped)"
    reasons = [f"{file.path!r}: {file.reason}" for file in found.unreadable[:_SHOWN]]
    more = len(found.unreadable) - len(reasons)
    rest = f"; and {more} more" if more else ""
    return f"not one document can be read: {'; '.join(reasons)}{rest}"


def _same_content(old: Manifest, new: Manifest) -> bool:
    if (old.digest, old.documents) != (new.digest, new.documents):
        return False
    return [file.content for file in old.files] == [file.content for file in new.files]


def _contents(manifest: Manifest, names: Sequence[str]) -> dict[str, str]:
    return {name: entry.digest for name, entry in zip(names, manifest.documents, strict=True)}


def _report(
    before: dict[str, str], after: dict[str, str], manifest: Manifest, seconds: float
) -> BuildReport:
    both = before.keys() & after.keys()
    unchanged = sum(before[name] == after[name] for name in both)
    return BuildReport(
        added=len(after.keys() - before.keys()),
        updated=len(both) - unchanged,
        removed=len(before.keys() - after.keys()),
        unchanged=unchanged,
        unreadable=tuple((file.path, file.reason) for file in manifest.unreadable),
        notes=tuple(
            dict.fromkeys((e.path, note) for e in manifest.documents for note in e.warnings)
        ),
        documents=len(manifest.documents),
        chunks=manifest.chunks,
        seconds=seconds,
    )
