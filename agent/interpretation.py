"""Interpretations: built from a reader's reply, compared with one another, searched together."""

import ast
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, get_args

from agent.ambiguity import Change
from agent.corpus_view import Field
from agent.errors import MalformedReply
from agent.predicates import PSEUDO_FIELDS
from agent.question import (
    CRITERIA,
    AllOf,
    AnyOf,
    Condition,
    DatePart,
    Interpretation,
    Measure,
    MergeRule,
    Node,
    Not,
    Predicate,
    Quota,
    atoms,
)
from agent.replies import AtomReply, InterpretReply

_OPERATOR = re.compile(r"\b(?:and|or|not)\b", re.IGNORECASE)
_NUMERIC = frozenset({"sum", "avg", "min", "max", "median", "top_k"})
_SHARED = Interpretation.model_fields.keys() & InterpretReply.model_fields.keys()
"""Members that an interpretation has as its reply has them, but for those that `order_of` names."""
_ALWAYS = AllOf(parts=())
"""The condition that every entity satisfies."""


def interpretation_from(
    reply: InterpretReply, fields: Collection[str], *, literal: bool = False
) -> Interpretation:
    """Build the interpretation; field names are checked against the corpus's own.

    With `literal`, the terms of a condition of mention decide it.

    A condition may also compare `PSEUDO_FIELDS`, which every document has.

    Raises:
        MalformedReply: an unknown field, a duplicate id, logic that does not parse, a comparison
            without its values, an operation without what it needs.
    """
    known = {name.casefold(): name for name in fields}
    tested = testable(fields)
    conditions = {atom.id: _condition(atom, tested, literal) for atom in reply.conditions}
    if len(conditions) < len(reply.conditions):
        raise MalformedReply("two conditions have the same id")
    _check_operation(reply)
    _check_places(reply)
    measure = None
    if (asked := reply.measure) is not None:
        places, field = tuple(dict.fromkeys(asked.places)), _field(asked.field, known)
        if asked.of == "total" and (field or places):
            raise MalformedReply(
                "a measure that is a total is of amounts in texts: no field, no places"
            )
        measure = Measure(text=asked.text, field=field, of=asked.of, unit=asked.unit, places=places)
    group_by, group_part = _group(reply.group_by, known)
    return Interpretation(
        text=reply.restated,
        entity_type=reply.entity_type,
        grain=reply.grain,
        entity_field=_field(reply.entity_field, known),
        conditions=parse_logic(reply.logic, conditions),
        operation=reply.operation,
        measure=measure,
        group_by=group_by,
        group_part=group_part,
        quota=_quota(reply),
        across=reply.across and reply.entity_field is not None,
        show=_shown(reply.show, known),
        k=reply.k,
        ascending=reply.ascending,
        merge=_merge(reply),
        alias_field=_field(reply.alias_field, known),
        assumptions=tuple(reply.assumptions),
        computed=reply.computed or "",
    )


def order_of(reading: Interpretation) -> InterpretReply:
    """Return the reply from which an interpretation is built: what a reader is shown of it."""
    own: dict[str, Any] = {
        "restated": reading.text,
        "conditions": [_atom(each) for each in dict.fromkeys(atoms(reading.conditions))],
        "logic": logic_of(reading.conditions),
        "computed": reading.computed or None,
    }
    if reading.group_part is not None:
        own["group_by"] = f"{reading.group_by} by {reading.group_part}"
    return InterpretReply.model_validate(
        {**reading.model_dump(include=_SHARED - own.keys()), **own}
    )


def _atom(condition: Condition) -> AtomReply:
    told = condition.model_dump(include={"id", "text", "terms", *CRITERIA})
    no_field = {"field": None, "comparison": None, "values": (), "of": "value"}
    own = condition.predicate
    test = own.model_dump(include={*no_field}) if own is not None else no_field
    return AtomReply.model_validate({**told, **test})


def logic_of(node: Node | None, told: Callable[[Condition], str] = lambda atom: atom.id) -> str:
    """Write a tree as `parse_logic` reads it, its conditions by their ids or as they are told.

    >>> a, b = Condition(id="a", text=""), Condition(id="b", text="")
    >>> logic_of(AllOf(parts=(a, Not(part=b))))
    '(a and not b)'
    """
    match node:
        case None:
            return ""
        case Condition():
            return told(node)
        case Not():
            return f"not {logic_of(node.part, told)}"
        case AllOf() | AnyOf():
            return "(" + f" {node.kind} ".join(logic_of(each, told) for each in node.parts) + ")"


