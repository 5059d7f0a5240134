"""YAML as a schema uses it: nodes with their lines, no anchors, no depths."""

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from agent.errors import SchemaError

if TYPE_CHECKING:
    from yaml import MappingNode, Node, SafeDumper, SafeLoader

__all__ = ("composed", "dumped")

_RARE: Final = re.compile("[\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff]")
_DEEPEST: Final = 10
"""How deep one thing may stand within another; a schema needs six."""


def dumped(told: Mapping[str, Any]) -> str:
    """Return a mapping as YAML, in its order."""
    import yaml

    return yaml.dump(told, Dumper=_dumper(), sort_keys=False, allow_unicode=True, width=100)


def composed(text: str, name: str) -> "MappingNode":
    """Return a text's node.

    Raises:
        SchemaError: it is no YAML, or no mapping; the text names the line.
    """
    import yaml

    try:
        root = yaml.compose(text, Loader=_loader())
    except yaml.composer.ComposerError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise SchemaError(f"{name}{line}: {error.problem}") from error
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise SchemaError(f"{name}{line}: no valid YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise SchemaError(f"{name}: no valid YAML: {error}") from error
    if not isinstance(root, yaml.MappingNode):
        raise SchemaError(f"{name}: it must begin with `kinds:`")
    return root


@cache
def _dumper() -> "type[SafeDumper]":
    """Return a dumper that quotes rare line ends, which PyYAML would write bare."""
    import yaml

    class Dumper(yaml.SafeDumper):
        pass

    def text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
        style = '"' if _RARE.search(value) else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    Dumper.add_representer(str, text)
    return Dumper


@cache
def _loader() -> "type[SafeLoader]":
    """Return a loader of what a schema needs: no anchors, which could multiply, and no depths."""
    import yaml

    class Loader(yaml.SafeLoader):
        depth = 0

        def compose_node(self, parent: "Node | None", index: Any) -> "Node | None":
            event = self.peek_event()  # type: ignore[no-untyped-call]
            mark = event.start_mark
            if getattr(event, "anchor", None) is not None:
                told = "anchors and aliases are not used in a schema; write the value out"
                raise yaml.composer.ComposerError(None, None, told, mark)
            if self.depth > _DEEPEST:
                told = f"things stand deeper than {_DEEPEST} within one another; a schema needs six"
                raise yaml.composer.ComposerError(None, None, told, mark)
            self.depth += 1
            node: Node | None = super().compose_node(parent, index)
            self.depth -= 1
            return node

    return Loader
