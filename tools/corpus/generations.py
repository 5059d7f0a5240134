"""Where the files of a corpus directory lie.

X.corpus/
  CURRENT                the name of the generation in use, replaced atomically
  generations/NAME/      one complete index, never changed once CURRENT names it: a file that is
                         written behind is shared with the next generation, whose rows those are
    manifest.json        settings, sources, unreadable files, digest
    files.arrow          the files that were read, and what they looked like
    fields.json          the catalogue of metadata fields
    values.arrow         the fields' values, a field after another
    documents.arrow      name, path, title, reader and so on of each document
    documents.fields.arrow  the values of each document's fields, a document after another
    documents.text       the documents' texts, UTF-8; what is new goes behind what is there
    documents.spans.npy  where each text lies in it, in bytes
    documents.sums.npy   the CRC-32 of each text
    chunks.arrow         spans, tokens and headings of each chunk
    chunks.views.npy     each chunk's text: a string view into documents.text
    lexical/             word counts, impacts, vocabulary, stems
    embedder/            what the embedder needs to embed a query
    vectors.npy          float32 unit rows; what is new goes behind what is there
    vectors.slots.npy    the row of each chunk, where they are not in the chunks' order
    clusters.npy         int32 cluster of each chunk
    centroids.npy        float32 mean of each cluster
  generations/.parts/    what an unfinished build has read so far; the next one takes it up
  runs/                  the runs over this corpus; no build touches them
  lock                   held while a build writes
  id                     names the corpus to a server that keeps its runs
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_DRAFT = ".draft"


@dataclass(frozen=True, slots=True)
class Generation:
    """The files of one generation."""

    root: Path

    @property
    def manifest(self) -> Path:
        """Settings, sources and digest."""
        return self.root / "manifest.json"

    @property
    def files(self) -> Path:
        """The files that were read, and what they looked like."""
        return self.root / "files.arrow"

    @property
    def fields(self) -> Path:
        """The catalogue of metadata fields."""
        return self.root / "fields.json"

    @property
    def values(self) -> Path:
        """The fields' values, a field after another."""
        return self.root / "values.arrow"

    @property
    def documents(self) -> Path:
        """All that is told of each document but its fields and text."""
        return self.root / "documents.arrow"

    @property
    def written(self) -> Path:
        """The values of each document's fields, a document after another."""
        return self.root / "documents.fields.arrow"

    @property
    def text(self) -> Path:
        """The documents' texts, UTF-8."""
        return self.root / "documents.text"

    @property
    def spans(self) -> Path:
        """Where each text starts and ends in bytes, int64 (D, 2)."""
        return self.root / "documents.spans.npy"

    @property
    def sums(self) -> Path:
        """The CRC-32 of each text's bytes, uint32 (D,)."""
        return self.root / "documents.sums.npy"

    @property
    def chunks(self) -> Path:
        """The chunk table."""
        return self.root / "chunks.arrow"

    @property
    def views(self) -> Path:
        """The chunks' texts as views into the text file, int32 (N, 4)."""
        return self.root / "chunks.views.npy"

    @property
    def lexical(self) -> Path:
        """The lexical index's directory."""
        return self.root / "lexical"

    @property
    def embedder(self) -> Path:
        """The embedder's directory."""
        return self.root / "embedder"

    @property
    def vectors(self) -> Path:
        """Float32 unit rows, (S, d)."""
        return self.root / "vectors.npy"

    @property
    def slots(self) -> Path:
        """The row of each chunk's vector, int32 (N,); absent where chunk i has row i."""
        return self.root / "vectors.slots.npy"

    @property
    def clusters(self) -> Path:
        """Int32 cluster labels, (N,)."""
        return self.root / "clusters.npy"

    @property
    def centroids(self) -> Path:
        """Float32 means of the clusters, (k, d)."""
        return self.root / "centroids.npy"


@dataclass(frozen=True, slots=True)
class CorpusLayout:
    """The places in a corpus directory."""

    root: Path

    @property
    def current(self) -> Path:
        """The file that names the generation in use."""
        return self.root / "CURRENT"

    @property
    def generations(self) -> Path:
        """The directory of generations and unfinished drafts."""
        return self.root / "generations"

    @property
    def parts(self) -> Path:
        """The directory of what an unfinished build has read."""
        return self.generations / ".parts"

    @property
    def runs(self) -> Path:
        """The directory of runs."""
        return self.root / "runs"

    @property
    def lock(self) -> Path:
        """The writer's lock file."""
        return self.root / "lock"

    @property
    def id(self) -> Path:
        """The file that names the corpus to a server."""
        return self.root / "id"

    def generation(self) -> Generation | None:
        """Return the generation in use; None where no build has finished."""
        if not self.current.is_file():
            return None
        name = self.current.read_text(encoding="utf-8", errors="replace").strip()
        return Generation(self.generations / Path(name.replace("\0", "") or "unnamed").name)

    def has_shards(self) -> bool:
        """Return whether the place is a URL's, whose double slash the path lost, or has shards."""
        is_url = re.match(r"\w+:/", self.root.as_posix()) is not None
        return is_url or (self.root / "sharded.json").is_file()

    def is_corpus(self) -> bool:
        """Return whether a build has begun here, finished or not.

        Two of three marks must be there: each name alone may be another program's.
        """
        marks = (self.current.is_file(), self.generations.is_dir(), self.lock.is_file())
        return sum(marks) >= 2


@contextmanager
def draft(layout: CorpusLayout) -> Iterator[Generation]:
    """Yield an empty generation that no reader sees; what is not published is removed."""
    root = layout.generations / _DRAFT
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    try:
        yield Generation(root)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def publish(layout: CorpusLayout, drafted: Generation, digest: str) -> Generation:
    """Make a draft the generation in use and remove the others.

    A process killed before `CURRENT` is replaced leaves the old generation in use, after it the
    new one; what is left over is swept by the next build.
    """
    flush(drafted.root)
    published = Generation(_free(layout.generations / digest[:16]))
    drafted.root.replace(published.root)
    _flush(layout.generations)
    replace_file(layout.current, f"{published.root.name}\n")
    sweep(layout)
    return published


def flush(directory: Path) -> None:
    """Force what is in a directory to the disk; what is there already takes no time."""
    for file in sorted(directory.rglob("*")):
        _flush(file)


def sweep(layout: CorpusLayout) -> None:
    """Remove every generation and draft but the one in use; what was read of the next is left."""
    current = layout.generation()
    if not layout.generations.is_dir():
        return
    kept = {layout.parts.name, "" if current is None else current.root.name}
    for directory in layout.generations.iterdir():
        if directory.name not in kept:
            shutil.rmtree(directory, ignore_errors=True)


def replace_file(path: Path, text: str) -> None:
    """Write a text file so that it holds either its old or its new content."""
    replace_with(path, lambda fresh: fresh.write_text(text, encoding="utf-8"))


def replace_with(path: Path, write: Callable[[Path], object]) -> None:
    """Have a file written beside another, and put it in its place."""
    fresh = path.with_name(f"{path.name}.new")
    write(fresh)
    _flush(fresh)
    fresh.replace(path)
    _flush(path.parent)


def _free(path: Path) -> Path:
    number = 1
    found = path
    while found.exists():
        number += 1
        found = path.with_name(f"{path.name}-{number}")
    return found


def _flush(path: Path) -> None:
    """Force a file or directory to the disk; systems that cannot open directories skip those."""
    if path.is_dir() and os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
