"""The filter `exact`: chunks that contain a phrase, character for character."""

from typing import Annotated

import polars as pl
from pydantic import Field
from pyroaring import BitMap

from agent.reasoner import ToolSpec
from tools.filters.arguments import Engine, FilterArguments
from tools.filters.phrases import Pattern, whole

_DESCRIPTION = (
    "Keep the chunks that contain one phrase exactly as written. Use it for names, identifiers and "
    'quoted words: {"phrase": "PyObject_GetAttr", "case_sensitive": true}; {"phrase": "C++", '
    '"whole_word": true}. A phrase of several words is not found where a line break or a hyphen '
    "parts them: use keywords for those."
)


class ExactArguments(FilterArguments):
    """A phrase."""

    phrase: Annotated[str, Field(min_length=1, max_length=2000)]
    """The characters to look for, spaces included, e.g. `net 30 days`."""
    case_sensitive: bool = False
    """Whether capitals matter, e.g. true for the acronym `IT`."""
    whole_word: bool = False
    """Whether the phrase must not be a part of a longer word, e.g. true for `art`, not `party`."""

    def keep(self, engine: Engine, candidates: BitMap) -> BitMap:
        """Return the candidates that contain the phrase."""
        literal, cased = pl.escape_regex(self.phrase), self.case_sensitive
        flags = "" if cased else "(?i)"
        patterns = [Pattern(self.phrase, literal=True) if cased else Pattern(flags + literal)]
        if self.whole_word:  # which decides alone; the first is quicker
            patterns.append(Pattern(flags + whole(self.phrase, literal)))
        return engine.scan([(candidates, patterns)])[0]


FILTER = ToolSpec(name="exact", description=_DESCRIPTION, arguments=ExactArguments)
