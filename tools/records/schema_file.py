"""The schema of a corpus's records as a JSON file that a person reads, edits and versions."""

from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from agent.errors import SchemaError
from agent.records.record_schema import Schema
from agent.small_files import read_small
from tools.corpus.generations import replace_file

_SHOWN: Final = 80
"""Characters at most of what is complained about."""


def load_schema(path: Path) -> Schema:
    """Read a schema; raises SchemaError, naming the part or line, where there is none."""
    try:
        schema = Schema.model_validate_json(read_small(path).removeprefix(BOM_UTF8))
    except FileNotFoundError as error:
        raise SchemaError(
            f"no schema at {str(path)!r}: draw one up with `headcount records induce`"
        ) from error
    except OSError as error:
        raise SchemaError(f"the schema {str(path)!r} cannot be read: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        shown = "" if first["type"] == "json_invalid" else f", not {first['input']!r:.{_SHOWN}}"
        raise SchemaError(f"{path}: {place}: {first['msg']}{shown}") from error
    for wrong in _wrong(schema):
        raise SchemaError(f"{path}: {wrong}")
    return schema


def _wrong(schema: Schema) -> Iterator[str]:
    """Yield what stands twice, and links that lead nowhere or to lists."""
    named = [kind.name for kind in schema.kinds]
    named += [f"{kind.name}.{each.name}" for kind in schema.kinds for each in kind.attributes]
    yield from (f"{each!r} stands twice" for each, times in Counter(named).items() if times > 1)
    for link in schema.links:
        for kind, name in ((link.kind, link.attribute), (link.to_kind, link.to_attribute)):
            attribute = schema.attribute(kind, name)
            if attribute is None or attribute.many:
                there = "there is no such thing" if attribute is None else "lists are not linked"
                yield f"a link leads to {kind}.{name}, and {there}"


def save_schema(schema: Schema, path: Path) -> None:
    """Write a schema atomically; `load_schema` returns it unchanged."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, schema.model_dump_json(indent=2, exclude_defaults=True) + "\n")
