"""What a group of benchmarks is given: corpora, a place, rounds."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from evals.benchmarks.indexing import Taken
from tools.corpus.corpus import Corpus, open_corpus

__all__ = ("Setting",)


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One run of the benchmarks, as each of its groups sees it."""

    place: Path
    """A folder for what the groups write."""
    rounds: int
    large: Path
    """The corpus that is searched."""
    small: Path
    """A corpus of a part of the size."""
    text: Path
    """The folder that the large one was made of."""
    taken: Taken
    """What indexing it took."""
    data: Path
    """The folder of the development data."""

    @cached_property
    def corpus(self) -> Corpus:
        """The large corpus, open."""
        return open_corpus(self.large)

    def folder(self, name: str) -> Path:
        """Return a new folder in the place."""
        made = self.place / name
        made.mkdir()
        return made
