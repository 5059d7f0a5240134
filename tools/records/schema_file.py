"""The schema of a corpus's records as a YAML file that a person reads, edits and versions.

Kinds and attributes stand under their names, in order; links as `player.team_id -> team.id`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import ValidationError
from yaml import MappingNode, Node, ScalarNode

from agent.errors import SchemaError
from agent.records.record_schema import Attribute, Kind, Schema
from agent.small_files import read_small
from tools.corpus.generations import replace_file

_LINK: Final = re.compile(
    r"\s*(?P<kind>\w+)\.(?P<attribute>\w+)\s*->\s*(?P<to_kind>\w+)\.(?P<to_attribute>\w+)\s*"
)
_HALF: Final = re.compile("[\ud800-\udfff]")
_ABSENT: Final = ("", "null", "~")
Place = tuple[str | int, ...]


class _Wrong(Exception):
    """Raised with the place in the file and what is wrong there."""


_DEEPEST: Final = 10
"""How deep one thing may stand within another; a schema needs six."""
_HEAD: Final = """\
# What is recorded of the documents. Edit it; `headcount records fill` then reads what changed.
#
# A kind's grain is `document` (each document is one record) or `row` (a document holds many). Its
# `documents` are examples: another document is of the kind whose examples it is most like.
# An attribute's type is text, integer, number, boolean, date or time; `unit` is what all values are
# converted to; `many: true` where one record states several values; `labels` are the words by
# which documents call it. A link reads `player.team_id -> team.id`.
"""


def parse_schema(text: str, name: str = "the schema") -> Schema:
    """Read a schema from its text in YAML, which errors call by the name.

    Raises SchemaError: it is no schema; the text names the line.
    """
    lines: dict[Place, int] = {}
    try:
        for line, told in _foreign(text):
            raise SchemaError(f"{name}, line {line}: {told}")
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        return _schema(None if root is None else _plain(root, (), lines))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{name}, line {mark.line + 1}" if mark else name
        told = getattr(error, "problem", None) or str(error)
        raise SchemaError(f"{where}: no valid YAML: {told}") from error
    except _Wrong as error:
        place, told = error.args
        while place and place not in lines:
            place = place[:-1]
        where = f"{name}, line {lines[place]}" if place in lines else name
        raise SchemaError(f"{where}: {told}") from error


def _foreign(text: str) -> Iterator[tuple[int, str]]:
    """Yield what no schema has, with its line: anchors, which could multiply, and great depths."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = event.start_mark.line + 1 if event.start_mark else 1
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if getattr(event, "anchor", None) is not None:
            yield line, "anchors and aliases are not used in a schema; write the value out"
        if depth > _DEEPEST:
            told = f"things stand deeper than {_DEEPEST} within one another; a schema needs six"
            yield line, told
        if isinstance(event, yaml.ScalarEvent) and (half := _HALF.search(event.value)):
            yield line, f"{half[0]!r} is half of a surrogate pair; write the whole character"


def _plain(node: Node, place: Place, lines: dict[Place, int]) -> Any:
    """Return a node's value: all scalars as text, as written, null and empty as None.

    `lines` gets the line on which each place stands.
    """
    lines.setdefault(place, node.start_mark.line + 1)
    if isinstance(node, ScalarNode):
        return None if node.style is None and node.value in _ABSENT else node.value
    if not isinstance(node, MappingNode):
        return [_plain(each, (*place, at), lines) for at, each in enumerate(node.value)]
    members: dict[str, Any] = {}
    for key, value in node.value:
        name = key.value if isinstance(key.value, str) else ""
        inside = (*place, name)
        lines[inside] = key.start_mark.line + 1
        if name in members:
            raise _Wrong(inside, f"{name!r} stands twice")
        members[name] = _plain(value, inside, lines)
    return members


def _schema(told: Any) -> Schema:
    """Return the schema of a file's plain members."""
    if not isinstance(told, dict):
        raise _Wrong((), "it must begin with `kinds:`")
    for name in (each for each in told if each not in {"version", "kinds", "links"}):
        raise _Wrong((name,), f"{name!r} is none of version, kinds and links")
    kinds = []
    for kind, told_of_kind in _members(told.get("kinds"), ("kinds",)).items():
        inside = ("kinds", kind, "attributes")
        own = _members(told_of_kind, inside[:2])
        attributes = [
            {"name": name, **_members(attribute, (*inside, name))}
            for name, attribute in _members(own.get("attributes"), inside).items()
        ]
        kinds.append({"name": kind, **own, "attributes": attributes})
    links = [_link(text, place) for place, text in enumerate(told.get("links") or ())]
    version = told.get("version", "1")
    given = {"version": 1 if version == "1" else version, "kinds": kinds, "links": links}
    try:
        schema = Schema.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        place, wrong = _named(given, first["loc"]), first["input"]
        shown = f", not {wrong!r}" if isinstance(wrong, str | int | float | bool) else ""
        raise _Wrong(place, f"{_said(place)}: {first['msg']}{shown}") from error
    _check(schema)
    return schema


def _members(value: Any, place: Place) -> dict[str, Any]:
    if not isinstance(value, dict) or not value:
        raise _Wrong(place, f"{_said(place)} needs names with what belongs to each")
    return value


def _link(text: Any, number: int) -> dict[str, str]:
    found = _LINK.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise _Wrong(("links", number), "a link reads `player.team_id -> team.id`")
    return found.groupdict()


def _named(given: Any, place: Place) -> Place:
    """Return a place in lists as it is in the file: under the names of what is listed."""
    found: Place = ()
    for step in place:
        given = given.get(step) if isinstance(given, dict) else given[step]
        name = given.get("name") if isinstance(step, int) and isinstance(given, dict) else None
        found = (*found, name if isinstance(name, str) else step)
    return found


def _check(schema: Schema) -> None:
    """Refuse a link that leads nowhere."""
    for number, link in enumerate(schema.links):
        for kind_name, name in ((link.kind, link.attribute), (link.to_kind, link.to_attribute)):
            kind = schema.kind(kind_name)
            if kind is None or kind.attribute(name) is None:
                raise _Wrong(("links", number), f"there is no attribute {kind_name}.{name}")


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
    told: dict[str, Any] = {"description": kind.description} if kind.description else {}
    told["grain"] = kind.grain
    told["attributes"] = {each.name: _attribute(each) for each in kind.attributes}
    return told | ({"documents": list(kind.documents)} if kind.documents else {})


def _attribute(attribute: Attribute) -> dict[str, Any]:
    told = attribute.model_dump(mode="json", exclude_defaults=True, exclude={"name"})
    order = ("type", "unit", "many", "field", "judged", "description", "labels", "examples")
    return {name: told[name] for name in order if name in told}


def _said(place: Place) -> str:
    """Return a place in words.

    >>> _said(("kinds", "hotel", "attributes", "rooms", "type"))
    'hotel.rooms.type'
    """
    told = [str(each) for each in place if each not in {"kinds", "attributes"}]
    return ".".join(told) or str(place[-1])
