"""The schema of a corpus's records as a YAML file that a person reads, edits and versions."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import yaml
from pydantic import ValidationError

from agent.errors import SchemaError
from agent.records.record_schema import Schema
from agent.small_files import read_small
from tools.corpus.generations import replace_file

_NULL: Final = "tag:yaml.org,2002:null"
_HEAD: Final = """\
# What is recorded of the documents. Edit it; `headcount records fill` then reads what changed.
#
# A kind's grain is `document` (each document is one record) or `row` (a document holds many). Its
# `documents` are examples: another document is of the kind whose examples it is most like.
# An attribute's type is text, integer, number, boolean, date or time; `unit` is what all values are
# converted to; `many: true` where one record states several values; `labels` are the words by
# which documents call it. Of `links`, one reads
# `{kind: player, attribute: team_id, to_kind: team, to_attribute: id}`.
"""


class _Loader(yaml.BaseLoader):
    """Takes all scalars for text, as they are written."""


_Loader.add_implicit_resolver(_NULL, re.compile(r"(?:null|~)?\Z"), ["n", "~", ""])
_Loader.add_constructor(_NULL, lambda *_: None)


_DEEPEST: Final = 50
"""Of things within one another: reading what is far deeper takes minutes."""


def parse_schema(text: str, name: str = "the schema") -> Schema:
    """Read a schema from YAML; raises SchemaError, which names the file and the part or line."""
    try:
        _check_events(text, name)
        schema = Schema.model_validate(yaml.load(text, Loader=_Loader))  # noqa: S506 - text alone
        schema.model_dump_json()  # refuses half of a surrogate pair, which nothing can keep
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{name}, line {mark.line + 1}" if mark else name
        told = getattr(error, "problem", None) or str(error)
        raise SchemaError(f"{where}: no valid YAML: {told}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise SchemaError(f"{name}: {place}: {first['msg']}, not {first['input']!r}") from error
    except ValueError as error:
        raise SchemaError(f"{name}: {error}") from error
    for wrong in _wrong(schema):
        raise SchemaError(f"{name}: {wrong}")
    return schema


def _check_events(text: str, name: str) -> None:
    """Look through a text before anything is made of it; raises SchemaError."""
    depth = 0
    for each in yaml.parse(text, Loader=_Loader):
        if isinstance(each, yaml.AliasEvent):
            raise SchemaError(f"{name}: aliases, which could multiply, are not used in a schema")
        depth += isinstance(each, yaml.CollectionStartEvent)
        depth -= isinstance(each, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise SchemaError(f"{name}: things stand too deep within one another")


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


def load_schema(path: Path) -> Schema:
    """Read a schema; raises SchemaError, naming the part or line, where there is none."""
    try:
        text = read_small(path).decode()
    except FileNotFoundError as error:
        raise SchemaError(
            f"there is no schema at {str(path)!r}: draw one up with `headcount records induce`"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SchemaError(f"the schema {str(path)!r} cannot be read: {error}") from error
    return parse_schema(text, str(path))


def save_schema(schema: Schema, path: Path) -> None:
    """Write a schema atomically; `load_schema` returns it unchanged but for rare line ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    told = schema.model_dump(mode="json", exclude_defaults=True)
    replace_file(path, _HEAD + yaml.safe_dump(told, sort_keys=False, allow_unicode=True, width=100))
