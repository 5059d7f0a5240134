"""From a reasoner's reply to an executable interpretation."""

from collections.abc import Collection, Sequence

from agent.corpus import Field
from agent.deduplication import stated_rule
from agent.errors import MalformedReply
from agent.logic import parse_logic
from agent.predicates import NAME_FIELD
from agent.question import Condition, Interpretation, Measure, MergeRule, Predicate
from agent.quota import Quota
from agent.replies import AtomReply, InterpretReply

__all__ = ("interpretation_from", "spelt_out")

_NUMERIC = frozenset({"sum", "avg", "min", "max", "median", "top_k"})


def interpretation_from(reply: InterpretReply, fields: Collection[str]) -> Interpretation:
    """Build the interpretation; field names are checked against the corpus's own.

    A condition may also compare `NAME_FIELD`, the name that every document has.

    Raises:
        MalformedReply: an unknown field, a duplicate id, logic that does not parse, a comparison
            without its values, an operation without what it needs.
    """
    known = {name.casefold(): name for name in fields}
    testable = {NAME_FIELD: NAME_FIELD, **known}
    conditions = {atom.id: _condition(atom, testable) for atom in reply.conditions}
    if len(conditions) < len(reply.conditions):
        raise MalformedReply("two conditions have the same id")
    _check_operation(reply)
    _check_places(reply)
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
            places=tuple(dict.fromkeys(measure.places)),
        ),
        group_by=_field(reply.group_by, known),
        quota=_quota(reply),
        across=reply.across and reply.entity_field is not None,
        show=_shown(reply.show, known),
        k=reply.k,
        ascending=reply.ascending,
        merge=_merge(reply),
        assumptions=tuple(reply.assumptions),
    )


def spelt_out(reply: InterpretReply, fields: Sequence[Field]) -> InterpretReply:
    """Give every `has_all` without values all the items that its field has.

    Raises:
        MalformedReply: the field has more items than anything can have all of.
    """
    known = {each.name.casefold(): each for each in fields}

    def all_named(atom: AtomReply) -> AtomReply:
        field = known.get((atom.field or "").casefold())
        if atom.comparison != "has_all" or atom.values or field is None:
            return atom
        if field.distinct > len(field.values):
            told = f"{field.name!r} has {field.distinct} items: name those that are meant"
            raise MalformedReply(f"condition {atom.id!r}: {told}")
        return atom.model_copy(update={"values": [item for item, _ in field.values]})

    return reply.model_copy(update={"conditions": [all_named(each) for each in reply.conditions]})


def _merge(reply: InterpretReply) -> MergeRule:
    """Return the rule of merging names that the reading's own words state; else that of aliases.

    What is asked of several documents of one thing has nothing of its own in each.
    """
    told = (stated_rule(each, reply.entity_type) for each in (reply.restated, *reply.assumptions))
    rule: MergeRule = next((each for each in told if each is not None), "alias")
    over_documents = reply.quota is not None or reply.across
    return "alias" if over_documents and rule == "document" else rule


def _check_operation(reply: InterpretReply) -> None:
    if reply.operation in _NUMERIC and reply.measure is None:
        raise MalformedReply(f"operation {reply.operation!r} needs a measure")
    if reply.operation == "group_by" and not reply.group_by:
        raise MalformedReply("operation 'group_by' needs the field to group by")
    if reply.operation == "top_k" and reply.group_by:
        raise MalformedReply("operation 'top_k' ranks items and cannot be grouped by a field")
    if reply.operation == "top_k" and reply.k is not None and reply.k < 1:
        raise MalformedReply(f"k is {reply.k}; it must be at least 1, or null for all")


def _check_places(reply: InterpretReply) -> None:
    """Raise MalformedReply where places are counted of what no text of a document states."""
    places = reply.measure.places if reply.measure is not None else []
    if not places:
        return
    texts = {atom.id for atom in reply.conditions if atom.field is None}
    if not texts.issuperset(places):
        told = ", ".join(sorted(set(places) - texts))
        raise MalformedReply(f"places are counted of conditions without a field, not of {told}")
    if reply.measure is not None and reply.measure.field is not None:
        raise MalformedReply("places are counted in the texts: a measure of places has no field")
    if reply.grain != "document" or reply.entity_field is not None:
        raise MalformedReply("places are counted document by document: grain 'document'")


def _quota(reply: InterpretReply) -> Quota | None:
    """Return how many documents an item must be in; None where one is enough."""
    asked = reply.quota
    quota = None if asked is None else Quota.model_validate(asked.model_dump())
    if quota is None or quota.idle:
        return None
    if reply.grain == "document" and reply.entity_field is None:
        raise MalformedReply("a quota is for grain 'entity': in how many documents each item is")
    if quota.none and reply.entity_field is None:
        raise MalformedReply("that nothing names a thing is told of a field's items only")
    if reply.across:
        raise MalformedReply(
            "a quota counts documents, of which each meets the conditions: no across"
        )
    if quota.at_most is not None and quota.at_most < quota.at_least:
        raise MalformedReply(f"a quota of at least {quota.at_least}, at most {quota.at_most}")
    return quota


def _shown(names: Sequence[str], known: dict[str, str]) -> tuple[str, ...]:
    fields = (_field(name, known) for name in names)
    return tuple(dict.fromkeys(each for each in fields if each is not None))


def _condition(atom: AtomReply, known: dict[str, str]) -> Condition:
    field = _field(atom.field, known)
    predicate = _predicate(field, atom) if field is not None else None
    return Condition(
        id=atom.id,
        text=atom.text,
        counts=tuple(atom.counts),
        excludes=tuple(atom.excludes),
        terms=tuple(atom.terms),
        predicate=predicate,
    )


def _predicate(field: str, atom: AtomReply) -> Predicate:
    comparison = atom.comparison or ("is" if atom.values else "exists")
    if comparison == "between" and len(atom.values) != 2:
        raise MalformedReply(f"condition {atom.id!r}: 'between' needs two values")
    if comparison != "exists" and not atom.values:
        raise MalformedReply(f"condition {atom.id!r}: {comparison!r} needs a value")
    return Predicate(field=field, comparison=comparison, values=tuple(atom.values), of=atom.of)


def _field(name: str | None, known: dict[str, str]) -> str | None:
    if name is None:
        return None
    if name.casefold() not in known:
        raise MalformedReply(f"the corpus has no field {name!r}; it has {sorted(known.values())}")
    return known[name.casefold()]
