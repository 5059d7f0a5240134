"""The columns of a lexical index: which words its chunks hold, found without their texts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tools.corpus.words.counts import Counted, Rows, Run, cut

if TYPE_CHECKING:
    import polars as pl

__all__ = ("Columns", "blocks", "frequency_of")

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
        vocabulary, columns = _numbered(
            [source.counts().vocabulary.gather(places) for source, places in used.items()]
        )
        held = np.zeros(len(vocabulary), dtype=np.int64)
        lookups: dict[Counted, NDArray[np.int32]] = {}
        for (source, places), found in zip(used.items(), columns, strict=True):
            lookup = np.full(len(source.counts().vocabulary), -1, dtype=np.int32)
            lookup[places] = found
            lookups[source] = lookup
            held[found] += frequencies[source]
        return cls(vocabulary, held, lookups)

    def matrices(self, block: Sequence[Rows]) -> tuple[Any, Any]:
        """Return the counts of the rows by these columns, as a CSR and as a CSC matrix, sorted.

        Turned twice the rows are sorted, in less time than sorting takes.
        """
        from scipy.sparse import csr_matrix

        none = np.zeros(0, dtype=np.int32)
        words = [none, *(np.take(self.lookups[each.source], each.words) for each in block)]
        counts = [none, *(each.counts for each in block)]
        sizes = np.concatenate([np.zeros(1, np.int64), *(each.sizes for each in block)])
        shape = (len(sizes) - 1, len(self.vocabulary))
        held = (np.concatenate(counts, dtype=np.int32), np.concatenate(words), np.cumsum(sizes))
        turned = csr_matrix(held, shape=shape).tocsc()
        return turned.tocsr(), turned


def frequency_of(source: Counted, runs: Sequence[Run]) -> NDArray[np.int64]:
    """Return in how many chunks of a source's runs each word of its vocabulary stands."""
    words = len(source.counts().vocabulary)
    frequency = np.zeros(words, dtype=np.int64)
    for block in blocks(cut(runs)):
        frequency += np.bincount(np.concatenate([each.words for each in block]), minlength=words)
    return frequency


def _numbered(
    sources: "Sequence[pl.Series]",
) -> "tuple[pl.Series, list[NDArray[np.int32]]]":
    """Return all words, each once and sorted, and the places in them of each source's words.

    Arrow looks every word up once; only the different ones are sorted.
    """
    import polars as pl
    import pyarrow as pa

    view = pl.CompatLevel.newest()  # without a copy
    forms = pa.chunked_array(
        [each.to_arrow(compat_level=view) for each in sources], pa.string_view()
    )
    encoded = forms.dictionary_encode()
    found = encoded.chunk(0).dictionary if encoded.num_chunks else pa.array([], pa.string_view())
    table = pl.DataFrame({"word": pl.from_arrow(found)}).with_row_index("found").sort("word")
    places = np.empty(len(table), dtype=np.int32)
    places[table["found"].to_numpy()] = np.arange(len(table), dtype=np.int32)
    numbers = [np.zeros(0, np.int32), *(each.indices.to_numpy() for each in encoded.chunks)]
    together = np.take(places, np.concatenate(numbers))
    bounds = accumulate((len(each) for each in sources), initial=0)
    return table["word"], [together[first:stop] for first, stop in pairwise(bounds)]


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