def changed(reading: Interpretation, change: Change) -> InterpretReply:
    """Return the reply for a change.

    Raises MalformedReply: no condition has its id, or what decides it stays as it was: the
    spellings, or what a field is compared with; or nothing says any longer what counts.
    """
    gone = {_entry(each) for each in change.drops}
    order = order_of(reading)
    granted = [each for each in order.assumptions if _entry(each) not in gone]
    order = order.model_copy(update={"assumptions": granted})
    if change.merge is not None:
        order = order.model_copy(update={"merge": change.merge})
    if not change.condition:
        return order
    old = next((each for each in order.conditions if each.id == change.condition), None)
    if old is None:
        raise MalformedReply(f"there is no condition {change.condition!r}")
    if old.terms or (old.field and {*old.values} == {*change.values}):
        raise MalformedReply(f"new words of {old.id} leave what decides it")
    if old.counts and not change.counts:
        raise MalformedReply(f"nothing says what counts for {old.id} in its new words")
    names = ("text", "values", *CRITERIA)
    new = AtomReply.model_validate(
        old.model_dump() | {name: getattr(change, name) for name in names}
    )
    conditions = [new if each is old else each for each in order.conditions]
    return order.model_copy(update={"conditions": conditions})


def _entry(entry: str) -> str:
    return " ".join(entry.casefold().strip(" -.").split())


