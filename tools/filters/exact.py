"""The filter `exact`: chunks that contain a phrase, character for character."""

from typing import Annotated

from pydantic import Field
from pyroaring import BitMap

from agent.reasoner import ToolSpec
from tools.filters.arguments import Engine, FilterArguments
from tools.filters.phrases import Pattern, escaped, whole

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
        return engine.scan([(candidates, _patterns(self))])[0]


def _patterns(arguments: ExactArguments) -> tuple[Pattern, ...]:
    """Return the patterns that a chunk must match, the quickest first; the last alone decides."""
    phrase, literal = arguments.phrase, escaped(arguments.phrase)
    flags = "" if arguments.case_sensitive else "(?i)"
    held = Pattern(phrase, literal=True) if arguments.case_sensitive else Pattern(flags + literal)
    return (held, Pattern(flags + whole(phrase, literal))) if arguments.whole_word else (held,)


FILTER = ToolSpec(name="exact", description=_DESCRIPTION, arguments=ExactArguments)
