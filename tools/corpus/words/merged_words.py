"""The words of a lexical index and those of new chunks, merged into one sorted vocabulary."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tools.corpus.words.stems import stems

if TYPE_CHECKING:
    import polars as pl

__all__ = ("MergedWords",)


@dataclass(frozen=True, slots=True, eq=False)
class MergedWords:
    """The words that some chunk holds now; nothing is sorted, and only new words are stemmed."""

    table: "pl.DataFrame"
    """Word and stem, sorted by the word's characters, (V,)."""
    held: NDArray[np.int64]
    """In how many chunks each stands, (V,)."""
    old: NDArray[np.int32]
    """The place of each word of the index before; -1 where no chunk holds it any more."""
    fresh: NDArray[np.int32]
    """The place of each word of the new chunks, (F,)."""
    beside: NDArray[np.int64]
    """Before which word of the index before each word of the new chunks would stand, (F,)."""
    known: NDArray[np.bool_]
    """Whether it is that word, (F,)."""

    @classmethod
    def of(
        cls,
        table: "pl.DataFrame",
        left: NDArray[np.int64],
        words: "pl.Series",
        held: NDArray[np.int64],
    ) -> "MergedWords":
        """Merge two sorted vocabularies.

        Args:
            table: word and stem of the index before.
            left: in how many of the chunks that are kept each of them stands.
            words: the words of the new chunks, each once.
            held: in how many of these chunks each of them stands, (F,), at least one.
        """
        beside, known = _found(table["word"], words)
        frequency = left.copy()
        frequency[beside[known]] += held[known]
        kept = np.flatnonzero(frequency)
        new = np.flatnonzero(~known)
        added = np.searchsorted(kept, beside[new]) + np.arange(len(new))
        free = np.ones(len(kept) + len(new), dtype=np.bool_)
        free[added] = False
        old = np.full(len(table), -1, dtype=np.int32)
        old[kept] = np.flatnonzero(free)
        fresh = np.empty(len(words), dtype=np.int32)
        fresh[known], fresh[new] = old[beside[known]], added
        order, total = np.empty((2, len(free)), dtype=np.int64)
        order[free], order[added] = kept, len(table) + np.arange(len(new))
        total[free], total[added] = frequency[kept], held[new]
        both = _with_stems(table, words.gather(new))
        return cls(both[order], total, old, fresh, beside, known)


def _found(
    vocabulary: "pl.Series", words: "pl.Series"
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return before which word of a sorted vocabulary each word belongs, and whether it is it."""
    places = vocabulary.search_sorted(words).cast(int).to_numpy()
    inside = np.flatnonzero(places < len(vocabulary))
    known = np.zeros(len(words), dtype=np.bool_)
    known[inside] = (vocabulary.gather(places[inside]) == words.gather(inside)).to_numpy()
    return places, known


def _with_stems(table: "pl.DataFrame", words: "pl.Series") -> "pl.DataFrame":
    """Return the table with more words behind its own."""
    import polars as pl

    more = {"word": words, "stem": stems(words.to_list())}
    return pl.concat([table, pl.DataFrame(more, schema=table.schema)])
