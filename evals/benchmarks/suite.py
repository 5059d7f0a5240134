"""All benchmarks over one corpus of real text, made for the occasion or there already."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from agent.errors import SettingsError
from evals.benchmarks.figures import FEW_ROUNDS, Row
from evals.benchmarks.filter_speed import nearest, ranking, scanning
from evals.benchmarks.overhead import calls, starting, stepping
from evals.benchmarks.real_text import Sized, indexing
from evals.benchmarks.timed_processes import apart
from tools.corpus.corpus import Corpus, open_corpus


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One run of the benchmarks, as each of its groups sees it."""

    place: Path
    """A folder for what the groups write."""
    rounds: int
    large: Sized
    small: Sized

    @cached_property
    def corpus(self) -> Corpus:
        """The large corpus, open."""
        return open_corpus(self.large.corpus)

    def folder(self, name: str) -> Path:
        """Return a new folder in the place."""
        made = self.place / name
        made.mkdir()
        return made


def _stepping(setting: Setting) -> list[Row]:
    small, few = open_corpus(setting.small.corpus), min(setting.rounds, FEW_ROUNDS)
    return stepping(small, setting.corpus, setting.folder("steps"), few)


GROUPS: Mapping[str, Callable[[Setting], Row | list[Row]]] = {
    "indexing": lambda s: indexing(s.large),
    "starting": lambda s: starting(s.corpus, s.rounds),
    "scanning": lambda s: scanning(s.corpus, s.folder("scanning"), s.rounds),
    "nearest": lambda s: nearest(s.corpus, s.folder("nearest"), s.rounds),
    "ranking": lambda s: ranking(s.corpus, s.rounds),
    "calls": lambda s: calls(s.rounds),
    "stepping": _stepping,
}
"""All, in the order in which they run."""


SMALLER = {True: 100, False: 20}
"""The steps are also measured on a corpus of so small a part: ten thousand chunks of a million."""


def chosen(only: Sequence[str]) -> Sequence[str]:
    """Return the groups to be run, all without any; raise SettingsError where one is unknown."""
    unknown = [name for name in only if name not in GROUPS]
    if unknown:
        raise SettingsError(f"no group {unknown[0]!r} here; there are {', '.join(GROUPS)}")
    return only or tuple(GROUPS)


def run_group(name: str, setting: Setting) -> list[Row]:
    """Run a group in a new process and return its rows; raises what it raises, such as Unequal."""
    rows = apart(_rows, name, setting).result
    return [rows] if isinstance(rows, Row) else rows


def _rows(name: str, setting: Setting) -> Row | list[Row]:
    return GROUPS[name](setting)
