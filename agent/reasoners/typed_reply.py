"""A reply of a declared type, asked for by its JSON schema, and the choice of one tool."""

import json
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import ClassVar, Generic, TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from agent.errors import MalformedReply, ToolArgumentError
from agent.reasoner import ToolCall, ToolSpec
from agent.reasoners.completion import CalledTool, Completion, Form, Options

_MAPS = ("properties", "$defs")
_DROPPED = ("default", "title", "discriminator")
_Schema = dict[str, JsonValue]
_THINKING = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_ERRORS_TOLD = 5
_LONGEST = 500
R = TypeVar("R", bound=BaseModel)
_IN_JSON = "Reply with one JSON object and nothing else."


class Expected(ABC, Generic[R]):
    """A kind of reply: how it is asked for and how it is read."""

    choosing: ClassVar[bool]
    """Whether tools are offered."""
    signature: JsonValue
    """What tells this kind from others in the response cache."""

    @abstractmethod
    def options(self, form: Form) -> Options:
        """Return what the request says beside the prompt."""

    @abstractmethod
    def read(self, completion: Completion) -> R:
        """Read a usable completion; raise MalformedReply or ToolArgumentError."""

    @abstractmethod
    def load(self, text: str) -> R:
        """Return a reply from the cache; raise MalformedReply where it is none any more."""

    def written(self, completion: Completion) -> str:
        """Return the model's reply as it is shown to it when it has to correct it."""
        return completion.text


class TypedReply(Expected[R]):
    """The expectation of one JSON object that a Pydantic model accepts."""

    choosing = False

    def __init__(self, reply: type[R], unused: frozenset[str] = frozenset()) -> None:
        self._reply = reply
        self._schema, self._in_words = _schema_of(reply, unused)
        self.signature = {"reply": reply.__name__, "schema": self._schema}

    def options(self, form: Form) -> Options:
        """Return the response format, as far as the server takes one, else the schema in words."""
        only_format = form.reply == "json_schema" and not form.in_words
        instruction = _IN_JSON if only_format else self._in_words
        return Options(instruction=instruction, body=self._response_format(form))

    def read(self, completion: Completion) -> R:
        """Return the reply; raise MalformedReply where it is not of the type."""
        return self.load(json.dumps(object_in(completion.text)))

    def load(self, text: str) -> R:
        """Return a reply from its JSON; raise MalformedReply where it is not of the type."""
        try:
            return self._reply.model_validate_json(text)
        except ValidationError as error:
            raise MalformedReply(describe(error)) from error

    def _response_format(self, form: Form) -> dict[str, JsonValue]:
        if form.reply == "text":
            return {}
        if form.reply == "json_object":
            return {"response_format": {"type": "json_object"}}
        named: dict[str, JsonValue] = {
            "name": self._reply.__name__,
            "strict": True,
            "schema": self._schema,
        }
        return {"response_format": {"type": "json_schema", "json_schema": named}}


@lru_cache(maxsize=64)
def _schema_of(reply: type[BaseModel], unused: frozenset[str]) -> tuple[dict[str, JsonValue], str]:
    """Return a type's schema, and the sentence that asks for it; deriving it takes a while."""
    schema = strict_schema(reply, unused)
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return schema, f"{_IN_JSON} Its JSON Schema:\n{text}"


def strict_schema(
    model: type[BaseModel], unused: frozenset[str] = frozenset()
) -> dict[str, JsonValue]:
    """Return a model's JSON schema with every object closed and every property required.

    Unused properties, each of which has a default, are left out. Defaults and titles go; a `$ref`
    beside other keywords moves into an `anyOf`, and `oneOf` becomes `anyOf`, since strict servers
    refuse the former of each.
    """
    schema = _walked(model.model_json_schema(), partial(_strict, unused))
    if unused and isinstance(kept := schema.get("$defs"), dict):
        told = json.dumps(schema)
        schema["$defs"] = {name: kept[name] for name in kept if f'"#/$defs/{name}"' in told}
    return schema


def _walked(schema: _Schema, changed: Callable[[_Schema], _Schema]) -> _Schema:
    """Return a schema with each schema in it changed, the innermost first."""

    def part(value: JsonValue) -> JsonValue:
        if isinstance(value, list):
            return [part(each) for each in value]
        return _walked(value, changed) if isinstance(value, dict) else value

    return changed(
        {
            keyword: {name: part(each) for name, each in value.items()}
            if keyword in _MAPS and isinstance(value, dict)
            else part(value)
            for keyword, value in schema.items()
        }
    )


def _strict(unused: frozenset[str], schema: _Schema) -> _Schema:
    kept = (item for item in schema.items() if item[0] not in _DROPPED)
    strict = {"anyOf" if keyword == "oneOf" else keyword: value for keyword, value in kept}
    if isinstance(properties := strict.get("properties"), dict):
        used = {name: part for name, part in properties.items() if name not in unused}
        strict |= {"properties": used, "required": list(used), "additionalProperties": False}
    if "$ref" in strict and len(strict) > 1:
        strict["anyOf"] = [{"$ref": strict.pop("$ref")}]
    return strict


