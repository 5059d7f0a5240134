"""The columns of a lexical index: which words its chunks hold, found without their texts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tools.corpus.counts import Counted, Rows, Run, cut

if TYPE_CHECKING:
    import polars as pl

__all__ = ("Columns", "blocks", "frequency_of", "places_of")

_BLOCK = 4_000_000
"""Words of a block, repeats within a chunk not counted."""


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The words that some chunk holds, sorted: a word's place is its column."""

    vocabulary: "pl.Series"
    """Sorted by their characters."""
    held: NDArray[np.int64]
    """In how many chunks each word stands, (V,)."""
    lookups: Mapping[Counted, NDArray[np.int32]]
    """The column of each word of a source's vocabulary; -1 where no chunk holds it."""

    @classmethod
    def of(cls, runs: Sequence[Run]) -> "Columns":
        """Find the words of all runs, a source after another."""
        used: dict[Counted, NDArray[np.int64]] = {}
        frequencies: dict[Counted, NDArray[np.int64]] = {}
        for source, own in _by_source(runs).items():
            frequency = frequency_of(source, own)
            used[source] = np.flatnonzero(frequency)
            frequencies[source] = frequency[used[source]]
        vocabulary = _union(used)
        held = np.zeros(len(vocabulary), dtype=np.int64)
        lookups: dict[Counted, NDArray[np.int32]] = {}
        for group in _groups(used):
            places = places_of(vocabulary, _concatenated(group))
            bounds = np.cumsum([len(forms) for forms in group.values()])[:-1]
            for source, own_places in zip(group, np.split(places, bounds), strict=True):
                lookup = np.full(len(source.counts().vocabulary), -1, dtype=np.int32)
                lookup[used[source]] = own_places
                lookups[source] = lookup
                held[own_places] += frequencies[source]
        return cls(vocabulary, held, lookups)

    def rows(self, block: Sequence[Rows]) -> Any:
        """Return the counts of the rows as a CSR matrix of these columns, sorted within rows."""
        from scipy.sparse import csr_matrix

        none = np.zeros(0, dtype=np.int32)
        words = np.concatenate([none, *(self.lookups[each.source][each.words] for each in block)])
        counts = np.concatenate([none, *(each.counts for each in block)], dtype=np.int32)
        sizes = np.concatenate([np.zeros(1, np.int64), *(each.sizes for each in block)])
        shape = (len(sizes) - 1, len(self.vocabulary))
        rows = csr_matrix((counts, words, np.cumsum(sizes)), shape=shape)
        rows.sort_indices()
        return rows


def places_of(vocabulary: "pl.Series", forms: "pl.Series") -> NDArray[np.int64]:
    """Return where each word form stands in a vocabulary, -1 where it does not: of many at once."""
    import polars as pl

    table = pl.DataFrame({"word": vocabulary}).with_row_index("place")
    found = pl.DataFrame({"word": forms}).join(table, on="word", how="left", maintain_order="left")
    places: NDArray[np.int64] = found["place"].cast(pl.Int64).fill_null(-1).to_numpy()
    return places


def frequency_of(source: Counted, runs: Sequence[Run]) -> NDArray[np.int64]:
    """Return in how many chunks of a source's runs each word of its vocabulary stands."""
    words = len(source.counts().vocabulary)
    frequency = np.zeros(words, dtype=np.int64)
    for block in blocks(cut(runs)):
        frequency += np.bincount(np.concatenate([each.words for each in block]), minlength=words)
    return frequency


def _union(used: Mapping[Counted, NDArray[np.int64]]) -> "pl.Series":
    """Return the words of all sources, each once, sorted by their characters."""
    found = _concatenated({})
    for group in _groups(used):
        found = _concatenated(group, found).unique()
    return found.sort()


def _groups(used: Mapping[Counted, NDArray[np.int64]]) -> "Iterator[dict[Counted, pl.Series]]":
    """Yield the used words of the sources, in groups that it takes little memory to look at."""
    group: dict[Counted, pl.Series] = {}
    size = 0
    for source, places in used.items():
        group[source] = source.counts().vocabulary.gather(places)
        size += len(places)
        if size >= _BLOCK:
            yield group
            group, size = {}, 0
    if group:
        yield group


def _concatenated(group: "Mapping[Counted, pl.Series]", *more: "pl.Series") -> "pl.Series":
    import polars as pl

    none = pl.Series(dtype=pl.String)
    return pl.concat([each.rename("word") for each in (none, *more, *group.values())])


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
