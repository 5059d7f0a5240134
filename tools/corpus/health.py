"""What is wrong with a corpus directory, for `headcount doctor` and for a build that goes on."""

from pathlib import Path

from agent.errors import CorpusDamaged
from tools.corpus.corpus import Corpus, open_corpus


def examined(path: Path) -> tuple[Corpus | None, list[str]]:
    """Open a corpus and say what is broken in any file of it; None where it cannot be opened.

    Raises CorpusMissing where there is no corpus.
    """
    try:
        corpus = open_corpus(path)
    except CorpusDamaged as error:
        return None, [str(error)]
    return corpus, problems_of(corpus)


def problems_of(corpus: Corpus) -> list[str]:
    """Say what is broken in what an open corpus has not read: opening compared all else."""
    try:
        corpus.check()
    except CorpusDamaged as error:
        return [str(error)]
    return []
