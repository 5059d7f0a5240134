"""The columns of a lexical index: which words its chunks hold, found without their texts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.corpus.counts import Counted, Rows, Run, cut

__all__ = ("Columns", "blocks")

_BLOCK = 4_000_000
"""Words of a block, repeats within a chunk not counted."""


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The words that some chunk holds, sorted: a word's place is its column."""

    vocabulary: list[str]
    held: NDArray[np.int64]
    """In how many chunks each word stands, (V,)."""
    lookups: Mapping[Counted, NDArray[np.int32]]
    """The column of each word of a source's vocabulary; -1 where no chunk holds it."""

    @classmethod
    def of(cls, runs: Sequence[Run]) -> "Columns":
        """Find the words of all runs, a source after another."""
        numbers: dict[str, int] = {}
        lookups: dict[Counted, NDArray[np.int32]] = {}
        frequencies: dict[Counted, NDArray[np.int64]] = {}
        for source, own in _by_source(runs).items():
            known = source.counts().vocabulary
            frequency = _frequency(own, len(known))
            used = np.flatnonzero(frequency)
            forms = known.gather(used).to_list()
            numbered = (numbers.setdefault(form, len(numbers)) for form in forms)
            lookup = np.full(len(frequency), -1, dtype=np.int32)
            lookup[used] = np.fromiter(numbered, np.int32, len(forms))
            lookups[source], frequencies[source] = lookup, frequency[used]
        vocabulary = sorted(numbers)
        order = np.fromiter((numbers[form] for form in vocabulary), np.int64, len(vocabulary))
        columns = np.empty(len(order), dtype=np.int32)
        columns[order] = np.arange(len(order), dtype=np.int32)
        held = np.zeros(len(order), dtype=np.int64)
        for source, lookup in lookups.items():
            used = np.flatnonzero(lookup >= 0)
            lookup[used] = columns[lookup[used]]
            held[lookup[used]] += frequencies[source]
        return cls(vocabulary, held, lookups)


def blocks(rows: Iterable[Rows]) -> Iterator[list[Rows]]:
    """Yield rows in groups of at least four million words, but for the last."""
    block: list[Rows] = []
    size = 0
    for each in rows:
        block.append(each)
        size += len(each.words)
        if size >= _BLOCK:
            yield block
            block, size = [], 0
    if block:
        yield block


def _by_source(runs: Sequence[Run]) -> dict[Counted, list[Run]]:
    groups: dict[Counted, list[Run]] = {}
    for run in runs:
        groups.setdefault(run.source, []).append(run)
    return groups


def _frequency(runs: Sequence[Run], words: int) -> NDArray[np.int64]:
    """Return in how many chunks of the runs each word stands."""
    frequency = np.zeros(words, dtype=np.int64)
    for block in blocks(cut(runs)):
        frequency += np.bincount(np.concatenate([each.words for each in block]), minlength=words)
    return frequency
