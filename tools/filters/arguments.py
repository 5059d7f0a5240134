"""What all filters have in common: arguments, which are a filter's predicate, and their checks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)
from pyroaring import BitMap

from agent.reasoner import ToolSpec
from tools.corpus.corpus import Corpus

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
"""A text that is not blank."""

Best = Annotated[int, Field(ge=1)]
"""How many of the best to keep."""


class Arguments(BaseModel):
    """The arguments of one filter: closed and frozen; a model reads the fields' docstrings."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class FilterArguments(Arguments):
    """What one filter asks of a chunk: the predicate that an engine evaluates."""


class RankedArguments(FilterArguments):
    """A query, with two ways to say how much is kept."""

    @model_validator(mode="after")
    def _one_limit(self) -> Self:
        limits = {name: value for name, value in self if name != "query"}
        if sum(value is not None for value in limits.values()) != 1:
            raise ValueError("give exactly one of " + " and ".join(limits))
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter(ToolSpec):
    """A tool that keeps some of the candidates; its description says when to use it."""

    arguments: type[FilterArguments]
    """What it is asked with: the predicate that an engine evaluates."""
    keep: Callable[[Corpus, BitMap, Any], BitMap]
    """Returns the candidates that satisfy the arguments; changes neither."""


def explained(error: ValidationError, arguments: type[BaseModel]) -> str:
    """Say what is wrong with arguments, and which there are."""
    each = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
    wrong = "; ".join(told.removeprefix(": ") for told in each)
    return f"{wrong}. The arguments are: {', '.join(arguments.model_fields) or 'none'}"
