"""A reply of a declared type, asked for by its JSON schema and read by ourselves."""

import json
from functools import lru_cache
from typing import Generic, TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from agent.errors import MalformedReply
from agent.reasoners.completion import Completion, Options
from agent.reasoners.dialect import Form
from agent.reasoners.json_schema import is_closed, strict_schema
from agent.reasoners.json_text import describe, object_in

__all__ = ("TypedReply",)

R = TypeVar("R", bound=BaseModel)

_IN_JSON = "Reply with one JSON object and nothing else."


@lru_cache(maxsize=64)
def _schema_of(reply: type[BaseModel]) -> tuple[dict[str, JsonValue], str]:
    """Return a type's schema, and the sentence that asks for it; deriving it takes a while."""
    schema = strict_schema(reply)
    text = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return schema, f"{_IN_JSON} Its JSON Schema:\n{text}"


class TypedReply(Generic[R]):
    """The expectation of one JSON object that a Pydantic model accepts."""

    choosing = False

    def __init__(self, reply: type[R]) -> None:
        self._reply = reply
        self._schema, self._in_words = _schema_of(reply)

    @property
    def signature(self) -> JsonValue:
        """The type's name and schema."""
        return {"reply": self._reply.__name__, "schema": self._schema}

    def options(self, form: Form) -> Options:
        """Return the response format, as far as the server takes one, else the schema in words."""
        only_format = form.reply == "json_schema" and not form.in_words
        instruction = _IN_JSON if only_format else self._in_words
        return Options(instruction=instruction, body=self._response_format(form))

    def read(self, completion: Completion) -> R:
        """Return the reply; raise MalformedReply where it is not of the type."""
        return self._validated(json.dumps(object_in(completion.text)))

    def written(self, completion: Completion) -> str:
        """Return the reply's text."""
        return completion.text

    def dump(self, value: R) -> str:
        """Return the reply as JSON."""
        return value.model_dump_json()

    def load(self, text: str) -> R:
        """Return a stored reply; raise MalformedReply where it is not of the type any more."""
        return self._validated(text)

    def _response_format(self, form: Form) -> dict[str, JsonValue]:
        if form.reply == "text":
            return {}
        if form.reply == "json_object":
            return {"response_format": {"type": "json_object"}}
        named: dict[str, JsonValue] = {
            "name": self._reply.__name__,
            "strict": is_closed(self._schema),
            "schema": self._schema,
        }
        return {"response_format": {"type": "json_schema", "json_schema": named}}

    def _validated(self, text: str) -> R:
        try:
            return self._reply.model_validate_json(text)
        except ValidationError as error:
            raise MalformedReply(describe(error)) from error
