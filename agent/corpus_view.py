"""A corpus as the question layer and the reasoners see it: fields, vocabulary, documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

FieldType = Literal["text", "number", "date", "list"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldValue:
    """One document's value of one metadata field."""

    raw: str
    """The value as written, without the key; `text[start:end] == raw` where it has offsets."""
    items: tuple[str, ...]
    """The value's items: one for a plain value, several for a list (`Topic: Typing, Packaging`)."""
    number: float | None = None
    """The value as a number, where the field's type is number."""
    date: str | None = None
    """The value as an ISO date (`2014-09-29`), or a prefix of one (`2014-09`, `2014`)."""
    start: int | None = None
    """Character offset of `raw` in the document's text; None for file facts."""
    end: int | None = None
    """End offset, exclusive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One metadata field over the whole corpus."""

    name: str
    """As written most often in the documents, e.g. `Python-Version`."""
    type: FieldType
    """What most of its values are."""
    documents: int
    """How many documents have it."""
    distinct: int
    """How many distinct items it takes, compared without case."""
    values: tuple[tuple[str, int], ...]
    """The most frequent items with their document counts, at most 200, most frequent first."""
    written: bool = False
    """Whether a document writes it, so that its value has a place in the text; else a file fact."""
    units: tuple[str, ...] = ()
    """Of a number: the currencies and units written with it, most frequent first (`EUR`, `min`)."""
    aliases: tuple[str, ...] = ()
    """What a person says that it is called besides."""


class Lexicon(Protocol):
    """The corpus's own vocabulary: lower-cased word forms over chunks."""

    @property
    def languages(self) -> Sequence[str]:
        """The documents' languages, by their codes, that of most of them first."""

    def frequency(self, word: str) -> int:
        """Return in how many chunks the word form stands."""

    def inflections(self, word: str) -> tuple[str, ...]:
        """Return the corpus's word forms that share the word's stem, most frequent first."""

    def inflections_in(self, word: str, language: str) -> tuple[str, ...]:
        """Return those forms that stand in documents of one language."""

    def stands_in(self, form: str, language: str) -> bool:
        """Tell whether a word form stands in a document of a language."""

    def spellings(self, word: str) -> tuple[str, ...]:
        """Return the corpus's word forms within a small edit distance, nearest first."""


class CorpusView(Protocol):
    """What a reasoner may know of a corpus without reading it."""

    def __hash__(self) -> int:
        """Return the hash of this opened corpus: what is gathered of it is kept by it."""

    @property
    def documents(self) -> Sequence[str]:
        """The documents' names: path below the indexed root, without suffix."""

    @property
    def titles(self) -> Sequence[str]:
        """The documents' titles, in the order of their names."""

    @property
    def labels(self) -> Sequence[str]:
        """What the collection is called: its directory, and the folders that were indexed."""

    @property
    def languages(self) -> Sequence[str]:
        """The documents' languages, by their codes, that of most of them first."""

    @property
    def chunk_count(self) -> int:
        """How many chunks the corpus has."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """The metadata fields, most widespread first."""

    @property
    def lexicon(self) -> Lexicon:
        """The vocabulary."""

    def field_values(self, field: str) -> Mapping[int, FieldValue]:
        """Return the values of a field by document index; absent documents lack it."""

    def field_items(self, field: str) -> Sequence[str]:
        """Return the items of a field's values as written, each once, in the documents' order."""
