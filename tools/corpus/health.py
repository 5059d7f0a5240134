"""What a corpus directory holds and what is wrong with it, for `headcount doctor`."""

from dataclasses import dataclass
from pathlib import Path

from agent.errors import CorpusDamaged
from tools.corpus.corpus import Corpus, open_corpus


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
    """Look a corpus over, every file of it; a damaged one is a problem, no error.

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
    """Say what is broken in what an open corpus has not read: opening compared all else."""
    try:
        corpus.check()
    except CorpusDamaged as error:
        return [str(error)]
    return []
