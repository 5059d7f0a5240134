"""The JSON object in a model's reply text, however it is wrapped."""

import json
import math
import re
from typing import NoReturn

from pydantic import ValidationError

from agent.errors import MalformedReply

__all__ = ("describe", "object_in")

_THINKING = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_ERRORS_TOLD = 5


def object_in(text: str) -> dict[str, object]:
    """Return the one JSON object that a reply holds.

    A thinking block, a code fence and words before or after the object are let pass; two objects,
    an array, NaN, or an outermost object that does not parse are not.

    Raises:
        MalformedReply: no single JSON object can be read.

    >>> object_in('Here it is: {"a": 1}. Anything else?')
    {'a': 1}
    """
    body = _THINKING.sub("", text).strip()
    start = body.find("{")
    if start < 0:
        raise MalformedReply("the reply holds no JSON object" if body else "the reply is empty")
    if body[:start].rstrip().endswith("["):
        raise MalformedReply("the reply is a JSON array instead of one object")
    found, end = _decode(body, start)
    if (second := body.find("{", end)) >= 0 and _decodes(body, second):
        raise MalformedReply("the reply holds more than one JSON object")
    return found


def describe(error: ValidationError) -> str:
    """Say in one line what is wrong with a value, field by field, without repeating it."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    told = [
        f"{'.'.join(str(step) for step in problem['loc']) or 'reply'}: {problem['msg']}"
        for problem in found[:_ERRORS_TOLD]
    ]
    more = len(found) - len(told)
    return "; ".join(told) + (f"; and {more} more" if more > 0 else "")


def _decode(text: str, start: int) -> tuple[dict[str, object], int]:
    try:
        decoder = json.JSONDecoder(parse_float=_finite, parse_constant=_no_constant)
        found, end = decoder.raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        raise MalformedReply(f"the reply is not valid JSON: {error}") from error
    return found, end


def _decodes(text: str, start: int) -> bool:
    try:
        _decode(text, start)
    except MalformedReply:
        return False
    return True


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits} is too large")
    return number


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")
