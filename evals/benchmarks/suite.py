"""All benchmarks over one corpus of real text, made for the occasion or there already."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.errors import SettingsError
from evals.benchmarks.groups import GROUPS, SEARCHES, run_group
from evals.benchmarks.indexing import Taken, apart
from evals.benchmarks.mixture import CHUNK_CHARACTERS, write_mixture
from evals.benchmarks.row import Row
from evals.benchmarks.setting import Setting
from evals.benchmarks.sized import Sized, sized

__all__ = ("Asked", "run_benchmarks")

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
