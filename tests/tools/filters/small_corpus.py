"""A corpus in memory with a real lexical index, for tests of the filters."""

import tempfile
import zlib
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agent.corpus_view import Field, FieldValue
from tests.cut_corpus import CutCorpus
from tools.corpus.embeddings.vectors import unit_rows
from tools.corpus.fields.field_table import join_fields
from tools.corpus.fields.field_values import field_value, value_rows
from tools.corpus.words.lexical import build_lexical
from tools.corpus.words.lexicon import words


class WordBags:
    """Embeds a text as the counts of its words in 64 hashed places."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), 64))
        for row, text in zip(rows, texts, strict=True):
            for word in words(text):
                row[zlib.crc32(word.encode()) % 64] += 1
        return unit_rows(rows)


class Rows:
    """Unit rows, multiplied exactly."""

    def __init__(self, rows: NDArray[np.float32]) -> None:
        self._rows = rows

    def similarity(
        self, query: NDArray[np.float32], chunks: NDArray[np.integer[Any]] | None = None, /
    ) -> NDArray[np.float32]:
        cosines: NDArray[np.float32] = (self._rows * query).sum(axis=1)
        return cosines if chunks is None else cosines[chunks]


class SmallCorpus(CutCorpus):
    """Documents given as name → chunks' texts, with fields given as name → value."""

    def __init__(
        self,
        documents: Mapping[str, Sequence[str]],
        fields: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        ends = ([0, *accumulate(map(len, each))] for each in documents.values())
        texts = {name: "".join(each) for name, each in documents.items()}
        super().__init__(texts, map(pairwise, ends))
        self.chunk_texts = self.texts.to_list()
        self.embedder = WordBags()
        self.vectors = Rows(self.embedder.embed(self.chunk_texts))
        with tempfile.TemporaryDirectory() as place:
            self.lexical = build_lexical(self.chunk_texts, Path(place) / "lexical")
        self.lexicon = self.lexical
        self.languages = self.lexical.languages
        self._values = [
            {key: field_value(value) for key, value in (fields or {}).get(name, {}).items()}
            for name in self.documents
        ]
        self.fields: tuple[Field, ...] = join_fields(value_rows(self._values))[0]
        self.field_names = [each.name for each in self.fields]

    @property
    def chunk_count(self) -> int:
        return len(self.chunk_texts)

    def field_items(self, field: str) -> Sequence[str]:
        values = self.field_values(field).values()
        return list(dict.fromkeys(item for value in values for item in value.items))

    def field_values(self, field: str) -> Mapping[int, FieldValue]:
        having = enumerate(self._values)
        return {place: values[field] for place, values in having if field in values}


def papers(rows: Mapping[str, Mapping[str, str]]) -> SmallCorpus:
    """Return documents that are known by their fields alone."""
    return SmallCorpus({name: ["-"] for name in rows}, rows)
