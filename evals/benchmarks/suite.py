"""All benchmarks over one corpus of real text, made for the occasion."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evals.benchmarks.calls import calls
from evals.benchmarks.feeding import feeding
from evals.benchmarks.finding import contracts, drawn_questions, finding
from evals.benchmarks.indexing import indexing
from evals.benchmarks.judged_memory import judged_memory
from evals.benchmarks.judging import judging
from evals.benchmarks.misspelling import misspelling
from evals.benchmarks.mixture import CHUNK_CHARACTERS, write_mixture
from evals.benchmarks.nearest import nearest
from evals.benchmarks.ranking import ranking
from evals.benchmarks.row import Row
from evals.benchmarks.scanning import scanning
from evals.benchmarks.snapshots import snapshots
from evals.benchmarks.stepping import stepping
from evals.benchmarks.updating import updating
from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus

__all__ = ("run_benchmarks", "searches")

_SMALLER = 20
"""The steps are also measured on a corpus of so small a part."""
_FEW_ROUNDS = 3
"""Of what takes seconds a round."""


def run_benchmarks(
    chunks: int, place: Path, rounds: int, data: Path, progress: Callable[[str], None]
) -> Iterator[Row]:
    """Make a corpus of about so many chunks in an empty folder and yield the rows, one by one.

    `data` is the folder of the development data, whose contracts are asked about where it exists.
    """
    folder, corpus_place = place / "text", place / "large.corpus"
    folder.mkdir()
    progress(f"writing and indexing about {chunks:,} chunks")
    size = write_mixture(folder, chunks * CHUNK_CHARACTERS)
    yield from indexing(folder, corpus_place, place, size)
    corpus = open_corpus(corpus_place)
    yield from searches(corpus, place, rounds, progress)
    progress("calling a server that answers at once")
    yield from calls(rounds)
    yield from _Readings(corpus, data, place, rounds, progress).rows()
    for each in (_small(place, chunks // _SMALLER), corpus):
        progress(f"running the graph over {len(each):,} chunks")
        kept = place / f"checkpoints-{len(each)}"
        kept.mkdir(exist_ok=True)
        yield from stepping(each, each.texts.to_list(), kept, min(rounds, _FEW_ROUNDS))
    progress("changing one document in a hundred and indexing again")
    yield updating(folder, corpus_place, place)


def searches(
    corpus: Corpus, place: Path, rounds: int, progress: Callable[[str], None]
) -> Iterator[Row]:
    """Yield the rows of the filters over a corpus that is there already."""
    return _Searches(corpus, corpus.texts.to_list(), place, rounds, progress).rows()


@dataclass(frozen=True, slots=True)
class _Searches:
    """The filters over one corpus."""

    corpus: Corpus
    texts: list[str]
    place: Path
    rounds: int
    progress: Callable[[str], None]

    def rows(self) -> Iterator[Row]:
        """Yield the rows of the filters."""
        self.progress("ranking by BM25")
        yield from ranking(self.corpus, self.texts, self.rounds)
        self.progress("scanning for a literal and a regular expression")
        yield from scanning(self.corpus, self.texts, self.place, self.rounds)
        self.progress("joining and filtering snapshots")
        yield from snapshots(self.corpus, self.rounds)
        self.progress("ranking the unread by feedback")
        yield from feeding(self.corpus, self.rounds)
        self.progress("looking for a misspelt word")
        yield from misspelling(self.corpus, self.texts, self.rounds)
        self.progress("filling Chroma and looking for the nearest")
        yield from nearest(self.corpus, self.texts, self.place / "chroma", self.rounds)


@dataclass(frozen=True, slots=True)
class _Readings:
    """What reading costs, with a model that answers at once."""

    corpus: Corpus
    data: Path
    place: Path
    rounds: int
    progress: Callable[[str], None]

    def rows(self) -> Iterator[Row]:
        """Yield the rows of judging."""
        self.progress("judging through the graph")
        yield from judging(self.corpus, self._folder("judging"), self.rounds)
        self.progress("asking for everything of a kind")
        known = contracts(self.data, self.place / "contracts.corpus")
        for each in filter(None, (known, drawn_questions(self.corpus))):
            yield from finding(each, self._folder(each.name))
        self.progress("judging half of the corpus in processes of their own")
        yield from judged_memory(self.corpus, min(self.rounds, _FEW_ROUNDS))

    def _folder(self, name: str) -> Path:
        made = self.place / name
        made.mkdir()
        return made


def _small(place: Path, chunks: int) -> Corpus:
    folder, into = place / "small", place / "small.corpus"
    folder.mkdir()
    write_mixture(folder, chunks * CHUNK_CHARACTERS, seed=1)
    build([folder], into)
    return open_corpus(into)
