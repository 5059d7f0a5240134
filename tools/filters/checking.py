"""Checking a tool call's arguments, and saying in plain words what is wrong with them."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from pydantic import ValidationError

from agent.errors import ToolArgumentError
from tools.filters.arguments import Arguments

__all__ = ("checked", "explained")

A = TypeVar("A", bound=Arguments)


def checked(tool: str, given: Mapping[str, Any], arguments: type[A]) -> A:
    """Return the given values as the tool's arguments.

    Raises:
        ToolArgumentError: a value is missing, unknown or of the wrong kind; all are told at once.
    """
    try:
        return arguments.model_validate(dict(given))
    except ValidationError as error:
        raise ToolArgumentError(f"{tool}: {explained(error, arguments)}") from error


def explained(error: ValidationError, arguments: type[Arguments]) -> str:
    """Return what is wrong with the arguments and which ones the tool takes."""
    names = tuple(arguments.model_fields)
    wrong = "; ".join(
        _told(each["type"], each["loc"], each["msg"], names) for each in error.errors()
    )
    return f"{wrong}. The arguments are: {', '.join(names) or 'none'}"


def _told(kind: str, place: Iterable[str | int], message: str, names: Iterable[str]) -> str:
    where = ".".join(str(part) for part in place)
    if kind == "missing":
        return f"{where!r} is missing"
    if kind == "extra_forbidden":
        near = get_close_matches(where, names, n=1)
        return f"there is no argument {where!r}" + (f", did you mean {near[0]!r}?" if near else "")
    plain = message.removeprefix("Value error, ")
    return f"{where!r}: {plain}" if where else plain
