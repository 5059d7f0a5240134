"""Readings of one question, set side by side: which are the same, which are searched together."""

from collections.abc import Callable, Sequence

from agent.question import AllOf, AnyOf, Condition, Interpretation, Node, Not, atoms

__all__ = ("alike", "numbered", "together", "union")

_Renaming = Callable[[Condition], Condition]
_ALWAYS = AllOf(parts=())
"""The condition that every entity satisfies."""


def alike(one: Interpretation, other: Interpretation) -> bool:
    """Tell whether two readings would be executed alike, whatever they are called.

    >>> a = Interpretation(text="How many?", entity_type="lease", conditions=Condition(id="a",
    ...     text="allows a dog"))
    >>> alike(a, a.model_copy(update={"text": "Count all."}))
    True
    """
    return _bare(one) == _bare(other)


def together(one: Interpretation, other: Interpretation) -> bool:
    """Tell whether one search serves both: they differ in conditions or in what is computed."""
    return _shape(one) == _shape(other)


def numbered(readings: Sequence[Interpretation]) -> tuple[Interpretation, ...]:
    """Name equal conditions alike in all readings, and different ones differently: c1, c2, …."""
    names: dict[str, str] = {}

    def renamed(condition: Condition) -> Condition:
        name = names.setdefault(_content(condition), f"c{len(names) + 1}")
        return condition.model_copy(update={"id": name})

    return tuple(_rebuilt(each, renamed) for each in readings)


def union(readings: Sequence[Interpretation]) -> Interpretation:
    """Return the reading whose search finds what any of the numbered readings needs.

    It counts what at least one of them counts; the first gives it all but its conditions.
    """
    first = readings[0]
    trees = [each.conditions or _ALWAYS for each in readings]
    different = [tree for place, tree in enumerate(trees) if tree not in trees[:place]]
    if len(different) == 1:
        return first
    return first.model_copy(update={"conditions": AnyOf(parts=tuple(different))})


def _bare(reading: Interpretation) -> Interpretation:
    (numbered_,) = numbered((reading,))
    return numbered_.model_copy(
        update={
            "text": "",
            "assumptions": (),
            "settled": (),
            "entity_type": reading.entity_type.casefold(),
            "operation": "count" if reading.operation == "list" else reading.operation,
        }
    )


def _shape(reading: Interpretation) -> tuple[object, ...]:
    texts = any(atom.predicate is None for atom in atoms(reading.conditions))
    of_names = (reading.entity_type.casefold(), reading.merge, texts)
    named = of_names if reading.grain == "entity" or reading.entity_field else ()
    return (reading.grain, named, reading.entity_field, reading.measure, reading.group_by)


def _content(condition: Condition) -> str:
    """Return what a condition says, apart from its name."""
    bare = condition.model_copy(update={"id": "", "text": " ".join(condition.text.split())})
    return bare.model_dump_json()


def _rebuilt(reading: Interpretation, renamed: _Renaming) -> Interpretation:
    node, measure = reading.conditions, reading.measure
    if measure is not None and measure.places:
        names = {atom.id: renamed(atom).id for atom in atoms(node)}
        places = tuple(names[each] for each in measure.places)
        measure = measure.model_copy(update={"places": places})
    conditions = None if node is None else _with(node, renamed)
    return reading.model_copy(update={"conditions": conditions, "measure": measure})


def _with(node: Node, renamed: _Renaming) -> Node:
    match node:
        case Condition():
            return renamed(node)
        case Not():
            return Not(part=_with(node.part, renamed))
        case AllOf():
            return AllOf(parts=tuple(_with(part, renamed) for part in node.parts))
        case AnyOf():
            return AnyOf(parts=tuple(_with(part, renamed) for part in node.parts))
