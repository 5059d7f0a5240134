"""All benchmarks over one corpus of real text, made for the occasion or there already."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import TypeAdapter

from agent.errors import HeadcountError, SettingsError
from evals.benchmarks.filter_speed import (
    feeding,
    misspelling,
    nearest,
    ranking,
    scanning,
    snapshots,
)
from evals.benchmarks.finding import contracts, drawn_questions, finding
from evals.benchmarks.graph_steps import stepping
from evals.benchmarks.indexing_speed import Taken, apart, indexing, updating
from evals.benchmarks.judging_cost import calls, judging
from evals.benchmarks.memory_growth import batched, judged_memory
from evals.benchmarks.real_text import CHUNK_CHARACTERS, Sized, sized, write_mixture
from evals.benchmarks.rows import LARGE, Row, Unequal
from evals.benchmarks.starting import starting
from tools.corpus.corpus import Corpus, open_corpus

__all__ = ("GROUPS", "SEARCHES", "Asked", "Setting", "run_benchmarks", "run_group", "tell")


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


_FEW_ROUNDS = 3
"""Of what takes seconds a round."""
_SETTING = TypeAdapter(Setting)


def _finding(setting: Setting) -> Iterator[Row]:
    """Ask for all of a kind; over a large corpus an answer has too many documents to be marked."""
    known = contracts(setting.data, setting.place / "contracts.corpus")
    drawn = drawn_questions(setting.corpus) if len(setting.corpus) <= LARGE else None
    for each in filter(None, (known, drawn)):
        yield from finding(each, setting.folder(each.name))


def _stepping(setting: Setting) -> list[Row]:
    small, few = open_corpus(setting.small), min(setting.rounds, _FEW_ROUNDS)
    return stepping(small, setting.corpus, setting.folder("steps"), few)


SEARCHES: Mapping[str, Callable[[Setting], Iterable[Row]]] = {
    "starting": lambda s: starting(s.corpus, s.rounds),
    "scanning": lambda s: scanning(s.corpus, s.folder("scanning"), s.rounds),
    "snapshots": lambda s: snapshots(s.corpus, s.rounds),
    "nearest": lambda s: nearest(s.corpus, s.folder("nearest"), s.rounds),
    "feeding": lambda s: feeding(s.corpus, s.rounds),
    "batched": lambda s: batched(s.corpus),
    "misspelling": lambda s: misspelling(s.corpus, s.rounds),
    "ranking": lambda s: ranking(s.corpus, s.rounds),
}
"""What needs a corpus and nothing else."""
GROUPS: Mapping[str, Callable[[Setting], Iterable[Row]]] = {
    "indexing": lambda s: indexing(s.text, s.large, s.folder("indexing"), s.taken),
    "updating": lambda s: [updating(s.text, s.large, s.folder("updating"), s.taken)],
    **SEARCHES,
    "calls": lambda s: calls(s.rounds),
    "judging": lambda s: judging(s.corpus, s.folder("judging"), s.rounds),
    "finding": _finding,
    "judged_memory": lambda s: judged_memory(s.corpus, min(s.rounds, _FEW_ROUNDS)),
    "stepping": _stepping,
}
"""All, in the order in which they run."""


def run_group(name: str, setting: Setting) -> list[Row]:
    """Run a group in a new process and return its rows.

    Raises:
        Unequal: both sides found different things, or the corpus cannot be used.
        CalledProcessError: the process failed otherwise; its standard error says why.
    """
    code = "import sys; from evals.benchmarks.suite import tell; tell(*sys.argv[1:])"
    command = [sys.executable, "-c", code, name, _SETTING.dump_json(setting).decode()]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603
    told = [json.loads(line) for line in done.stdout.splitlines()]
    for each in told:
        if "error" in each:
            raise Unequal(each["error"])
    return [Row.from_json(each) for each in told]


def tell(name: str, setting: str) -> None:
    """Run a group and print its rows, or why there is none, a JSON object a line."""
    try:
        for row in GROUPS[name](_SETTING.validate_json(setting)):
            _print(row.to_json())
    except (HeadcountError, Unequal) as error:
        _print({"error": f"{name}: {error}"})


def _print(told: Mapping[str, object]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")


_SMALLER = 20
"""The steps are also measured on a corpus of so small a part."""
_SMALLER_REAL = 100
"""Of real text, which is indexed once for both sizes: ten thousand chunks of a million."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is to be measured, and over what."""

    chunks: int
    rounds: int
    data: Path
    """The development data, whose contracts are asked about where they exist."""
    text: Sequence[Path] = ()
    """Folders of real text; without any, text is drawn from the packages installed here."""
    into: Path | None = None
    """Where real texts and their corpora stay."""
    corpus: Path | None = None
    """A corpus that is there: only searches are measured, over its chunks."""
    only: Sequence[str] = ()
    """The groups to be run; all without any."""


def run_benchmarks(asked: Asked, place: Path, progress: Callable[[str], None]) -> Iterator[Row]:
    """Make what is to be measured, below an empty folder, and yield the rows, one by one.

    Raises:
        SettingsError: a group is unknown, or cannot be run over a corpus alone.
    """
    offered = GROUPS if asked.corpus is None else SEARCHES
    unknown = [name for name in asked.only if name not in offered]
    if unknown:
        raise SettingsError(f"no group {unknown[0]!r} here; there are {', '.join(offered)}")
    setting = _setting(asked, place, progress)
    for name in asked.only or offered:
        progress(f"measuring: {name}")
        yield from run_group(name, setting)


def _setting(asked: Asked, place: Path, progress: Callable[[str], None]) -> Setting:
    if asked.corpus is not None:
        large = small = Sized(asked.corpus, asked.corpus, Taken(0.0, 0.0, 0.0))
    elif asked.into is not None:
        large = sized(asked.chunks, asked.into, asked.text, progress)
        small = sized(asked.chunks // _SMALLER_REAL, asked.into, asked.text, progress)
    else:
        progress(f"writing and indexing about {asked.chunks:,} chunks")
        large, small = (
            _drawn(place, chunks, seed)
            for seed, chunks in enumerate((asked.chunks, asked.chunks // _SMALLER))
        )
    return Setting(
        place=place,
        rounds=asked.rounds,
        large=large.corpus.absolute(),
        small=small.corpus.absolute(),
        text=large.folder.absolute(),
        taken=large.taken,
        data=asked.data,
    )


def _drawn(place: Path, chunks: int, seed: int) -> Sized:
    folder, corpus = place / f"text-{seed}", place / f"{seed}.corpus"
    folder.mkdir()
    write_mixture(folder, chunks * CHUNK_CHARACTERS, seed=seed)
    return Sized(folder, corpus, apart("whole", folder, corpus))
