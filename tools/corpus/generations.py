"""Where the files of a corpus directory lie.

X.corpus/
  CURRENT                the name of the generation in use, replaced atomically
  generations/NAME/      one complete index, never changed once CURRENT names it
    manifest.json        settings, sources, unreadable files, digest, its checksum behind them
    files.arrow          the files that were read, what they looked like, the table's checksum
    sums.json            the checksums of all other files, a block after another
    fields.json          the catalogue of metadata fields
    values.arrow         the fields' values, a field after another
    documents.arrow      name, path, title, reader and so on of each document
    documents.fields.arrow  the values of each document's fields, a document after another
    documents.text       the documents' texts, UTF-8
    chunks.arrow         spans, tokens and headings of each chunk
    chunks.views.npy     each chunk's text: a string view into documents.text, int32 (N, 4)
    lexical/             word counts, impacts, vocabulary, stems
    embedder/            what the embedder needs to embed a query
    vectors.npy          float32 unit rows
    clusters.npy         int32 cluster of each chunk
    centroids.npy        float32 mean of each cluster
  generations/.parts/    what an unfinished build has read so far; the next one takes it up
  runs/                  the runs over this corpus; no build touches them
  fields.yaml            what a person says of the fields, for every build to come
  lock                   held while a build writes
  id                     names the corpus to a server that keeps its runs
"""

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Final

from agent.errors import CorpusDamaged
from agent.small_files import not_plain, read_small

_DRAFT = ".draft"
_NAME = re.compile(r"[0-9a-f]{16}(?:-\d+)?")


class _Below:
    """The place of a name below the root of what has it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, holder: "Generation | CorpusLayout", _: object = None) -> Path:
        return holder.root / self._name


@dataclass(frozen=True, slots=True)
class Generation:
    """The files of one generation, which the module tells."""

    root: Path
    manifest = _Below("manifest.json")
    files = _Below("files.arrow")
    fields = _Below("fields.json")
    values = _Below("values.arrow")
    documents = _Below("documents.arrow")
    written = _Below("documents.fields.arrow")
    text = _Below("documents.text")
    chunks = _Below("chunks.arrow")
    views = _Below("chunks.views.npy")
    lexical = _Below("lexical")
    embedder = _Below("embedder")
    vectors = _Below("vectors.npy")
    clusters = _Below("clusters.npy")
    centroids = _Below("centroids.npy")

    @property
    def largest(self) -> Sequence[str]:
        """The names of the files that questions read a part of, or not at all."""
        rows = (f"{self.lexical.name}/rows.{each}.npy" for each in ("words", "counts"))
        return self.text.name, self.vectors.name, *rows


OWN_NAMES: Final = frozenset(
    {"CURRENT", "fields.yaml", "generations", "id", "lock", "records", "runs", "reviews.sqlite"}
    | {f"reviews.sqlite-{each}" for each in ("journal", "shm", "wal")}
)
"""The names of what belongs to a corpus in its folder."""


@dataclass(frozen=True, slots=True)
class CorpusLayout:
    """The places in a corpus directory."""

    root: Path
    current = _Below("CURRENT")
    generations = _Below("generations")
    runs = _Below("runs")
    fields = _Below("fields.yaml")
    lock = _Below("lock")
    sharded = _Below("sharded.json")
    id = _Below("id")
    parts = _Below("generations/.parts")

    def generation(self) -> Generation | None:
        """Return the generation in use; None where no build has finished."""
        if not self.current.is_file():
            return None
        name = read_small(self.current).decode(errors="replace").strip()
        return Generation(self.generations / Path(name.replace("\0", "") or "unnamed").name)

    def check_links(self) -> None:
        """Raise CorpusDamaged where a link leads out, or a pipe or device would be waited for."""
        root = self.root.resolve()
        for folder, folders, files in os.walk(root):
            for path in (Path(folder, name) for name in (*folders, *files)):
                if path.is_symlink() and not path.resolve().is_relative_to(root):
                    raise CorpusDamaged(
                        f"{str(path)!r} is a link that leads out of the corpus, and Headcount "
                        "writes nowhere else: move there what it leads to, or remove it"
                    )
                if path.is_symlink() and path.name.endswith("lock"):
                    raise CorpusDamaged(f"{str(path)!r} is a link where a lock belongs: remove it")
                if not path.is_file() and not path.is_dir() and path.exists():
                    raise not_plain(path)

    def place_of_runs(self) -> Path:
        """Return where runs are kept: in the corpus, else for a read-only one with the person's."""
        if os.access(self.runs if self.runs.exists() else self.root, os.W_OK):
            return self.runs
        home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
        place = hashlib.sha256(os.fsencode(self.root.resolve())).hexdigest()[:16]
        return Path(home) / "headcount" / "runs" / place

    def has_shards(self) -> bool:
        """Return whether the place is a URL's, whose double slash the path lost, or has shards."""
        is_url = re.match(r"\w\w+:/", self.root.as_posix()) is not None
        return is_url or self.sharded.is_file()

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


def publish(layout: CorpusLayout, drafted: Generation, digest: str) -> None:
    """Make a draft the generation in use, remove the others: a kill leaves either in use."""
    flush(drafted.root)
    name = digest[:16]
    names = chain([name], (f"{name}-{number}" for number in count(2)))
    free = next(each for each in names if not (layout.generations / each).exists())
    drafted.root.replace(layout.generations / free)
    _flush(layout.generations)
    replace_file(layout.current, f"{free}\n")
    sweep(layout)


def flush(directory: Path) -> None:
    """Force what is in a directory to the disk; what is there already takes no time."""
    for file in sorted(directory.rglob("*")):
        _flush(file)


def sweep(layout: CorpusLayout) -> None:
    """Remove every generation and draft but the one in use: nothing without a manifest is one."""
    current = layout.generation()
    shutil.rmtree(layout.generations / _DRAFT, ignore_errors=True)
    for manifest in layout.generations.glob("*/manifest.json"):
        directory = manifest.parent
        if _NAME.fullmatch(directory.name) and (current is None or directory != current.root):
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


def _flush(path: Path) -> None:
    """Force a file or directory to the disk; systems that cannot open directories skip those."""
    if path.is_dir() and os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
