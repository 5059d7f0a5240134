"""The filter `fuzzy`: chunks that hold a term, misspellings included.

The term's words are matched against the corpus's vocabulary first, then the spellings found are
searched exactly. A term of several words is also looked for as one word, and one word as two words
of the corpus: `noncompete` is found as `non-compete`.
"""

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field, field_validator
from pyroaring import BitMap
from rapidfuzz import process
from rapidfuzz.distance import OSA

from tools.corpus.corpus import Corpus
from tools.corpus.words.tokenizer import words
from tools.filters.arguments import Filter, FilterArguments, Words
from tools.filters.scan import Forms, Search, chunks_with, itself, search
from tools.filters.searchable import Worded

_SHORTEST_PART = 3

_DESCRIPTION = (
    "Keep the chunks that hold a term also where it is misspelt or badly scanned. Use it for names "
    'and technical terms, one at a time: {"term": "Kubernetes"}; {"term": "force majeure", '
    '"distance": 1}. Not for synonyms: use keywords or semantic.'
)


class FuzzyArguments(FilterArguments):
    """A term."""

    term: Words
    """One word or phrase, e.g. `Kubernetes`."""
    distance: Annotated[int, Field(ge=0, le=3)] | None = None
    """How many letters of each word may be wrong, missing, added or swapped with the next; null
    for what suits the word's length: none below 4 letters, 1 below 8, else 2."""

    @field_validator("term")
    @classmethod
    def _has_words(cls, term: str) -> str:
        if not words(term):
            raise ValueError("the term has no letters or digits; use exact")
        return term


def keep(corpus: Corpus, candidates: BitMap, arguments: FuzzyArguments) -> BitMap:
    """Return the candidates that hold the term in one of its spellings."""
    found = (chunks_with(corpus, candidates, each) for each in searches(corpus, arguments))
    return BitMap.union(BitMap(), *found)


def searches(corpus: Worded, arguments: FuzzyArguments) -> Iterator[Search]:
    """Yield the ways in which the term is found: any of them will do."""
    parts = words(arguments.term)
    known = spellings(corpus, arguments.distance)
    yield search(" ".join(parts), known)
    if arguments.distance == 0:
        return
    if len(parts) > 1:
        yield search("".join(parts), known)
        return
    for pair in _parted(corpus, parts[0]):
        yield search(pair, itself)


def _parted(corpus: Worded, word: str) -> Iterator[str]:
    """Yield the pairs of words of the corpus that make up the word."""
    known = corpus.lexicon.frequency
    for place in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        left, right = word[:place], word[place:]
        if known(left) and known(right):
            yield f"{left} {right}"


def spellings(corpus: Worded, distance: int | None) -> Forms:
    """Return which word forms of the corpus are within the distance of a word.

    The distance is optimal string alignment: a swap of neighbouring letters counts as one. It is
    cut to less than half of the word's letters.
    """

    def near(word: str) -> tuple[str, ...]:
        found = process.extract(
            word,
            corpus.lexical.vocabulary,
            scorer=OSA.distance,
            score_cutoff=min(distance or 0, (len(word) - 1) // 2),
            limit=None,
        )
        return tuple(form for form, _, _ in found)

    return corpus.lexicon.spellings if distance is None else near


FILTER = Filter(name="fuzzy", description=_DESCRIPTION, arguments=FuzzyArguments, keep=keep)
