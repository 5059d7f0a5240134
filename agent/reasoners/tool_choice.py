"""The choice of one tool: offered natively, or in words where a server knows no tools."""

import json
from collections.abc import Mapping, Sequence

from pydantic import BaseModel, JsonValue, ValidationError

from agent.errors import MalformedReply, ToolArgumentError
from agent.reasoner import ToolCall, ToolSpec
from agent.reasoners.completion import CalledTool, Completion, Options
from agent.reasoners.dialect import Form
from agent.reasoners.typed_reply import describe, object_in

_NAMED = ("properties", "$defs")
_UNSAID = ("title", "maxLength", "minLength", "maxItems")
"""What a schema tells no reader; the arguments are checked against it when they come."""
_IN_WORDS = (
    'Reply with one JSON object {"tool": name, "arguments": {…}, "why": one sentence} '
    "and nothing else."
)


def validated_call(
    tools: Sequence[ToolSpec], name: str, arguments: Mapping[str, object] | str, why: str
) -> ToolCall:
    """Check a tool call against the tools offered.

    Raises:
        ToolArgumentError: no such tool, or arguments that its model does not accept.
    """
    spec = next((tool for tool in tools if tool.name == name), None)
    if spec is None:
        offered = ", ".join(tool.name for tool in tools)
        raise ToolArgumentError(f"there is no tool {name!r}; the tools are: {offered}")
    if isinstance(arguments, str):
        raise ToolArgumentError(f"the arguments of {name} are not a JSON object")
    try:
        accepted = spec.arguments.model_validate(arguments)
    except ValidationError as error:
        raise ToolArgumentError(f"the arguments of {name} are wrong: {describe(error)}") from error
    return ToolCall(tool=name, arguments=accepted.model_dump(mode="json"), why=why)


class ToolChoice:
    """The expectation of exactly one call of one of the tools."""

    choosing = True

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._tools = tuple(tools)
        self._offered = tuple(_offer(tool) for tool in self._tools)

    @property
    def signature(self) -> JsonValue:
        """The tools as they are offered."""
        return {"tools": list(self._offered)}

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

    def dump(self, value: ToolCall) -> str:
        """Return the call as JSON."""
        return value.model_dump_json()

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
    """Return a tool in OpenAI's form."""
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": _parameters(tool.arguments),
        },
    }


def _parameters(arguments: type[BaseModel]) -> JsonValue:
    """Return a tool's JSON schema, kept short: it is sent with every choice."""
    schema = arguments.model_json_schema()
    schema.pop("description", None)
    return _bare(schema)


def _bare(schema: JsonValue) -> JsonValue:
    """Leave out what a schema says twice or to nobody: titles, null defaults, limits of length."""
    if isinstance(schema, list):
        return [_bare(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        keyword: {name: _bare(each) for name, each in part.items()}
        if keyword in _NAMED and isinstance(part, dict)
        else _bare(part)
        for keyword, part in schema.items()
        if keyword not in _UNSAID and not (keyword == "default" and part is None)
    }


def _call_in(text: str) -> tuple[CalledTool, str]:
    try:
        found = object_in(text)
    except MalformedReply as error:
        raise MalformedReply(f"no tool was called, and {error}. {_IN_WORDS}") from error
    tool, arguments = found.get("tool"), found.get("arguments")
    if not isinstance(tool, str) or not isinstance(arguments, dict):
        raise MalformedReply(f"no tool was called. {_IN_WORDS}")
    return CalledTool(tool=tool, arguments=arguments), str(found.get("why") or "")
