"""Building a corpus: atomic, incremental, resumable, in bounded memory, one writer.

A build reads new and changed files in parts, then writes tables, words, vectors and clusters from
these and the generation before, whose place the new one takes in one step.
"""

import shutil
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from agent.errors import CorpusDamaged, CorpusMissing
from agent.trusted_files import trust
from tools.corpus.build_settings import BuildSettings, FileLimits, Progress, silent
from tools.corpus.building.build_processes import Workers
from tools.corpus.building.collect import Collected, Previous, collect
from tools.corpus.building.part import Section, concatenated, join_tables
from tools.corpus.building.vectors_build import VectorBuild, places_before
from tools.corpus.checksums import save_sums
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.document_table import ChunkTable, notes_of, save_files
from tools.corpus.embeddings.embedder import check_embedder
from tools.corpus.embeddings.lsa import FACTS
from tools.corpus.fields.field_file import corrections_text, read_corrections
from tools.corpus.fields.field_table import write_fields
from tools.corpus.generations import (
    CorpusLayout,
    Generation,
    draft,
    flush,
    publish,
    replace_file,
    replace_with,
    sweep,
)
from tools.corpus.manifest import (
    FORMAT,
    Manifest,
    check_target,
    corpus_digest,
    corpus_id,
    none_readable,
)
from tools.corpus.processes import writing, writing_shared
from tools.corpus.source_files import check_sources, path_text
from tools.corpus.words.lexical import write_lexical
from tools.postgres.address import ServerAddress

if TYPE_CHECKING:
    import polars as pl

