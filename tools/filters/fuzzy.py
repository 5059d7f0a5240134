"""The filter `fuzzy`: chunks that hold a term, misspellings included.

The term's words are matched against the corpus's vocabulary first, then the spellings found are
searched exactly. A term of several words is also looked for as one word, and one word as two words
of the corpus: `noncompete` is found as `non-compete`.
"""

from collections.abc import Iterator

from pydantic import field_validator
from pyroaring import BitMap

from agent.languages import runs
from agent.reasoner import ToolSpec
from tools.corpus.words.lexicon import Vocabulary
from tools.filters.arguments import Engine, FilterArguments, Words
from tools.filters.phrases import Search, itself, search

_SHORTEST_PART = 3

_DESCRIPTION = (
    "Keep the chunks that hold a term also where it is misspelt or badly scanned. Use it for names "
    'and technical terms, one at a time: {"term": "Kubernetes"}; {"term": "force majeure"}. One '
    "letter of a word may be wrong, two from 8 letters on, none below 4. Not for synonyms: use "
    "keywords or semantic."
)


class FuzzyArguments(FilterArguments):
    """A term."""

    term: Words
    """One word or phrase, e.g. `Kubernetes`."""

    @field_validator("term")
    @classmethod
    def _has_words(cls, term: str) -> str:
        if not runs(term):
            raise ValueError("the term has no letters or digits; use exact")
        return term

    def keep(self, engine: Engine, candidates: BitMap) -> BitMap:
        """Return the candidates that hold the term in one of its spellings."""
        searches = list(_searches(engine.corpus.lexical, self.term))
        return BitMap.union(BitMap(), *engine.searched(candidates, searches))


def _searches(forms: Vocabulary, term: str) -> Iterator[Search]:
    """Yield the ways in which the term is found: any of them will do."""
    parts = runs(term)
    known = forms.spellings
    yield search(" ".join(parts), known)
    if len(parts) > 1:
        yield search("".join(parts), known)
        return
    for pair in _parted(forms, parts[0]):
        yield search(pair, itself)


def _parted(forms: Vocabulary, word: str) -> Iterator[str]:
    """Yield the pairs of words of the corpus that make up the word."""
    known = forms.frequency
    for place in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        left, right = word[:place], word[place:]
        if known(left) and known(right):
            yield f"{left} {right}"


FILTER = ToolSpec(name="fuzzy", description=_DESCRIPTION, arguments=FuzzyArguments)
