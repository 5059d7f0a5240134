"""The fields of one document as JSON, as a shard keeps them."""

from collections.abc import Mapping

from pydantic import TypeAdapter

from agent.corpus import FieldValue

__all__ = ("dump_values", "load_values")

_VALUES: TypeAdapter[dict[str, FieldValue]] = TypeAdapter(dict[str, FieldValue])


def dump_values(fields: Mapping[str, FieldValue]) -> str:
    """Return one document's values as JSON."""
    return _VALUES.dump_json(dict(fields)).decode()


def load_values(written: str) -> dict[str, FieldValue]:
    """Return one document's values from JSON."""
    return _VALUES.validate_json(written)