def object_in(text: str) -> dict[str, object]:
    """Return the one JSON object that a reply holds.

    A thinking block, a code fence and words before or after the object are ignored; two objects,
    an array, NaN, or an outermost object that does not parse are not.

    Raises MalformedReply: no single JSON object can be read.

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
        f"{'.'.join(str(step) for step in problem['loc']) or 'reply'}: {problem['msg']}"[:_LONGEST]
        for problem in found[:_ERRORS_TOLD]
    ]
    more = len(found) - len(told)
    return "; ".join(told) + (f"; and {more} more" if more > 0 else "")


def _decode(text: str, start: int) -> tuple[dict[str, object], int]:
    try:
        decoder = json.JSONDecoder(parse_float=_finite, parse_constant=_finite)
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
    if not math.isfinite(number := float(digits)):
        raise ValueError(f"{digits} is no finite number")
    return number


_UNSAID = ("title", "maxLength", "minLength", "maxItems")
"""What a schema tells no reader; the arguments are checked against it when they come."""
_IN_WORDS = (
    'Reply with one JSON object {"tool": name, "arguments": {…}, "why": one sentence} '
    "and nothing else."
)


def validated_call(
    tools: Sequence[ToolSpec], name: str, arguments: Mapping[str, object] | str, why: str
) -> ToolCall:
    """Check a tool call against the tools offered; raises ToolArgumentError if it is wrong."""
    spec = next((tool for tool in tools if tool.name == name), None)
    if spec is None:
        offered = ", ".join(tool.name for tool in tools)
        raise ToolArgumentError(f"there is no tool {name[:99]!r}; the tools are: {offered}")
    if isinstance(arguments, str):
        raise ToolArgumentError(f"the arguments of {name} are not a JSON object")
    # A lone surrogate, which JSON can name, is no character that could be kept.
    told = json.dumps([arguments, why], ensure_ascii=False).encode("utf-8", "replace")
    arguments, why = json.loads(told)
    try:
        accepted = spec.arguments.model_validate(arguments)
    except ValidationError as error:
        raise ToolArgumentError(f"the arguments of {name} are wrong: {describe(error)}") from error
    return ToolCall(tool=name, arguments=accepted.model_dump(mode="json"), why=why)


class ToolChoice(Expected[ToolCall]):
    """The expectation of exactly one call of one of the tools."""

    choosing = True

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._tools = tuple(tools)
        self._offered = tuple(_offer(tool) for tool in self._tools)
        self.signature = {"tools": list(self._offered)}

    def options(self, form: Form) -> Options:
        """Return the tools as the server takes them: natively, or in words."""
        if form.tools == "text":
            return Options(instruction=self._in_words())
        return Options(
            instruction="Call exactly one tool.",
            tools=self._offered,
            tool_choice="any" if form.tools == "required" else "auto",
        )

    def read(self, completion: Completion) -> ToolCall:
        """Return the first call; raise MalformedReply or ToolArgumentError."""
        if completion.calls:
            called = completion.calls[0]
            return validated_call(self._tools, called.tool, called.arguments, completion.text)
        called, why = _call_in(completion.text)
        return validated_call(self._tools, called.tool, called.arguments, why)

    def written(self, completion: Completion) -> str:
        """Return the call, or the text that stood in its place."""
        if not completion.calls:
            return completion.text
        called = completion.calls[0]
        return json.dumps({"tool": called.tool, "arguments": called.arguments}, ensure_ascii=False)

    def load(self, text: str) -> ToolCall:
        """Return a stored call; raise MalformedReply where the tools do not accept it any more."""
        try:
            call = ToolCall.model_validate_json(text)
            return validated_call(self._tools, call.tool, call.arguments, call.why)
        except (ValidationError, ToolArgumentError) as error:
            raise MalformedReply(f"the stored tool call cannot be used: {error}") from error

    def _in_words(self) -> str:
        listed = "\n".join(
            json.dumps(tool["function"], ensure_ascii=False, separators=(",", ":"))
            for tool in self._offered
        )
        return f"Choose exactly one of these tools.\n{listed}\n{_IN_WORDS}"


def _offer(tool: ToolSpec) -> dict[str, JsonValue]:
    """Return a tool as a request has it, its schema kept short: it is sent with every choice."""
    schema = tool.arguments.model_json_schema()
    schema.pop("description", None)
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": _walked(schema, _bare),
        },
    }


def _bare(schema: _Schema) -> _Schema:
    """Leave out what a schema says twice or to nobody: titles, null defaults, limits of length."""
    said = (item for item in schema.items() if item[0] not in _UNSAID)
    return {keyword: part for keyword, part in said if (keyword, part) != ("default", None)}


def _call_in(text: str) -> tuple[CalledTool, str]:
    try:
        found = object_in(text)
    except MalformedReply as error:
        raise MalformedReply(f"no tool was called, and {error}. {_IN_WORDS}") from error
    tool, arguments = found.get("tool"), found.get("arguments")
    if not isinstance(tool, str) or not isinstance(arguments, dict):
        raise MalformedReply(f"no tool was called. {_IN_WORDS}")
    return CalledTool(tool=tool, arguments=arguments), str(found.get("why") or "")
