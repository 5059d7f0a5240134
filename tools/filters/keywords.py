"""The filter `keywords`: chunks that hold any, all or at least k of a list of words and phrases."""

from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator
from pyroaring import BitMap

from agent.reasoner import ToolSpec
from tools.filters.arguments import Engine, FilterArguments, Words
from tools.filters.phrases import itself, search
from tools.filters.searchable import bitmap, ids

_DESCRIPTION = (
    "Keep the chunks that hold some of a list of words and phrases, in any inflection. The filter "
    "to begin with: list every way to say the thing, with match any. Examples: "
    '{"words": ["non-compete", "compete", "competitor", "restrictive covenant"]}; {"words": '
    '["outage", "cooling", "temperature"], "match": "at_least", "at_least": 2}. A phrase also '
    "matches over a line break or with a hyphen."
)


class KeywordsArguments(FilterArguments):
    """A list of words and phrases."""

    words: Annotated[tuple[Words, ...], Field(min_length=1, max_length=200)]
    """Whole words and phrases, e.g. `["terminate", "notice period"]`; case does not matter."""
    match: Literal["any", "all", "at_least"] = "any"
    """How many of the list a chunk must hold."""
    at_least: Annotated[int, Field(ge=1)] | None = None
    """With match at_least: how many different entries of the list, e.g. 2."""
    stem: bool = True
    """Whether inflections count: `licenses` and `licensed` for `license`."""

    @model_validator(mode="after")
    def _number_fits(self) -> Self:
        if (self.match == "at_least") != (self.at_least is not None):
            raise ValueError("at_least is given exactly when match is 'at_least'")
        if self.at_least is not None and self.at_least > len(self.entries):
            raise ValueError(f"at_least is above the number of entries, {len(self.entries)}")
        return self

    @property
    def entries(self) -> tuple[str, ...]:
        """The list without repetitions, lower-cased."""
        return tuple(dict.fromkeys(word.lower() for word in self.words))

    @property
    def needed(self) -> int:
        """How many entries a chunk must hold."""
        return {"any": 1, "all": len(self.entries)}.get(self.match) or self.at_least or 1

    def keep(self, engine: Engine, candidates: BitMap) -> BitMap:
        """Return the candidates that hold at least as many entries as are needed."""
        forms = engine.corpus.lexical.inflections if self.stem else itself
        held = engine.searched(candidates, [search(entry, forms) for entry in self.entries])
        if self.needed == 1:
            return BitMap.union(BitMap(), *held)
        counts = np.bincount(np.concatenate(list(map(ids, held))))
        return bitmap(np.flatnonzero(counts >= self.needed))


FILTER = ToolSpec(name="keywords", description=_DESCRIPTION, arguments=KeywordsArguments)
