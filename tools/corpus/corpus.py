"""A corpus as everything above sees it: documents, chunks, fields, words and vectors.

Documents and chunks are known by their index. A chunk is a span of one document's text; the chunks
of a document follow one another and cover it.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from polars.exceptions import PolarsError

from agent.corpus_view import Field, FieldValue
from agent.errors import CorpusDamaged, CorpusError, CorpusMissing, CorpusOfOtherFormat
from tools.corpus.checksums import Blocks, damaged, saved_sums
from tools.corpus.document_table import ChunkTable, SourceFile, load_files, notes_of
from tools.corpus.embeddings.embedder import Embedder, load_embedder
from tools.corpus.embeddings.vectors import Vectors
from tools.corpus.fields.field_table import FieldTable
from tools.corpus.generations import CorpusLayout, Generation
from tools.corpus.manifest import Manifest
from tools.corpus.mapped_files import mapped, mapped_bytes, mapped_table
from tools.corpus.processes import gc_disabled
from tools.corpus.words.lexical import LexicalIndex, Spoken
from tools.corpus.words.lexicon import Vocabulary

if TYPE_CHECKING:
    import polars as pl

_TRIES = 3
_PAGED = frozenset({"pdf", "image", "slides"})
"""Readers of documents that have pages, if only one."""


class Corpus:
    """One generation of a corpus, opened for reading; satisfies `agent.corpus_view.CorpusView`."""

    def __init__(self, layout: CorpusLayout, generation: Generation) -> None:
        self.generation = generation
        self.path: Path = layout.root
        self.runs: Path = layout.place_of_runs()
        """Where the runs over this corpus lie; made by whoever writes there."""
        self.manifest: Manifest = Manifest.load(generation.manifest)
        if files := damaged(generation.root, later=generation.largest):
            raise ValueError(f"other bytes than were written in {', '.join(files)}")
        if not generation.root.name.startswith(self.digest[:16]):
            raise ValueError("its index is that of other documents")
        sums = saved_sums(generation.root)
        self._table = mapped_table(generation.documents)
        self._text = mapped_bytes(generation.text)
        self._blocks = Blocks(self._text, generation.text.name, sums)
        self._last: tuple[int, str] | None = None
        self._chunks = ChunkTable(generation)
        self._fields = FieldTable(generation, self.manifest.settings.fields)
        self.documents: Sequence[str] = tuple(self._table["name"].to_list())
        """The documents' names: path below the indexed root, without suffix."""
        self.titles: Sequence[str] = tuple(self._table["title"].to_list())
        self.fields: tuple[Field, ...] = self._fields.fields
        """The metadata fields, most widespread first."""
        self.chunk_document: NDArray[np.int32] = self._chunks.document
        """The document of each chunk, (N,), ascending."""
        self.chunk_start: NDArray[np.int32] = self._chunks.start
        """Where each chunk starts in its document's text, in characters, (N,)."""
        self.chunk_end: NDArray[np.int32] = self._chunks.end
        """Where each chunk ends, exclusive, (N,)."""
        self.chunk_tokens: NDArray[np.int32] = self._chunks.tokens
        """Each chunk's estimated tokens, (N,)."""
        spoken = Spoken.of(self._table["language"].to_list(), self.chunk_document)
        self.languages: Sequence[str] = spoken.languages
        """The documents' languages, by their codes, that of most of them first."""
        self.lexical: LexicalIndex = LexicalIndex(generation.lexical, sums, spoken)
        self.vectors: Vectors = Vectors.load(generation, sums)
        self.clusters: NDArray[np.int32] = mapped(generation.clusters)
        """The offline cluster of each chunk, (N,)."""
        self.centroids: NDArray[np.float32] = mapped(generation.centroids)
        """The mean of each cluster, (k, d)."""
        self._check()

    def __len__(self) -> int:
        return self.manifest.chunks

    @property
    def chunk_count(self) -> int:
        """The number of chunks, N."""
        return self.manifest.chunks

    @property
    def field_names(self) -> Sequence[str]:
        """The names of the metadata fields, most widespread first."""
        return [each.name for each in self.fields]

    @property
    def digest(self) -> str:
        """The digest of documents and settings."""
        return self.manifest.digest

    @property
    def labels(self) -> Sequence[str]:
        """What the collection is called: its directory, and the folders that were indexed."""
        folders = (part for each in self.manifest.sources for part in Path(each).parts[-2:])
        return (self.path.stem, *(Path(each).stem for each in folders))

    @cached_property
    def places(self) -> dict[str, int]:
        """The documents' indices by name."""
        return {name: place for place, name in enumerate(self.documents)}

    @property
    def notes(self) -> Sequence[tuple[str, str]]:
        """Path of a file and what its reader notes of it, each note once a file."""
        return notes_of(self._table)

    def document_index(self, name: str) -> int:
        """Return a document's index; raises CorpusError where there is no such document."""
        if name not in self.places:
            raise CorpusError(f"the corpus has no document named {name!r}")
        return self.places[name]

    def document_text(self, document: int) -> str:
        """Return a document's text, the last one kept; raises CorpusDamaged for changed bytes."""
        last = self._last
        if last is None or last[0] != document:
            own = self.chunks_of(document)
            start, end = self._chunks.bytes(own.start)[0], self._chunks.bytes(own.stop - 1)[1]
            last = self._last = (document, self._slice(start, end))
        return last[1]

    def _slice(self, start: int, end: int) -> str:
        """Return the text between two byte offsets of the text file."""
        self._blocks.check(start, end)
        return bytes(self._text[start:end]).decode("utf-8")

    def page_at(self, document: int, start: int) -> int | None:
        """Return the page on which a character stands, from 1; None where a text has no pages."""
        text = self.document_text(document)
        paged = "\f" in text or self._table["reader"][document] in _PAGED
        return text.count("\f", 0, start) + 1 if paged else None

    def document_fields(self, document: int) -> Mapping[str, FieldValue]:
        """Return a document's fields by key as it writes them."""
        return self._fields.of(document)

    def field_values(self, field: str) -> Mapping[int, FieldValue]:
        """Return a field's values by document index; empty where there is no such field."""
        return self._fields.values(field)

    def field_items(self, field: str) -> Sequence[str]:
        """Return the items of a field's values as written, each once, in the documents' order."""
        return self._fields.items(field)

    def chunk_text(self, chunk: int) -> str:
        """Return a chunk's text: its document's text from its start to its end."""
        start, end = self._chunks.bytes(chunk)
        return self._slice(start, end)

    def headings(self, chunk: int) -> tuple[str, ...]:
        """Return the headings above a chunk, outermost first."""
        return self._chunks.headings(chunk)

    @cached_property
    def texts(self) -> "pl.Series":
        """The chunks' texts for scans, memory-mapped."""
        self._blocks.check()
        return self._chunks.texts(self._text)

    def check(self) -> None:
        """Compare what is compared only when it is read; raises CorpusDamaged."""
        self._blocks.check()
        self.vectors.check()
        self.lexical.check()
        _ = self.files

    @cached_property
    def _firsts(self) -> list[int]:
        """The first chunk of each document, and behind the last document's the number of chunks."""
        documents = np.arange(len(self.documents) + 1, dtype=np.int32)
        firsts: list[int] = np.searchsorted(self.chunk_document, documents).tolist()
        return firsts

    def chunks_of(self, document: int) -> range:
        """Return the chunks of a document."""
        return range(self._firsts[document], self._firsts[document + 1])

    def chunks_at(self, document: int, start: int, end: int) -> tuple[int, ...]:
        """Return the chunks that share a character with a span; of an empty span, its place."""
        own = self.chunks_of(document)
        stop = max(end, start + 1)
        begins, ends = (
            column[own.start : own.stop] for column in (self.chunk_start, self.chunk_end)
        )
        shared = np.flatnonzero((begins < stop) & (ends > start))
        return tuple(own.start + int(place) for place in shared)

    @property
    def lexicon(self) -> Vocabulary:
        """The vocabulary."""
        return self.lexical

    @cached_property
    def files(self) -> Sequence[SourceFile]:
        """The files that the documents were read from, in their order."""
        with _read_late(), gc_disabled():
            return load_files(self.generation.files)

    @cached_property
    def embedder(self) -> Embedder:
        """What embedded the chunks, and embeds queries."""
        with _read_late():
            return load_embedder(self.generation.embedder, self.path)

    def ranked(self, query: str, n: int) -> list[tuple[int, float]]:
        """Return at most n chunks and their cosine to the query, best first, by Chroma."""
        return self.vectors.nearest(self.embedder.embed([query])[0], n)

    def _check(self) -> None:
        """Raise ValueError where the files do not belong together."""
        sizes = {len(self._chunks), len(self.lexical.lengths), len(self.vectors)}
        if sizes | {len(self.clusters)} != {self.manifest.chunks}:
            raise ValueError("the chunk table, index, vectors and clusters differ in length")
        documents = self.manifest.documents
        if len(self.documents) != documents or self._fields.stop > documents:
            raise ValueError("the document table, the fields and the manifest differ in length")


