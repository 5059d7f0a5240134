"""What all filters have in common: arguments, which are a filter's predicate, and their checks."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pyroaring import BitMap

from agent.errors import ToolArgumentError
from tools.corpus.corpus import Corpus

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
"""A text that is not blank."""

Best = Annotated[int, Field(ge=1)]
"""How many of the best to keep."""


class Arguments(BaseModel):
    """The arguments of one filter: closed and frozen; a model reads the fields' docstrings."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


A = TypeVar("A", bound=Arguments)


def checked(tool: str, given: Mapping[str, Any], arguments: type[A]) -> A:
    """Return the values as arguments; raises ToolArgumentError that tells all that is wrong."""
    try:
        return arguments.model_validate(dict(given))
    except ValidationError as error:
        raise ToolArgumentError(f"{tool}: {explained(error, arguments)}") from error


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
