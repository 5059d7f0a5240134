"""The schema of a corpus's records as a YAML file that a person reads, edits and versions.

Kinds and attributes stand under their names, in order; links as `player.team_id -> team.id`.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import yaml
from pydantic import ValidationError
from yaml import MappingNode, Node, ScalarNode

from agent.errors import SchemaError
from agent.records.record_schema import Attribute, Kind, Link, Part, Schema
from agent.small_files import read_small
from tools.corpus.generations import replace_file

_LINK: Final = re.compile(r"\s*(\w+)\.(\w+)\s*->\s*(\w+)\.(\w+)\s*")
_ABSENT: Final = ("", "null", "~")
_COLUMNS: Final = 999
"""How many attributes of one value a kind may have: SQLite has 2,000 columns, two are our own, and
each attribute may get another one beside it, for links."""
Place = tuple[str | int, ...]
P = TypeVar("P", bound=Part)


class _SchemaReader:
    """Turns nodes into a schema; remembers on which line each place stands."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lines: dict[Place, int] = {}

    def schema(self, root: MappingNode) -> Schema:
        """Return the schema of a file's node; raises SchemaError."""
        told = self._plain(root, ())
        links = [
            self._link(text, place) for place, text in enumerate(told.pop("links", None) or ())
        ]
        named = self._mapping(told.pop("kinds", None), ("kinds",))
        kinds = [self._kind(name, kind, ("kinds", name)) for name, kind in named.items()]
        version = told.pop("version", "1")
        for name in told:
            raise self._error((name,), f"{name!r} is none of version, kinds and links")
        given = {"version": 1 if version == "1" else version, "kinds": kinds, "links": links}
        schema = self._valid(Schema, given, ())
        self._check(schema)
        return schema

    def _kind(self, name: str, told: Any, place: Place) -> Kind:
        """Return a kind with its own name and its attributes' names among its members."""
        members = dict(self._mapping(told, place))
        inside = (*place, "attributes")
        attributes = [
            self._valid(
                Attribute,
                {"name": each, **self._mapping(attribute, (*inside, each))},
                (*inside, each),
            )
            for each, attribute in self._mapping(members.pop("attributes", None), inside).items()
        ]
        return self._valid(Kind, {"name": name, "attributes": attributes, **members}, place)

    def _valid(self, model: type[P], given: Mapping[str, Any], place: Place) -> P:
        """Return a part of the schema; raise the first complaint with its line."""
        try:
            return model.model_validate(given)
        except ValidationError as error:
            first = error.errors()[0]
            inside = (*place, *first["loc"])
            wrong = first["input"]
            shown = f", not {wrong!r}" if isinstance(wrong, str | int | float | bool) else ""
            raise self._error(inside, f"{_said(inside)}: {first['msg']}{shown}") from error

    def _mapping(self, value: Any, place: Place) -> Mapping[str, Any]:
        if not isinstance(value, dict) or not value:
            raise self._error(place, f"{_said(place)} needs names with what belongs to each")
        return value

    def _link(self, text: Any, number: int) -> Link:
        found = _LINK.fullmatch(text) if isinstance(text, str) else None
        if found is None:
            raise self._error(("links", number), "a link reads `player.team_id -> team.id`")
        kind, attribute, to_kind, to_attribute = found.groups()
        return Link(kind=kind, attribute=attribute, to_kind=to_kind, to_attribute=to_attribute)

    def _check(self, schema: Schema) -> None:
        """Raise SchemaError where a kind has too many columns or a link leads nowhere."""
        for wide in schema.kinds:
            columns = sum(not each.many for each in wide.attributes)
            if columns > _COLUMNS:
                told = f"{wide.name} has {columns:,} attributes of one value; it can have "
                raise self._error(("kinds", wide.name), f"{told}{_COLUMNS:,}: make it two kinds")
        for number, link in enumerate(schema.links):
            for kind_name, name in ((link.kind, link.attribute), (link.to_kind, link.to_attribute)):
                kind = schema.kind(kind_name)
                if kind is None or kind.attribute(name) is None:
                    told = f"there is no attribute {kind_name}.{name}"
                    raise self._error(("links", number), told)

    def _error(self, place: Place, told: str) -> SchemaError:
        while place and place not in self._lines:
            place = place[:-1]
        line = f", line {self._lines[place]}" if place in self._lines else ""
        return SchemaError(f"{self._name}{line}: {told}")

    def _plain(self, node: Node, place: Place) -> Any:
        """Return a node's value: all scalars as text, as written, null and empty as None."""
        self._lines.setdefault(place, node.start_mark.line + 1)
        if isinstance(node, MappingNode):
            return self._members(node, place)
        if isinstance(node, ScalarNode):
            absent = node.style is None and node.value in _ABSENT
            return None if absent else self._whole(node.value, place)
        return [self._plain(each, (*place, number)) for number, each in enumerate(node.value)]

    def _whole(self, text: str, place: Place) -> str:
        """Return a text that a file can hold; raises SchemaError for any other."""
        try:
            text.encode()
        except UnicodeEncodeError as error:
            told = f"{text[error.start]!r} is half of a surrogate pair; write the whole character"
            raise self._error(place, told) from error
        return text

    def _members(self, node: MappingNode, place: Place) -> dict[str, Any]:
        members: dict[str, Any] = {}
        for key, value in node.value:
            name = key.value if isinstance(key.value, str) else ""
            inside = (*place, name)
            self._lines[inside] = key.start_mark.line + 1
            self._whole(name, inside)
            if name in members:
                raise self._error(inside, f"{name!r} stands twice")
            members[name] = self._plain(value, inside)
        return members


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


def _composed(text: str, name: str) -> MappingNode:
    """Return a text's node; raises SchemaError, naming the line, where it is no mapping in YAML."""
    try:
        _check_events(text, name)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise SchemaError(f"{name}{line}: no valid YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise SchemaError(f"{name}: no valid YAML: {error}") from error
    if not isinstance(root, yaml.MappingNode):
        raise SchemaError(f"{name}: it must begin with `kinds:`")
    return root


def _check_events(text: str, name: str) -> None:
    """Raise SchemaError of anchors, which could multiply, and of depths: a schema has neither."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        told = ""
        if getattr(event, "anchor", None) is not None:
            told = "anchors and aliases are not used in a schema; write the value out"
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            told = f"things stand deeper than {_DEEPEST} within one another; a schema needs six"
        if told:
            line = f", line {event.start_mark.line + 1}" if event.start_mark else ""
            raise SchemaError(f"{name}{line}: {told}")


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


def parse_schema(text: str, name: str = "the schema") -> Schema:
    """Read a schema from its text in YAML, which errors call by the name.

    Raises SchemaError: it is no schema; the text names the line.
    """
    return _SchemaReader(name).schema(_composed(text, name))


def _said(place: Place) -> str:
    """Return a place in words.

    >>> _said(("kinds", "hotel", "attributes", "rooms", "type"))
    'hotel.rooms.type'
    """
    told = [str(each) for each in place if each not in {"kinds", "attributes"}]
    return ".".join(told) or str(place[-1])
