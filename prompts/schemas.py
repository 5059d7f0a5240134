"""How a schema of records reads in a prompt."""

from collections.abc import Iterator, Sequence

from agent.records.record_schema import Attribute, Kind
from prompts.plain_text import one_line

__all__ = ("kind_list",)

_LONGEST_VALUE = 60
_GRAIN = {"document": "each document is one", "row": "a document holds many"}


def kind_list(kinds: Sequence[Kind]) -> str:
    """List kinds with their attributes, one line each."""
    return "\n\n".join("\n".join(_kind_lines(kind)) for kind in kinds) or "(none)"


def _kind_lines(kind: Kind) -> Iterator[str]:
    told = f": {one_line(kind.description)}" if kind.description else ""
    yield f"{kind.name} ({_GRAIN[kind.grain]}){told}"
    yield from (_attribute_line(each) for each in kind.attributes)


def _attribute_line(attribute: Attribute) -> str:
    of = f" in {one_line(attribute.unit, _LONGEST_VALUE)}" if attribute.unit else ""
    many = ", several values" if attribute.many else ""
    told = [one_line(attribute.description)] if attribute.description else []
    told += _listed("called", attribute.labels) + _listed("for example", attribute.examples)
    return f"- {attribute.name} ({attribute.type}{of}{many}): {' '.join(told)}".rstrip(" :")


def _listed(what: str, values: Sequence[str]) -> list[str]:
    if not values:
        return []
    shown = "; ".join(one_line(each, _LONGEST_VALUE) for each in values)
    return [f"[{what}: {shown}]"]
