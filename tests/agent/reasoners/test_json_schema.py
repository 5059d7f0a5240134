"""Schemas in the strict dialect: closed, complete, and true to the model."""

from typing import Literal

import jsonschema
import pytest
from pydantic import BaseModel, ConfigDict, Field

import agent.replies
from agent.reasoners.json_schema import is_closed, strict_schema

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


class Free(BaseModel):
    members: dict[str, int]


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
    assert is_closed(schema)
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


def test_properties_may_bear_a_keywords_name() -> None:
    definitions = strict_schema(Odd)["$defs"]
    assert isinstance(definitions, dict)
    assert definitions["Kind"]["properties"] == {"title": {"type": "string"}}  # type: ignore[index,call-overload]


def test_a_model_still_fits_its_schema() -> None:
    odd = Odd(kind=Kind(title="t"))
    jsonschema.validate(odd.model_dump(), strict_schema(Odd))


def test_free_keys_are_not_closed() -> None:
    assert not is_closed(strict_schema(Free))
