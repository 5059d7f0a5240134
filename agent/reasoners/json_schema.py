"""JSON schemas as providers take them: the strict dialect of structured outputs."""

from collections.abc import Mapping

from pydantic import BaseModel, JsonValue

__all__ = ("is_closed", "strict_schema")

_MAPS = ("properties", "$defs")
_DROPPED = ("default", "title", "discriminator")


def strict_schema(model: type[BaseModel]) -> dict[str, JsonValue]:
    """Return a model's JSON schema with every object closed and every property required.

    Defaults and titles go; a `$ref` beside other keywords moves into an `anyOf`, and `oneOf`
    becomes `anyOf`, since strict servers refuse the former of each.
    """
    return _strict(model.model_json_schema())


def is_closed(schema: JsonValue) -> bool:
    """Tell whether no object of the schema takes free keys, which strict mode cannot express."""
    if isinstance(schema, list):
        return all(is_closed(part) for part in schema)
    if not isinstance(schema, dict):
        return True
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        return False
    return all(is_closed(part) for part in schema.values())


def _strict(schema: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    strict: dict[str, JsonValue] = {}
    for keyword, value in schema.items():
        if keyword in _MAPS and isinstance(value, dict):
            strict[keyword] = {name: _part(part) for name, part in value.items()}
        elif keyword not in _DROPPED:
            strict["anyOf" if keyword == "oneOf" else keyword] = _part(value)
    properties = strict.get("properties")
    if isinstance(properties, dict):
        strict["required"] = list(properties)
        strict["additionalProperties"] = False
    if "$ref" in strict and len(strict) > 1:
        strict["anyOf"] = [{"$ref": strict.pop("$ref")}]
    return strict


def _part(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return _strict(value)
    if isinstance(value, list):
        return [_part(part) for part in value]
    return value
