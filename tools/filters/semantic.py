"""The filter `semantic`: the chunks whose vectors are nearest to a query's, found exactly."""

from typing import Annotated

from pydantic import Field
from pyroaring import BitMap

from agent.reasoner import ToolSpec
from tools.filters.arguments import Best, Engine, RankedArguments, Words

_DESCRIPTION = (
    "Keep the chunks nearest in meaning to a query, whatever their words. Use it beside keywords, "
    "joined by union, where the wording is open; a passage as the documents might put it finds "
    'more than a question: {"query": "The Distributor shall not sell competing goods in the '
    'Territory.", "best": 300}; {"query": "cooling failure", "min_cosine": 0.35}. The search is '
    "exact and complete."
)


class SemanticArguments(RankedArguments):
    """A query or a passage, with how many to keep or which cosine to reach."""

    query: Words
    """What to look for: a phrase or a passage such as the documents might hold."""
    best: Best | None = None
    """How many of the nearest chunks to keep, e.g. 300; give this or min_cosine."""
    min_cosine: Annotated[float, Field(ge=-1, le=1)] | None = None
    """The cosine that a chunk must reach, e.g. 0.35; it depends on the embedder."""

    def keep(self, engine: Engine, candidates: BitMap) -> BitMap:
        """Return the nearest candidates; none where the embedder knows nothing of the query."""
        return engine.best_by_vector(candidates, self.query, self.best, self.min_cosine)


FILTER = ToolSpec(name="semantic", description=_DESCRIPTION, arguments=SemanticArguments)
