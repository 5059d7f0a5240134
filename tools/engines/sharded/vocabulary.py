"""The vocabulary of a sharded corpus: word forms, stems and statistics of all shards, no postings.

It is held in memory: about 100 bytes a word form.
"""

import io
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tools.corpus.words.lexical import okapi_idf
from tools.corpus.words.stems import stems
from tools.engines.sharded.tables import parquet

if TYPE_CHECKING:
    import polars as pl

__all__ = ("ShardedVocabulary", "vocabulary_table")


class ShardedVocabulary:
    """All V word forms of a corpus of N chunks; satisfies `word_forms.Vocabulary`."""

    def __init__(self, table: "pl.DataFrame", chunks: int) -> None:
        self._table = table
        self._chunks = chunks

    @classmethod
    def load(cls, data: bytes, chunks: int) -> "ShardedVocabulary":
        """Read the table; raises PolarsError where it is damaged."""
        import polars as pl

        return cls(pl.read_parquet(io.BytesIO(data)), chunks)

    @cached_property
    def vocabulary(self) -> list[str]:
        """The word forms, sorted; a word's place is its column."""
        forms: list[str] = self._table["word"].to_list()
        return forms

    @property
    def stems(self) -> "pl.Series":
        """The word forms' stems, in the vocabulary's order."""
        return self._table["stem"]

    def column(self, word: str) -> int:
        """Return the column of a word form, -1 where it is unknown."""
        return self._columns.get(word, -1)

    def forms(self, columns: NDArray[np.integer[Any]]) -> list[str]:
        """Return the word forms of the given columns, in their order."""
        found: list[str] = self._table["word"].gather(columns).to_list()
        return found

    @cached_property
    def _columns(self) -> dict[str, int]:
        return {word: column for column, word in enumerate(self.vocabulary)}

    @cached_property
    def document_frequency(self) -> NDArray[np.int64]:
        """In how many chunks each word form stands, (V,)."""
        return self._table["held"].to_numpy().astype(np.int64)

    @cached_property
    def idf(self) -> NDArray[np.float64]:
        """BM25Okapi's inverse document frequency of each word form, (V,)."""
        return okapi_idf(self.document_frequency, self._chunks)

    def held(self, word: str) -> int:
        """Return in how many chunks a word form stands; 0 where it is unknown."""
        column = self.column(word)
        return 0 if column < 0 else int(self.document_frequency[column])


def vocabulary_table(held: dict[str, int]) -> bytes:
    """Return the table of word forms with their chunk counts, as Parquet."""
    import pyarrow as pa

    forms = sorted(held)
    return parquet(
        {
            "word": pa.array(forms, pa.string()),
            "stem": pa.array(stems(forms), pa.string()),
            "held": pa.array([held[form] for form in forms], pa.int64()),
        }
    )
