"""Annotations: where the corpus states of an entity that it satisfies a condition."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from agent.value import Value
from evals.aggbench.condition import Mined
from evals.aggbench.logic import Truths
from evals.aggbench.source import Source

__all__ = ("Annotation", "annotate_by_rule", "truths_of")


class Annotation(Value):
    """One place of one condition."""

    condition: str
    """Its id."""
    document: str
    entity: str
    """Whose condition it is; the document's name where documents are the entities."""
    start: int | None = None
    """Character offset into the document's text; None where only a doubt is noted."""
    end: int | None = None
    """Exclusive; `text[start:end] == quote`."""
    quote: str = ""
    doubted: bool = False
    """Whether careful readers may decide it either way: such entities are scored neutrally."""
    by: str
    """`code`, the name of a model, or `person`."""


def annotate_by_rule(condition: Mined, sources: Iterable[Source]) -> list[Annotation]:
    """Return every place of a condition that code decides, and each document in doubt once.

    Raises:
        ValueError: no rule decides the condition.
    """
    rule = condition.rule
    if rule is None:
        raise ValueError(f"no rule decides the condition {condition.id!r}")
    found = []
    for source in sources:
        told = {"condition": condition.id, "document": source.name, "entity": source.name}
        places = rule.places(source)
        found += [
            Annotation(**told, start=start, end=end, quote=source.text[start:end], by="code")
            for start, end in places
        ]
        if not places and rule.doubted(source):
            found.append(Annotation(**told, doubted=True, by="code"))
    return found


def truths_of(
    conditions: Sequence[Mined], annotations: Iterable[Annotation]
) -> Mapping[str, Truths]:
    """Return by a condition's id which entities satisfy it; a proof outweighs a doubt."""
    satisfied: defaultdict[str, set[str]] = defaultdict(set)
    doubted: defaultdict[str, set[str]] = defaultdict(set)
    for each in annotations:
        (doubted if each.doubted else satisfied)[each.condition].add(each.entity)
    return {
        each.id: Truths(
            frozenset(satisfied[each.id]), frozenset(doubted[each.id] - satisfied[each.id])
        )
        for each in conditions
    }
