"""The filter `bm25`: the chunks that rank highest for a query's words."""

from pyroaring import BitMap

from agent.reasoner import ToolSpec
from tools.filters.arguments import Best, Engine, RankedArguments, Words

_DESCRIPTION = (
    "Keep the chunks that rank highest for the words of a query, rare words counting more. Use it "
    "where a list of words would keep too much and an order is enough: "
    '{"query": "termination for convenience without cause notice", "best": 300}; {"query": '
    '"cooling failure", "min_score": 6.5}. Scores are BM25Okapi (k1 1.5, b 0.75) with the word '
    "weights of the whole corpus. Chunks without any of the words are never kept."
)


class Bm25Arguments(RankedArguments):
    """A query, with how many to keep or which score to reach."""

    query: Words
    """The words to look for, e.g. `termination for convenience notice`; their order is nothing."""
    best: Best | None = None
    """How many of the best chunks to keep, e.g. 300; give this or min_score."""
    min_score: float | None = None
    """The BM25Okapi score that a chunk must reach, e.g. 6.5; it depends on the corpus."""

    def keep(self, engine: Engine, candidates: BitMap) -> BitMap:
        """Return the best candidates among those with a word of it; ties go to the lower id."""
        return engine.best_by_words(candidates, self.query, self.best, self.min_score)


FILTER = ToolSpec(name="bm25", description=_DESCRIPTION, arguments=Bm25Arguments)