def spelt_out(reply: InterpretReply, fields: Sequence[Field]) -> InterpretReply:
    """Give every `has_all` without values all the items that its field has.

    Raises MalformedReply: the field has more items than anything can have all of.
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


def _merge(reply: InterpretReply) -> MergeRule | None:
    """Return the rule of merging names.

    What is asked of several documents of one thing has nothing of its own in each.
    """
    over_documents = reply.quota is not None or reply.across
    return "alias" if over_documents and reply.merge == "document" else reply.merge


def _check_operation(reply: InterpretReply) -> None:
    if reply.operation in _NUMERIC and reply.measure is None:
        raise MalformedReply(f"operation {reply.operation!r} needs a measure")
    if reply.operation == "group_by" and not reply.group_by:
        raise MalformedReply("operation 'group_by' needs the field to group by")
    if reply.operation == "top_k" and reply.group_by:
        raise MalformedReply("operation 'top_k' ranks items: groups are ranked by group_by and k")
    ranked = reply.operation == "top_k" or reply.group_by
    if ranked and reply.k is not None and reply.k < 1:
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
    fields = (_field(name, known) for name in names if name)
    return tuple(dict.fromkeys(each for each in fields if each is not None))


def _condition(atom: AtomReply, known: dict[str, str], literal: bool) -> Condition:  # noqa: FBT001
    predicate = predicate_of(atom, known)
    told = atom.model_dump(include={"id", "text", "terms", *CRITERIA})
    of_words = literal and bool(atom.terms) and predicate is None
    return Condition.model_validate({**told, "literal": of_words, "predicate": predicate})


def testable(fields: Collection[str]) -> dict[str, str]:
    """Return the names of fields by their folded ones, with those that every document has."""
    return {name.casefold(): name for name in (*PSEUDO_FIELDS, *fields)}


def predicate_of(atom: AtomReply, known: dict[str, str]) -> Predicate | None:
    """Return the test of a known field that a reply states, None without; raises MalformedReply."""
    field = _field(atom.field, known)
    if field is None:
        return None
    comparison = atom.comparison or ("is" if atom.values else "exists")
    if comparison == "between" and len(atom.values) != 2:
        raise MalformedReply(f"condition {atom.id!r}: 'between' needs two values")
    if comparison != "exists" and not atom.values:
        raise MalformedReply(f"condition {atom.id!r}: {comparison!r} needs a value")
    return Predicate(field=field, comparison=comparison, values=tuple(atom.values), of=atom.of)


def _group(name: str | None, known: dict[str, str]) -> tuple[str | None, DatePart | None]:
    """Return the field that `Date` or `Date by year` names, and the part of its dates.

    >>> _group("Date by year", {"date": "Date"}), _group("by year", {"by year": "by year"})
    (('Date', 'year'), ('by year', None))
    """
    for part in get_args(DatePart) if name is not None and name.casefold() not in known else ():
        if name is not None and name.casefold().endswith(f" by {part}"):
            return _field(name[: -len(f" by {part}")], known), part
    return _field(name, known), None


def _field(name: str | None, known: dict[str, str]) -> str | None:
    if name is None:
        return None
    if name.casefold() not in known:
        raise MalformedReply(f"the corpus has no field {name!r}; it has {sorted(known.values())}")
    return known[name.casefold()]


def parse_logic(expression: str, conditions: Mapping[str, Condition]) -> Node | None:
    """Parse the expression; `not` binds tighter than `and`, `and` tighter than `or`.

    An empty expression joins all conditions by and.

    Raises MalformedReply: unknown id, unused condition or bad syntax.

    >>> parse_logic("", {}) is None
    True
    >>> parse_logic("not a", {"a": Condition(id="a", text="")}).kind
    'not'
    """
    joined = " ".join(expression.split()) or " and ".join(conditions)
    if not joined:
        return None
    written = _OPERATOR.sub(lambda found: found[0].lower(), joined)
    try:
        tree = ast.parse(written, mode="eval").body
        used = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)}
        node = _node(tree, conditions)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise MalformedReply(
            f"logic {joined!r} cannot be read ({error}): ids, and, or, not and parentheses only"
        ) from error
    unused = [name for name in conditions if name not in used]
    if unused:
        raise MalformedReply(f"logic leaves out the conditions {unused}")
    return node


def _node(tree: ast.expr, conditions: Mapping[str, Condition]) -> Node:
    """Return an expression, which Python parses, as a tree of conditions."""
    match tree:
        case ast.Name(id=name) if name in conditions:
            return conditions[name]
        case ast.Name(id=name):
            raise MalformedReply(f"logic names {name!r}, known are {list(conditions)}")
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return Not(part=_node(part, conditions))
        case ast.BoolOp(op=operator, values=values):
            parts = tuple(_node(each, conditions) for each in values)
            return AllOf(parts=parts) if isinstance(operator, ast.And) else AnyOf(parts=parts)
        case _:
            raise ValueError(f"{ast.unparse(tree)!r} is no id")


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
        name = names.setdefault(criteria(condition), f"c{len(names) + 1}")
        return condition.model_copy(update={"id": name})

    return tuple(rebuilt(each, renamed) for each in readings)


def criteria(condition: Condition) -> str:
    """Return all that a condition asks, whatever it is called: equal for equal conditions."""
    text = " ".join(condition.text.split())
    return condition.model_copy(update={"id": "", "text": text}).model_dump_json()


def union(readings: Sequence[Interpretation]) -> Interpretation:
    """Return the reading whose search finds what any of the numbered readings needs."""
    first = readings[0]
    trees = [each.conditions or _ALWAYS for each in readings]
    different = [tree for place, tree in enumerate(trees) if tree not in trees[:place]]
    if len(different) == 1:
        return first
    granted = [each for each in first.assumptions if all(each in e.assumptions for e in readings)]
    return first.model_copy(
        update={
            "conditions": AnyOf(parts=tuple(different)),
            "readings": len(different),
            "assumptions": tuple(granted),
        }
    )


def _bare(reading: Interpretation) -> Interpretation:
    (numbered_,) = numbered((reading,))
    return numbered_.model_copy(
        update={
            "text": "",
            "assumptions": (),
            "settled": (),
            "merge": reading.merging,
            "readings": 1,
            "entity_type": reading.entity_type.casefold(),
            "operation": "count" if reading.operation == "list" else reading.operation,
        }
    )


def _shape(reading: Interpretation) -> tuple[object, ...]:
    texts = not all(atom.by_code for atom in atoms(reading.conditions))
    of_names = (reading.entity_type.casefold(), reading.merging, texts)
    named = of_names if reading.grain == "entity" or reading.entity_field else ()
    group = (reading.group_by, reading.group_part)
    return (reading.grain, named, reading.entity_field, reading.measure, *group)


def rebuilt(reading: Interpretation, renamed: Callable[[Condition], Condition]) -> Interpretation:
    """Return the interpretation with each of its conditions replaced."""
    node, measure = reading.conditions, reading.measure
    if measure is not None and measure.places:
        names = {atom.id: renamed(atom).id for atom in atoms(node)}
        places = tuple(names[each] for each in measure.places)
        measure = measure.model_copy(update={"places": places})
    conditions = None if node is None else _with(node, renamed)
    return reading.model_copy(update={"conditions": conditions, "measure": measure})


def _with(node: Node, renamed: Callable[[Condition], Condition]) -> Node:
    match node:
        case Condition():
            return renamed(node)
        case Not():
            return Not(part=_with(node.part, renamed))
        case AllOf() | AnyOf():
            return type(node)(parts=tuple(_with(part, renamed) for part in node.parts))
