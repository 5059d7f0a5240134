"""Building a corpus: atomic, incremental, one writer.

A build reads only files that are new or changed; words, vectors and clusters are counted anew, for
they depend on all chunks. The new generation takes the old one's place in one step, so a build that
is killed leaves the corpus as it was.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agent.errors import CorpusDamaged, CorpusError, CorpusMissing, SettingsError
from tools.corpus.clusters import cluster, features
from tools.corpus.collect import Collected, collect
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.embed import Carried, embed_chunks
from tools.corpus.embedder import check_embedder
from tools.corpus.entry import Entry, distinct
from tools.corpus.folder import path_text
from tools.corpus.generations import draft, publish, replace_file, sweep
from tools.corpus.health import problems_of
from tools.corpus.layout import CorpusLayout, Generation
from tools.corpus.lexical_build import build_lexical
from tools.corpus.lock import writing
from tools.corpus.manifest import FORMAT, DocumentEntry, Manifest, corpus_digest
from tools.corpus.previous import Previous
from tools.corpus.progress import Progress, silent
from tools.corpus.settings import BuildSettings, Endpoint
from tools.corpus.tables_build import save_tables

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
) -> BuildReport:
    """Index the files at or below the paths into a corpus directory, or bring it up to date.

    Documents that are no longer below the given paths leave the corpus; its runs stay. `endpoint`
    reaches a paid embedder.

    Raises:
        SettingsError: If a path does not exist, the embedder is unknown, or `into` is something
            else than a corpus.
        CorpusLocked: If another process is building it.
        CorpusError: If not one document can be read.
    """
    began = time.monotonic()
    settings = settings or BuildSettings()
    check_embedder(settings.embedder)
    layout = CorpusLayout(Path(into))
    _check_target(layout)
    layout.root.mkdir(parents=True, exist_ok=True)
    with writing(layout.lock):
        sweep(layout)
        old = _opened(layout)
        before = {} if old is None else _contents(old.manifest, old.documents)
        job = _Job(layout, settings, endpoint or Endpoint(), progress or silent, old)
        manifest = job.run([Path(path) for path in paths])
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

    def run(self, paths: Sequence[Path]) -> Manifest:
        """Collect the documents and write what changed; return the manifest in use."""
        previous = Previous(self.old, self.settings)
        found = collect(paths, self.layout.root, self.settings, previous, self.progress)
        if not found.entries:
            raise CorpusError(_nothing(found))
        sources = tuple(path_text(path.resolve()) for path in paths)
        manifest = self._manifest(found, sources)
        if self.old is None or not _same_content(self.old.manifest, manifest):
            return self._write(found.entries, manifest)
        manifest = manifest.model_copy(update={"dimensions": self.old.manifest.dimensions})
        generation = self.layout.generation()
        if manifest != self.old.manifest and generation is not None:
            replace_file(generation.manifest, manifest.dump())
        return manifest

    def _write(self, entries: Sequence[Entry], manifest: Manifest) -> Manifest:
        with draft(self.layout) as generation:
            dimensions = self._index(entries, generation)
            manifest = manifest.model_copy(update={"dimensions": dimensions})
            generation.manifest.write_text(manifest.dump(), encoding="utf-8")
            publish(self.layout, generation, manifest.digest)
        return manifest

    def _index(self, entries: Sequence[Entry], generation: Generation) -> int:
        """Write everything but the manifest; return the vectors' length."""
        texts = save_tables(entries, generation)
        total = len(texts)
        self.progress("words", 0, total)
        index = build_lexical(texts, generation.lexical)
        carried = Carried.of(entries, self.old, self.settings.embedder)
        embedder, rows = embed_chunks(
            index, texts, carried, self.settings, self.endpoint, self.progress
        )
        embedder.save(generation.embedder)
        np.save(generation.vectors, rows)
        self.progress("cluster", 0, total)
        np.save(generation.clusters, cluster(features(rows, self.settings.embedder, index)))
        self.progress("cluster", total, total)
        return int(rows.shape[1])

    def _manifest(self, found: Collected, sources: tuple[str, ...]) -> Manifest:
        entries = found.entries
        documents = tuple(_document_entry(entry) for entry in entries)
        content = [(entry.name, entry.path, entry.digest) for entry in documents]
        return Manifest(
            format=FORMAT,
            settings=self.settings,
            sources=sources,
            files=tuple(found.files),
            documents=documents,
            unreadable=tuple(found.unreadable),
            chunks=sum(len(entry.chunks) for entry in entries),
            tokens=sum(chunk.tokens for entry in entries for chunk in entry.chunks),
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
    """Return whether anything lies there but the lock, which a build leaves that found nothing."""
    return any(each != layout.lock or each.is_dir() for each in layout.root.iterdir())


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
    return (old.digest, old.documents, old.files) == (new.digest, new.documents, new.files)


def _document_entry(entry: Entry) -> DocumentEntry:
    document = entry.document
    return DocumentEntry(
        name=document.name,
        path=document.path,
        title=document.title,
        digest=document.digest,
        reader=document.reader,
        encoding=document.encoding,
        chars=len(document.text),
        chunks=len(entry.chunks),
        warnings=document.warnings,
    )


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
        documents=len(manifest.documents),
        chunks=manifest.chunks,
        seconds=seconds,
    )