@contextmanager
def _read_late() -> Iterator[None]:
    """Turn the failure of a file that is read only when asked for into CorpusDamaged."""
    try:
        yield
    except PermissionError:
        raise
    except (OSError, ValueError, KeyError, TypeError, EOFError, PolarsError) as error:
        raise CorpusDamaged(
            f"a file of the corpus cannot be read ({error}): open the corpus again if it was "
            "indexed anew meanwhile, else run `headcount index` with the same paths again"
        ) from error


def open_corpus(path: str | Path) -> Corpus:
    """Open a corpus directory for reading.

    Raises CorpusMissing where no build has finished, CorpusDamaged where a file is broken or of
    another version, PermissionError where one may not be read.
    """
    layout = CorpusLayout(Path(path))
    layout.check_links()
    for _ in range(_TRIES):
        generation = _generation(layout)
        try:
            return _open(layout, generation)
        except CorpusDamaged:
            # A build may have put a new generation in place of the one being opened.
            if _generation(layout) == generation:
                raise
    raise CorpusDamaged(f"{str(path)!r} keeps changing: wait until it is indexed")


def _generation(layout: CorpusLayout) -> Generation:
    generation = layout.generation()
    if generation is None and layout.has_shards():
        raise CorpusError(
            f"{str(layout.root)!r} is a corpus of shards: `headcount filter` searches it; ask "
            "questions of a corpus made without shards, of the documents that it narrows them to"
        )
    if generation is None:
        root, begun = layout.root, layout.is_corpus()
        unfinished = " (indexing it was never finished)" if begun else ""
        paths = "PATH", str(root)
        if not begun and (root.is_file() or (root.is_dir() and any(root.iterdir()))):
            paths = str(root), f"{root.resolve().name}.corpus"  # documents, not a wrong place
        made = "headcount index {} --into {}".format(*map(shlex.quote, paths))
        raise CorpusMissing(
            f"there is no corpus at {str(root)!r}{unfinished}: make one with `{made}`"
        )
    return generation


def _open(layout: CorpusLayout, generation: Generation) -> Corpus:
    try:
        return Corpus(layout, generation)
    except CorpusOfOtherFormat as error:
        raise CorpusOfOtherFormat(f"the corpus at {str(layout.root)!r} {error}") from error
    except PermissionError:
        raise  # unreadable is not damaged
    except (
        OSError, ValueError, KeyError, EOFError, RecursionError, MemoryError, PolarsError,
        CorpusError,
    ) as error:  # fmt: skip
        raise CorpusDamaged(
            f"the corpus at {str(layout.root)!r} is damaged ({error}): run `headcount index` "
            "with the same paths again to rebuild it; its runs are kept"
        ) from error