__all__ = ("BuildReport", "BuildSettings", "build")


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a build found, of whatever corpus."""

    unreadable: tuple[tuple[str, str], ...]
    """Path and reason of every file or row that could not be read."""
    metadata: tuple[str, ...]
    """A line for each source of metadata: of how many documents it is, and what fits nothing."""
    languages: Mapping[str, int]
    """How many documents are in each language, by its code; under "" those of which none is sure.
    """
    documents: int
    chunks: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport(Report):
    """What a build did; documents are compared by name and content."""

    added: int
    updated: int
    removed: int
    unchanged: int
    notes: tuple[tuple[str, str], ...]
    """Path and what its reader notes of it, each note once a file; first what was skipped."""
    fields: tuple[str, ...]
    """A line for each thing to be told of what a person says of fields."""


def build(
    paths: Sequence[str | Path],
    into: str | Path,
    *,
    settings: BuildSettings | None = None,
    progress: Progress | None = None,
    server: ServerAddress | None = None,
    checksum: bool = False,
    limits: FileLimits | None = None,
) -> BuildReport:
    """Index the files at or below the paths into a corpus directory, or bring it up to date.

    Documents that are no longer below the given paths leave the corpus; its runs stay. `server`
    keeps the writer's lock for other machines. `checksum` reads every file's content, also of
    those whose size, time of change and inode are as they were.

    Raises SettingsError for a path, an embedder or an `into` that cannot be used, CorpusLocked
    while another process builds it, CorpusUnreachable where the server is lost, CorpusError where
    not one document can be read. The corpus is then as it was.
    """
    began = time.monotonic()
    settings = settings or BuildSettings()
    check_embedder(settings.embedder)
    check_sources([Path(path) for path in paths])
    layout = CorpusLayout(Path(into))
    check_target(layout)
    layout.check_links()
    layout.root.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (
        writing(layout.lock),
        writing_shared(server, corpus_id(layout.root), str(layout.root)) as still_alone,
        Workers(limits) as workers,
    ):
        sweep(layout)
        given = settings.fields is not None
        if not given and layout.fields.exists():
            settings = replace(settings, fields=read_corrections(layout.fields))
        old = _opened(layout)
        previous = Previous(old, settings, checksum=checksum)
        job = _Job(layout, settings, progress or silent, old, previous, workers, still_alone, given)
        report = job.run([Path(path) for path in paths])
        made = layout.generation()
        if made is not None and settings.embedder != "lsa":  # whoever names it agrees to it
            trust(layout.root / FACTS, (made.embedder / FACTS).read_bytes())
        shutil.rmtree(layout.parts, ignore_errors=True)
    return replace(report, seconds=time.monotonic() - began)


@dataclass(frozen=True, slots=True)
class _Job:
    """One build under the lock."""

    layout: CorpusLayout
    settings: BuildSettings
    progress: Progress
    old: Corpus | None
    """The generation in use; None where there is none, or a damaged one."""
    previous: Previous
    workers: Workers
    still_alone: Callable[[], None]
    """Raises where the lock was lost."""
    given: bool
    """Whether fields are corrected now, and not as they were before."""
    told: list[str] = field(default_factory=list)
    """A line for each thing to be told of the corrections."""

    def run(self, paths: Sequence[Path]) -> BuildReport:
        """Collect the documents and write what changed."""
        found = collect(
            paths, self.layout, self.settings, self.previous, self.workers, self.progress
        )
        if not found.sections:
            raise none_readable([(each.path, each.reason) for each in found.unreadable])
        documents = concatenated([each.documents() for each in found.sections])
        manifest = self._manifest(found, documents, paths)
        if self.old is not None and self._is_as_before(self.old, found, documents, manifest):
            self._update(self.old, found, manifest)
        else:
            self._write(found, documents, manifest)
        return self._report(found, documents)

    def _is_as_before(
        self, old: Corpus, found: Collected, documents: "pl.DataFrame", manifest: Manifest
    ) -> bool:
        """Return whether the generation in use holds the same, read from the same files."""
        if old.manifest.digest != manifest.digest or not documents.equals(self.previous.documents):
            return False
        return [each.content for each in found.files] == [each.content for each in old.files]

    def _update(self, old: Corpus, found: Collected, manifest: Manifest) -> None:
        self._keep_corrections()
        told = old.manifest.model_dump(include={"dimensions", "tokens"})
        manifest = manifest.model_copy(update=told)
        if found.files != list(old.files):
            replace_with(old.generation.files, partial(save_files, found.files))
        if manifest != old.manifest:
            replace_file(old.generation.manifest, manifest.dump())

    def _report(self, found: Collected, documents: "pl.DataFrame") -> BuildReport:
        """Compare the documents with those before, if there are any."""
        before, after = (
            dict(each.select("name", "digest").iter_rows())
            for each in (self.previous.documents, documents)
        )
        both = before.keys() & after.keys()
        unchanged = sum(before[name] == after[name] for name in both)
        if self.settings.fields and not self.given:
            self.told.insert(0, f"corrected as before, by {self.layout.fields}")
        return BuildReport(
            added=len(after.keys() - before.keys()),
            updated=len(both) - unchanged,
            removed=len(before.keys() - after.keys()),
            unchanged=unchanged,
            unreadable=tuple((file.path, file.reason) for file in found.unreadable),
            notes=(*found.skipped, *notes_of(documents)),
            metadata=tuple(found.metadata),
            fields=tuple(self.told),
            languages=dict(Counter(documents["language"].to_list())),
            documents=len(documents),
            chunks=int(documents["chunks"].sum()),
            seconds=0.0,  # until the build has ended
        )

    def _write(self, found: Collected, documents: "pl.DataFrame", manifest: Manifest) -> None:
        with draft(self.layout) as generation:
            save_files(found.files, generation.files)
            dimensions = self._index(found.sections, documents, manifest, generation)
            tokens = int(ChunkTable(generation).tokens.sum())
            manifest = manifest.model_copy(update={"dimensions": dimensions, "tokens": tokens})
            save_sums(generation.root, sealed_files=(generation.files.name,))
            generation.manifest.write_text(manifest.dump(), encoding="utf-8")
            self.still_alone()
            self._keep_corrections()
            publish(self.layout, generation, manifest.digest)

    def _keep_corrections(self) -> None:
        """Keep what was said of fields now for the builds to come."""
        if self.settings.fields:
            replace_file(self.layout.fields, corrections_text(self.settings.fields))
        elif self.given:
            self.layout.fields.unlink(missing_ok=True)

    def _index(
        self,
        sections: Sequence[Section],
        documents: "pl.DataFrame",
        manifest: Manifest,
        generation: Generation,
    ) -> int:
        """Write everything but the manifest; return the vectors' length."""
        self.progress("words", 0, manifest.chunks)
        places = places_before(sections)
        with ThreadPoolExecutor(2) as beside:
            pieces = [(each.origin.place.written, each.first, each.stop) for each in sections]
            said = self.settings.fields or {}
            fields = beside.submit(write_fields, pieces, generation, said, given=self.given)
            joined = beside.submit(join_tables, sections, documents, generation)
            runs = [each.run for each in sections]
            write_lexical(runs, generation.lexical, progress=self.progress)
            joined.result()
            self.told.extend(fields.result())
            flushed = beside.submit(flush, generation.root)
            dimensions = VectorBuild(
                self.settings.embedder, self.old, places, generation, self.progress
            ).save()
            flushed.result()
        return dimensions

    def _manifest(
        self, found: Collected, documents: "pl.DataFrame", paths: Sequence[Path]
    ) -> Manifest:
        return Manifest(
            format=FORMAT,
            settings=self.settings,
            sources=tuple(path_text(path.resolve()) for path in paths),
            documents=len(documents),
            unreadable=tuple(found.unreadable),
            chunks=int(documents["chunks"].sum()),
            tokens=0,
            embedder=self.settings.embedder,
            dimensions=0,
            digest=corpus_digest(
                self.settings, documents.select("read_as", "path", "digest").iter_rows()
            ),
        )


def _opened(layout: CorpusLayout) -> Corpus | None:
    """Open the generation in use; a missing or damaged one is built from nothing."""
    try:
        corpus = open_corpus(layout.root)
        corpus.check()
    except (CorpusMissing, CorpusDamaged):
        return None
    return corpus
