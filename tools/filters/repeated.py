"""Recognising a call that was made before, whatever the order and the case of its words."""

from collections.abc import Sequence

from pydantic import JsonValue

from agent.errors import ToolArgumentError
from agent.history import Step
from agent.reasoner import ToolCall
from tools.corpus.words.tokenizer import words
from tools.filters.registry import arguments_of

__all__ = ("normalised", "same_call")

_UNORDERED = frozenset({"words", "values", "predicates", "snapshots"})
_AS_WRITTEN = frozenset({"pattern", "snapshots", "snapshot"})


def same_call(history: Sequence[Step], call: ToolCall, snapshot: str) -> Step | None:
    """Return the first step that made the same call on the same snapshot, if one did.

    A step that was refused counts too: the call would be refused again.
    """
    asked = normalised(call)
    for step in history:
        if (
            step.before == snapshot
            and step.call.tool == call.tool
            and normalised(step.call) == asked
        ):
            return step
    return None


def normalised(call: ToolCall) -> JsonValue:
    """Return a call's arguments in the form in which equal calls are equal.

    Defaults are filled in. Lists are sorted and lose their repetitions; texts lose their case and
    spare white space, queries also the order of their words. Patterns, ids and phrases whose
    capitals matter stay as written.
    """
    try:
        given = arguments_of(call).model_dump(mode="json")
    except ToolArgumentError:
        given = dict(call.arguments)
    exactly = given.get("case_sensitive") is True
    return {name: _folded(name, value, exactly=exactly) for name, value in given.items()}


def _folded(name: str, value: JsonValue, *, exactly: bool) -> JsonValue:
    match value:
        case str() if name in _AS_WRITTEN or exactly:
            return value
        case str() if name == "query":
            return " ".join(sorted(words(value)))
        case str():
            return " ".join(value.casefold().split())
        case list() if name in _UNORDERED:
            folded = {repr(each): each for each in (_item(name, each) for each in value)}
            return [folded[key] for key in sorted(folded)]
        case _:
            return value


def _item(name: str, value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        ordered = value.get("comparison") == "between"
        return {
            key: each if ordered and key == "values" else _folded(key, each, exactly=False)
            for key, each in sorted(value.items())
        }
    return _folded(name, value, exactly=False)
