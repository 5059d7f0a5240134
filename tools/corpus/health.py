"""What a corpus directory holds and what is wrong with it, for `headcount doctor`."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agent.errors import CorpusDamaged
from tools.corpus.corpus import Corpus, open_corpus

_SAMPLE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """The state of one corpus."""

    documents: int = 0
    chunks: int = 0
    fields: int = 0
    unreadable: tuple[tuple[str, str], ...] = ()
    """Path and reason of every file that could not be read."""
    warnings: tuple[tuple[str, str], ...] = ()
    """Document name and warning, for every warning of a reader."""
    embedder: str = ""
    bytes: int
    """On disk, runs included."""
    problems: tuple[str, ...]
    """What is broken; empty for a sound corpus."""


def inspect(path: str | Path) -> Health:
    """Look a corpus over, down to a sample of its chunks; a damaged one is a problem, no error.

    Raises CorpusMissing where there is no corpus.
    """
    size = sum(file.stat().st_size for file in Path(path).rglob("*") if file.is_file())
    try:
        corpus = open_corpus(path)
    except CorpusDamaged as error:
        return Health(bytes=size, problems=(str(error),))
    manifest = corpus.manifest
    return Health(
        documents=manifest.documents,
        chunks=manifest.chunks,
        fields=len(corpus.fields),
        unreadable=tuple((file.path, file.reason) for file in manifest.unreadable),
        warnings=tuple(corpus.warnings),
        embedder=manifest.embedder,
        bytes=size,
        problems=tuple(problems_of(corpus)),
    )


def problems_of(corpus: Corpus) -> list[str]:
    """Say what is broken: files read only when asked for, and a sample of chunks, evenly spread.

    The chunks are compared with the texts and vectors that they stand for.
    """
    try:
        return [*_changed(corpus), *_unloadable(corpus)]
    except CorpusDamaged as error:
        return [str(error)]


def _unloadable(corpus: Corpus) -> list[str]:
    """Load the list of files and the offline embedder; another one needs its provider."""
    if sum(file.documents for file in corpus.files) != corpus.manifest.documents:
        return ["the files and the documents differ in number: run `headcount index` again"]
    if corpus.manifest.embedder != "lsa" or corpus.embedder.dimensions == corpus.vectors.dimensions:
        return []
    return ["the embedder and the vectors differ in length: run `headcount index` again"]


def _changed(corpus: Corpus) -> list[str]:
    problems: list[str] = []
    sample = np.unique(np.linspace(0, len(corpus) - 1, _SAMPLE).astype(np.int64)).tolist()
    if moved := sum(not _in_place(corpus, chunk) for chunk in sample):
        problems.append(f"{moved} of {len(sample)} chunks differ from their document's text")
    lengths = np.linalg.norm(corpus.vectors.rows(np.asarray(sample)), axis=1)
    if off := int(np.sum(~(np.isclose(lengths, 1, atol=1e-3) | (lengths == 0)))):
        problems.append(f"{off} of {len(sample)} vectors do not have length 1")
    return [
        f"{problem}: run `headcount index` with the same paths again to rebuild it"
        for problem in problems
    ]


def _in_place(corpus: Corpus, chunk: int) -> bool:
    """Return whether a document has the bytes that were written, and the chunk is of it."""
    document = int(corpus.chunk_document[chunk])
    start, end = int(corpus.chunk_start[chunk]), int(corpus.chunk_end[chunk])
    if not corpus.is_whole(document):
        return False
    try:
        text = corpus.chunk_text(chunk)
        return bool(text == corpus.texts[chunk] == corpus.document_text(document)[start:end])
    except CorpusDamaged:
        return False
