"""A kind as the documents show it, before it is a part of a schema."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from agent.reasoners.rules.records.names import attribute_name, unit_in_label, unused
from agent.reasoners.rules.records.shapes import common_shape, is_absent
from agent.records.record_replies import AttributeReply, KindReply
from agent.records.record_schema import RecordGrain

__all__ = ("KindSketch", "Trait")

_MOST_EXAMPLES: Final = 4
_LONGEST_EXAMPLE: Final = 80


@dataclass(slots=True)
class Trait:
    """What becomes an attribute: the words that call it and values as written."""

    labels: list[str]
    values: list[str]
    many: bool = False
    name: str = ""
    """Where it is not taken from the first label."""
    told: str = ""
    """What is known of its meaning beside its name."""
    unit: str | None = None
    """Where the values as taken do not bear it."""


@dataclass(slots=True)
class KindSketch:
    """What becomes a kind."""

    name: str
    grain: RecordGrain
    traits: list[Trait] = field(default_factory=list)
    told: str = ""
    documents: frozenset[str] = frozenset()

    def reply(self) -> KindReply:
        """Return the kind with typed attributes, no name twice."""
        attributes: list[AttributeReply] = []
        for trait in self.traits:
            name = trait.name or attribute_name(trait.labels[0]) or f"attribute_{len(attributes)}"
            name = unused(name, [each.name for each in attributes])
            attributes.append(_attribute(trait, name))
        return KindReply(
            name=self.name,
            description=self.told,
            grain=self.grain,
            attributes=attributes,
        )


def _attribute(trait: Trait, name: str) -> AttributeReply:
    type_, unit = common_shape(trait.values)
    if type_ in {"integer", "number"}:
        unit = unit or trait.unit or unit_in_label(trait.labels[0])
    return AttributeReply(
        name=name,
        type=type_,
        description=trait.told,
        unit=unit,
        examples=_examples(trait.values),
        labels=trait.labels,
        many=trait.many,
    )


def _examples(values: Sequence[str]) -> list[str]:
    """Return the first different values that are there and short."""
    short = [
        value
        for value in dict.fromkeys(values)
        if not is_absent(value) and len(value) <= _LONGEST_EXAMPLE
    ]
    return short[:_MOST_EXAMPLES]
