"""The schema of a corpus's records as a YAML file that a person reads, edits and versions."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from agent.errors import SchemaError
from agent.records.record_schema import Attribute, Kind, Link, Schema
from agent.small_files import read_small
from tools.corpus.generations import replace_file

_LINK: Final = re.compile(
    r"\s*(?P<kind>\w+)\.(?P<attribute>\w+)\s*->\s*(?P<to_kind>\w+)\.(?P<to_attribute>\w+)\s*"
)
_MEMBERS: Final = frozenset({"version", "kinds", "links"})
_NULL: Final = "tag:yaml.org,2002:null"
_Part = TypeVar("_Part", bound=BaseModel)
_HEAD: Final = """\
# What is recorded of the documents. Edit it; `headcount records fill` then reads what changed.
#
# A kind's grain is `document` (each document is one record) or `row` (a document holds many). Its
# `documents` are examples: another document is of the kind whose examples it is most like.
# An attribute's type is text, integer, number, boolean, date or time; `unit` is what all values are
# converted to; `many: true` where one record states several values; `labels` are the words by
# which documents call it. A link reads `player.team_id -> team.id`.
"""


class _Loader(yaml.BaseLoader):
    """Takes all scalars for text, as they are written; a name that stands twice is an error."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002
        """Return the members of a table."""
        names = [key.value for key, _ in node.value]
        for at, (key, _) in enumerate(node.value):
            if key.value in names[:at]:
                told = f"{key.value!r} stands twice"
                raise yaml.constructor.ConstructorError(None, None, told, key.start_mark)
        return super().construct_mapping(node, deep=deep)


_Loader.add_implicit_resolver(_NULL, re.compile(r"(?:null|~)?\Z"), ["n", "~", ""])
_Loader.add_constructor(_NULL, lambda *_: None)


_DEEPEST: Final = 50
"""Of things within one another: reading what is far deeper takes minutes."""


def parse_schema(text: str, name: str = "the schema") -> Schema:
    """Read a schema from YAML; raises SchemaError, which names the file and the part or line."""
    try:
        _check_events(text, name)
        schema = _schema(yaml.load(text, Loader=_Loader))  # noqa: S506 - it makes text alone
        schema.model_dump_json()  # refuses half of a surrogate pair, which nothing can keep
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{name}, line {mark.line + 1}" if mark else name
        told = getattr(error, "problem", None) or str(error)
        raise SchemaError(f"{where}: no valid YAML: {told}") from error
    except ValueError as error:
        raise SchemaError(f"{name}: {error}") from error
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


def _schema(told: Any) -> Schema:
    """Return the schema of a file's plain members; raises ValueError."""
    members = _members(told, "the file")
    if unknown := [each for each in members if each not in _MEMBERS]:
        raise ValueError(f"{unknown[0]!r} is none of version, kinds and links")
    if members.get("version", "1") != "1":
        raise ValueError(f"version is {members['version']!r}, and only 1 is known")
    kinds = tuple(
        _kind_of(name, _members(own, name))
        for name, own in _members(members.get("kinds"), "kinds").items()
    )
    schema = Schema(kinds=kinds, links=tuple(map(_link, members.get("links") or ())))
    for link in schema.links:
        for kind_name, name in ((link.kind, link.attribute), (link.to_kind, link.to_attribute)):
            if schema.attribute(kind_name, name) is None:
                raise ValueError(f"a link leads to {kind_name}.{name}, and there is no such thing")
    return schema


def _members(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict) or not value:
        raise ValueError(f"{place} needs names with what belongs to each")
    return value


def _kind_of(kind: str, told: Mapping[str, Any]) -> Kind:
    attributes = [
        _made(Attribute, f"{kind}.{name}", {"name": name, **_members(own, f"{kind}.{name}")})
        for name, own in _members(told.get("attributes"), f"{kind}.attributes").items()
    ]
    return _made(Kind, kind, {"name": kind, **told, "attributes": attributes})


def _made(part: type[_Part], place: str, told: Mapping[str, Any]) -> _Part:
    try:
        return part.model_validate(told)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, (place, *first["loc"])))
        raise ValueError(f"{where}: {first['msg']}, not {first['input']!r}") from error


def _link(text: Any) -> Link:
    found = _LINK.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError(f"a link reads `player.team_id -> team.id`, not {text!r}")
    return _made(Link, text, found.groupdict())


def load_schema(path: Path) -> Schema:
    """Read a schema; raises SchemaError, naming the line, where there is none."""
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
    replace_file(path, schema_text(schema))


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
    return _HEAD + yaml.safe_dump(told, sort_keys=False, allow_unicode=True, width=100)


def _kind(kind: Kind) -> dict[str, Any]:
    told = kind.model_dump(mode="json", exclude_defaults=True, exclude={"name", "attributes"})
    attributes = {each.name: _attribute(each) for each in kind.attributes}
    return told | {"grain": kind.grain, "attributes": attributes}


def _attribute(attribute: Attribute) -> dict[str, Any]:
    return attribute.model_dump(mode="json", exclude_defaults=True, exclude={"name"})
