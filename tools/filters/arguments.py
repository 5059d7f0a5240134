"""What all filters share: arguments, which are predicates, and the engine that evaluates them.

A filter is written once, in terms of what every engine can do: look words up, scan texts, rank.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Annotated, Protocol, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)
from pyroaring import BitMap

from agent.question import Predicate
from tools.corpus.words.lexicon import Vocabulary
from tools.filters.phrases import Pattern, Search

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
"""A text that is not blank."""

Best = Annotated[int, Field(ge=1)]
"""How many of the best to keep."""


class Arguments(BaseModel):
    """The arguments of one filter: closed and frozen; a model reads the fields' docstrings."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A chunk's place and text."""

    document: str
    start: int
    """Character offset in the document's text, inclusive."""
    end: int
    """Character offset, exclusive."""
    text: str
    """The document's text from start to end."""


class Searched(Protocol):
    """What is known of a whole corpus, wherever it lies."""

    @property
    def chunk_count(self) -> int:
        """The number of chunks, N."""

    @property
    def lexical(self) -> Vocabulary:
        """The word forms of the corpus."""

    @property
    def field_names(self) -> Sequence[str]:
        """The metadata fields, most widespread first."""


class Engine(ABC):
    """Evaluates predicates over one corpus of N chunks, numbered 0 to N - 1.

    Whatever the engine, and wherever the corpus lies, equal predicates keep equal chunks; only
    scores within rounding of one another may change places. What must hold besides:

    - The result is a new set, within the snapshot; the snapshot is left as it was.
    - Statistics (word forms, spellings, idf, mean length) are the whole corpus's, not the
      snapshot's nor a shard's, so a predicate that ranks nothing decides each chunk alone.
    - What is best counts within the snapshot; ties go to the lower chunk id.
    - It is all or nothing: an engine that cannot reach a part of the corpus raises.
    """

    corpus: Searched

    def keep(self, predicate: "FilterArguments", snapshot: BitMap) -> BitMap:
        """Return the chunks of the snapshot that satisfy the predicate.

        Raises ToolArgumentError, for an empty snapshot too, where this corpus cannot be asked it.
        """
        return predicate.keep(self, snapshot)

    @abstractmethod
    def passages(self, chunks: BitMap) -> Sequence[Passage]:
        """Return the passages of a few chunks, in their order."""

    @abstractmethod
    def postings(self, words: Iterable[str]) -> Mapping[str, BitMap]:
        """Return the chunks that hold each of the word forms; those of no chunk may be left out."""

    @abstractmethod
    def scan(self, wanted: Sequence[tuple[BitMap, Sequence[Pattern]]]) -> list[BitMap]:
        """Return for each pair the chunks of its set whose text all its patterns match."""

    @abstractmethod
    def best_by_words(
        self, snapshot: BitMap, query: str, count: int | None, least: float | None
    ) -> BitMap:
        """Return the best of the snapshot by BM25Okapi among those with a word of the query."""

    @abstractmethod
    def best_by_vector(
        self, snapshot: BitMap, query: str, count: int | None, least: float | None
    ) -> BitMap:
        """Return the nearest of the snapshot by cosine; none where the query has no direction."""

    @abstractmethod
    def described(self, snapshot: BitMap, tests: Sequence[Predicate], *, every: bool) -> BitMap:
        """Return the chunks of documents whose fields satisfy every test, or any."""

    def searched(self, snapshot: BitMap, searches: Sequence[Search]) -> list[BitMap]:
        """Return what each search finds: words are looked up together, phrases scanned together."""
        forms = {form for each in searches for group in each.groups for form in group}
        known = self.postings(forms) if snapshot else {}
        found = [_within(known, snapshot, each) for each in searches]
        phrases = [
            (at, each.pattern) for at, each in enumerate(searches) if each.pattern and found[at]
        ]
        scanned = self.scan([(found[at], [pattern]) for at, pattern in phrases])
        for (at, _), chunks in zip(phrases, scanned, strict=True):
            found[at] = chunks
        return found


def _within(known: Mapping[str, BitMap], snapshot: BitMap, asked: Search) -> BitMap:
    """Return the chunks of the snapshot that hold a form of every group."""
    held = (
        BitMap.union(BitMap(), *(known[form] for form in group if form in known))
        for group in asked.groups
    )
    return reduce(BitMap.intersection, held, snapshot.copy())


class FilterArguments(Arguments, ABC):
    """What one filter asks of a chunk: the predicate that an engine evaluates."""

    @abstractmethod
    def keep(self, engine: Engine, candidates: BitMap) -> BitMap:
        """Return the candidates that satisfy the predicate; raises as `Engine.keep`."""


class RankedArguments(FilterArguments):
    """A query, with two ways to say how much is kept."""

    @model_validator(mode="after")
    def _one_limit(self) -> Self:
        limits = {name: value for name, value in self if name != "query"}
        if sum(value is not None for value in limits.values()) != 1:
            raise ValueError("give exactly one of " + " and ".join(limits))
        return self


def explained(error: ValidationError, arguments: type[BaseModel]) -> str:
    """Say what is wrong with arguments, and which there are."""
    each = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
    wrong = "; ".join(told.removeprefix(": ") for told in each)
    return f"{wrong}. The arguments are: {', '.join(arguments.model_fields) or 'none'}"
