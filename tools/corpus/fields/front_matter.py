"""Front matter: YAML between `---` lines or TOML between `+++` lines, and where it stands."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ("Entry", "front_matter")

_LONGEST = 65_536
_BLOCK = re.compile(
    r"\ufeff?\s*(?P<fence>---|\+\+\+)[ \t]*\n(?P<body>.*?\n)"
    r"(?:(?P=fence)|\.\.\.)[ \t]*(?:\n|\Z)",
    re.DOTALL,
)
_TOML_KEY = re.compile(r"^[ \t]*(?P<key>[\w-]+|\"[^\"\n]+\")[ \t]*=[ \t]*", re.MULTILINE)
_TOML_TABLE = re.compile(r"^[ \t]*\[[^\n]*\][ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Entry:
    """A key and its value as they stand in a header."""

    key: str
    raw: str
    start: int
    items: tuple[str, ...] | None = None
    """The items where the format says what they are; None leaves it to the value's look."""


def front_matter(text: str) -> list[Entry] | None:
    """Return the entries of the front matter; None where there is none that parses.

    A block that is no valid YAML or TOML is left to be read as plain key lines.
    """
    match = _BLOCK.match(text[:_LONGEST])
    if match is None:
        return None
    read = _yaml if match["fence"] == "---" else _toml
    return read(match["body"], match.start("body"))


def _yaml(body: str, offset: int) -> list[Entry] | None:
    import yaml

    try:
        root = yaml.compose(body, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError):
        return None
    if not isinstance(root, yaml.MappingNode):
        return None
    entries = []
    for key, value in root.value:
        first, last = value.start_mark.index, value.end_mark.index
        if isinstance(key, yaml.ScalarNode) and first >= key.end_mark.index:
            raw = body[first:last].rstrip()
            entries.append(Entry(str(key.value), raw, offset + first, _yaml_items(value)))
    return entries


def _yaml_items(node: object) -> tuple[str, ...] | None:
    """Return a sequence's items, a quoted or block scalar whole, None for a plain scalar."""
    import yaml

    if isinstance(node, yaml.SequenceNode):
        scalars = (item for item in node.value if isinstance(item, yaml.ScalarNode))
        return tuple(str(item.value).strip() for item in scalars if str(item.value).strip())
    if isinstance(node, yaml.ScalarNode) and node.style is not None:
        return (" ".join(str(node.value).split()),)
    if isinstance(node, yaml.ScalarNode):
        return None
    return ()


def _toml(body: str, offset: int) -> list[Entry] | None:
    try:
        values = dict(_flat(tomllib.loads(body)))
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
    starts = [match.start() for match in _TOML_KEY.finditer(body)]
    stops = sorted([*starts, *(match.start() for match in _TOML_TABLE.finditer(body)), len(body)])
    entries = []
    for match in _TOML_KEY.finditer(body):
        key = match["key"].strip('"')
        stop = next(stop for stop in stops if stop > match.start())
        if key in values:
            raw = body[match.end() : max(stop, match.end())].rstrip()
            entries.append(Entry(key, raw, offset + match.end(), values[key]))
    return entries


def _flat(table: dict[str, object]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the values of a table and of the tables in it, each as items."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value)
        elif isinstance(value, list):
            yield key, tuple(str(item) for item in value if not isinstance(item, dict | list))
        else:
            yield key, (str(value),)
