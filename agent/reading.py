"""From a reasoner's reply to an executable interpretation."""

from collections.abc import Collection

from agent.errors import MalformedReply
from agent.logic import parse_logic
from agent.question import Condition, Interpretation, Measure, Predicate
from agent.replies import AtomReply, InterpretReply

__all__ = ("interpretation_from",)

_NUMERIC = frozenset({"sum", "avg", "min", "max", "median", "top_k"})


def interpretation_from(reply: InterpretReply, fields: Collection[str]) -> Interpretation:
    """Build the interpretation; field names are checked against the corpus's own.

    Raises:
        MalformedReply: an unknown field, a duplicate id, logic that does not parse, a numeric
            operation without a measure, a grouping without a field.
    """
    known = {name.casefold(): name for name in fields}
    conditions = {atom.id: _condition(atom, known) for atom in reply.conditions}
    if len(conditions) < len(reply.conditions):
        raise MalformedReply("two conditions have the same id")
    if reply.operation in _NUMERIC and reply.measure is None:
        raise MalformedReply(f"operation {reply.operation!r} needs a measure")
    if reply.operation == "group_by" and not reply.group_by:
        raise MalformedReply("operation 'group_by' needs the field to group by")
    measure = reply.measure
    return Interpretation(
        text=reply.restated,
        entity_type=reply.entity_type,
        grain=reply.grain,
        entity_field=_field(reply.entity_field, known),
        conditions=parse_logic(reply.logic, conditions),
        operation=reply.operation,
        measure=measure
        and Measure(
            text=measure.text,
            field=_field(measure.field, known),
            of=measure.of,
            unit=measure.unit,
        ),
        group_by=_field(reply.group_by, known),
        k=reply.k,
        ascending=reply.ascending,
        assumptions=tuple(reply.assumptions),
    )


def _condition(atom: AtomReply, known: dict[str, str]) -> Condition:
    field = _field(atom.field, known)
    predicate = None
    if field is not None:
        predicate = Predicate(
            field=field,
            comparison=atom.comparison or ("is" if atom.values else "exists"),
            values=tuple(atom.values),
            of=atom.of,
        )
    return Condition(
        id=atom.id,
        text=atom.text,
        counts=tuple(atom.counts),
        excludes=tuple(atom.excludes),
        terms=tuple(atom.terms),
        predicate=predicate,
    )


def _field(name: str | None, known: dict[str, str]) -> str | None:
    if name is None:
        return None
    if name.casefold() not in known:
        raise MalformedReply(f"the corpus has no field {name!r}; it has {sorted(known.values())}")
    return known[name.casefold()]
