"""A schema that is known already, widened by what more documents show."""

from collections.abc import Iterator, Sequence
from typing import Final

from agent.reasoners.rules.records.names import plain_label
from agent.records.induction import Disagreement
from agent.records.record_replies import AttributeReply, KindReply
from agent.records.record_schema import Attribute, Kind

__all__ = ("as_kind", "mend", "widen")

_ALIKE: Final = 0.5


def widen(known: Sequence[Kind], shown: Sequence[KindReply]) -> tuple[list[KindReply], list[str]]:
    """Return the known kinds with the attributes and kinds that they lack, and what was added.

    Nothing that is known is changed: a person may have written it.
    """
    kinds = [_reply(kind) for kind in known]
    told: list[str] = []
    for new in shown:
        at = _same(kinds, new)
        if at is None:
            kinds.append(new)
            told.append(f"{new.name} is a further kind.")
            continue
        added = list(_lacking(kinds[at], new))
        if added:
            names = ", ".join(each.name for each in added)
            told.append(f"{kinds[at].name} also states {names}.")
            attributes = [*kinds[at].attributes, *added]
            kinds[at] = kinds[at].model_copy(update={"attributes": attributes})
    return kinds, told


def as_kind(reply: KindReply) -> Kind:
    """Return a kind as it stands in a schema."""
    attributes = tuple(Attribute(**each.model_dump()) for each in reply.attributes)
    return Kind(
        name=reply.name,
        description=reply.description,
        grain=reply.grain,
        attributes=attributes,
    )


def mend(
    kinds: Sequence[KindReply], disagreements: Sequence[Disagreement]
) -> tuple[list[KindReply], list[str]]:
    """Return the kinds with what a trial showed to be amiss mended, and what was changed.

    An attribute that no record states is left out; one whose values are of several types becomes
    text. What the rules cannot tell (which unit, which form) stays as it is.
    """
    empty = {(each.kind, each.attribute) for each in disagreements if _is_unfilled(each)}
    untyped = {(each.kind, each.attribute) for each in disagreements if each.trouble == "untyped"}
    told = [f"{kind}.{name} is left out: no record states it." for kind, name in sorted(empty)]
    told += [
        f"{kind}.{name} is text: values are of several types." for kind, name in sorted(untyped)
    ]
    return [_mended(kind, empty, untyped) for kind in kinds], told


def _is_unfilled(trouble: Disagreement) -> bool:
    return trouble.trouble == "empty" and trouble.attribute is not None and not trouble.filled


def _mended(
    kind: KindReply, empty: set[tuple[str, str | None]], untyped: set[tuple[str, str | None]]
) -> KindReply:
    attributes = [
        each.model_copy(update={"type": "text", "unit": None})
        if (kind.name, each.name) in untyped
        else each
        for each in kind.attributes
        if (kind.name, each.name) not in empty
    ]
    return kind.model_copy(update={"attributes": attributes})


def _same(kinds: Sequence[KindReply], new: KindReply) -> int | None:
    """Return which known kind a new one is: of its grain and name, or of mostly its labels."""
    for at, kind in enumerate(kinds):
        alike = _likeness(kind, new)
        named = kind.name == new.name and (alike > 0 or kind.grain == "document")
        if kind.grain == new.grain and (named or (alike >= _ALIKE and kind.grain == "document")):
            return at
    return None


def _likeness(one: KindReply, other: KindReply) -> float:
    first, second = _labels(one), _labels(other)
    return len(first & second) / (min(len(first), len(second)) or 1)


def _labels(kind: KindReply) -> set[str]:
    return {plain_label(label) for each in kind.attributes for label in (each.name, *each.labels)}


def _lacking(kind: KindReply, new: KindReply) -> Iterator[AttributeReply]:
    known = _labels(kind)
    for each in new.attributes:
        if not {plain_label(label) for label in (each.name, *each.labels)} & known:
            yield each


def _reply(kind: Kind) -> KindReply:
    return KindReply(
        name=kind.name,
        description=kind.description,
        grain=kind.grain,
        attributes=[_attribute(each) for each in kind.attributes],
    )


def _attribute(attribute: Attribute) -> AttributeReply:
    return AttributeReply(
        name=attribute.name,
        type=attribute.type,
        description=attribute.description,
        unit=attribute.unit,
        examples=list(attribute.examples),
        labels=list(attribute.labels),
        many=attribute.many,
    )
