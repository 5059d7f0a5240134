"""What all filters have in common: arguments, which are a filter's predicate, and their checks."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
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

from tools.corpus.corpus import Corpus

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
"""A text that is not blank."""

Best = Annotated[int, Field(ge=1)]
"""How many of the best to keep."""


class Arguments(BaseModel):
    """The arguments of one filter: closed and frozen; a model reads the fields' docstrings."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


def explained(error: ValidationError, arguments: type[Arguments]) -> str:
    """Return what is wrong with the arguments and which ones the tool takes."""
    names = tuple(arguments.model_fields)
    wrong = "; ".join(
        _wrong(each["type"], each["loc"], each["msg"], names) for each in error.errors()
    )
    return f"{wrong}. The arguments are: {', '.join(names) or 'none'}"


def _wrong(kind: str, place: Iterable[str | int], message: str, names: Iterable[str]) -> str:
    where = ".".join(str(part) for part in place)
    if kind == "missing":
        return f"{where!r} is missing"
    if kind == "extra_forbidden":
        near = get_close_matches(where, names, n=1)
        return f"there is no argument {where!r}" + (f", did you mean {near[0]!r}?" if near else "")
    plain = message.removeprefix("Value error, ")
    return f"{where!r}: {plain}" if where else plain


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
class Filter:
    """A tool that keeps some of the candidates."""

    name: str
    description: str
    """When to use it, with examples: what a model reads."""
    arguments: type[FilterArguments]
    """What it is asked with: the predicate that an engine evaluates."""
    keep: Callable[[Corpus, BitMap, Any], BitMap]
    """Returns the candidates that satisfy the arguments; changes neither."""
