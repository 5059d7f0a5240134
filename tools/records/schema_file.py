"""The schema of a corpus's records as a YAML file that a person reads, edits and versions.

Kinds and attributes stand under their names, in order; links as `player.team_id -> team.id`.
"""

from pathlib import Path
from typing import Any, Final

from agent.errors import SchemaError
from agent.records.record_schema import Attribute, Kind, Schema
from tools.records.schema_reader import SchemaReader
from tools.records.schema_yaml import composed, dumped

__all__ = ("load_schema", "parse_schema", "save_schema", "schema_text")

_HEAD: Final = """\
# What is recorded of the documents. Edit it; `headcount records fill` then reads what changed.
#
# A kind's grain is `document` (each document is one record) or `row` (a document holds many). Its
# `documents` are examples: another document is of the kind whose examples it is most like.
# An attribute's type is text, integer, number, boolean or date; `unit` is what all values are
# converted to; `many: true` where one record states several values; `labels` are the words by
# which documents call it. A link reads `player.team_id -> team.id`.
"""


def load_schema(path: Path) -> Schema:
    """Read a schema.

    Raises:
        SchemaError: there is no such file, or it is no schema; the text names the line.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise SchemaError(
            f"there is no schema at {str(path)!r}: draw one up with `headcount records induce`"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SchemaError(f"the schema {str(path)!r} cannot be read: {error}") from error
    return parse_schema(text, str(path))


def save_schema(schema: Schema, path: Path) -> None:
    """Write a schema atomically; `load_schema` returns it unchanged."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".new")
    draft.write_text(schema_text(schema), encoding="utf-8")
    draft.replace(path)


def schema_text(schema: Schema) -> str:
    """Return the file's text."""
    told: dict[str, Any] = {
        "version": schema.version,
        "kinds": {each.name: _kind(each) for each in schema.kinds},
    }
    if schema.links:
        told["links"] = [
            f"{each.kind}.{each.attribute} -> {each.to_kind}.{each.to_attribute}"
            for each in schema.links
        ]
    return f"{_HEAD}{dumped(told)}"


def parse_schema(text: str, name: str = "the schema") -> Schema:
    """Read a schema from its text.

    Args:
        text: YAML.
        name: what the text is called in an error.

    Raises:
        SchemaError: it is no schema; the text names the line.
    """
    return SchemaReader(name).schema(composed(text, name))


def _kind(kind: Kind) -> dict[str, Any]:
    told: dict[str, Any] = {"description": kind.description} if kind.description else {}
    told["grain"] = kind.grain
    told["attributes"] = {each.name: _attribute(each) for each in kind.attributes}
    return told | ({"documents": list(kind.documents)} if kind.documents else {})


def _attribute(attribute: Attribute) -> dict[str, Any]:
    told = attribute.model_dump(mode="json", exclude_defaults=True, exclude={"name"})
    order = ("type", "unit", "many", "description", "labels", "examples")
    return {name: told[name] for name in order if name in told}
