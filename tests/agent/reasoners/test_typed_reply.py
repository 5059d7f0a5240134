"""The JSON object in a reply, and the schema that asks for it."""

import json
from typing import Literal

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

import agent.replies
from agent.errors import MalformedReply
from agent.reasoners.typed_reply import object_in, strict_schema

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)
PLAIN = st.text(st.characters(exclude_characters="{[<"), max_size=20)


@given(st.dictionaries(st.text(), JSON, max_size=4), PLAIN, PLAIN)
def test_an_object_is_found_among_words(value: dict[str, object], before: str, after: str) -> None:
    assert object_in(f"{before}{json.dumps(value)}{after}") == value


@pytest.mark.parametrize(
    "text",
    ['{"a": 1}', '```json\n{"a": 1}\n```', '<think>perhaps {"a": 2}?</think>\n{"a": 1}'],
    ids=["bare", "fenced", "thinking"],
)
def test_wrappings_are_taken_off(text: str) -> None:
    assert object_in(text) == {"a": 1}


MALFORMED = {
    "empty": ("", "is empty"),
    "words": ("none", "no JSON object"),
    "list": ("[1, 2]", "no JSON object"),
    "array": ('[{"a": 1}]', "array"),
    "two": ('{"a": 1} {"a": 2}', "more than one"),
    "cut": ('{"a": {"b": 1}', "not valid JSON"),
    "inner": ('{"a": x, "b": {"c": 1}}', "not valid JSON"),
    "nan": ('{"a": NaN}', "NaN is no finite number"),
    "infinite": ('{"a": 1e999}', "no finite number"),
    "deep": ('{"a": ' + "[" * 100_000, "not valid JSON"),
    "long": ('{"a": ' + "9" * 5000 + "}", "not valid JSON"),
}


@pytest.mark.parametrize(("text", "told"), MALFORMED.values(), ids=MALFORMED)
def test_anything_else_is_malformed(text: str, told: str) -> None:
    with pytest.raises(MalformedReply, match=told):
        object_in(text)


REPLIES = [
    value
    for value in vars(agent.replies).values()
    if isinstance(value, type) and issubclass(value, agent.replies.ReplyModel)
]


class Kind(BaseModel):
    """A kind."""

    title: str


class Odd(BaseModel):
    """A model with everything that strict servers refuse."""

    model_config = ConfigDict(extra="forbid")

    kind: Kind = Field(description="beside a reference")
    default: int = 3
    shape: Literal["round"] | None = None


def objects(schema: object) -> list[dict[str, object]]:
    """Return every object schema."""
    if isinstance(schema, list):
        return [found for part in schema for found in objects(part)]
    if not isinstance(schema, dict):
        return []
    own = [schema] if schema.get("type") == "object" else []
    return own + [found for part in schema.values() for found in objects(part)]


@pytest.mark.parametrize("reply", [*REPLIES, Odd])
def test_every_object_is_closed_and_complete(reply: type[BaseModel]) -> None:
    schema = strict_schema(reply)
    jsonschema.Draft202012Validator.check_schema(schema)
    for each in objects(schema):
        assert each["additionalProperties"] is False
        assert set(each["required"]) == set(each["properties"])  # type: ignore[call-overload]


def test_what_strict_servers_refuse_is_gone() -> None:
    schema = strict_schema(Odd)
    properties = schema["properties"]
    assert isinstance(properties, dict)
    assert properties["kind"] == {
        "anyOf": [{"$ref": "#/$defs/Kind"}],
        "description": "beside a reference",
    }
    assert properties["default"] == {"type": "integer"}
    assert "title" not in schema
