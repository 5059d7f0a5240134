"""Tests of fields while they are put together, and the tree that joins those of one clause."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from agent.predicates import NAME_FIELD
from agent.question import Comparison, Node
from agent.reasoners.rules.reading.draft import all_of, any_of, decided, negated
from agent.reasoners.rules.reading.facts import Facts
from agent.reasoners.rules.reading.labels import Hit
from agent.reasoners.rules.reading.roles import Role

__all__ = ("FieldTest", "joined")

_FEW: Final = 12
"""A field with at most so many different items is a closed list: its values are meant exactly."""


@dataclass(slots=True)
class FieldTest:
    """A predicate being put together."""

    fields: tuple[Facts, ...]
    comparison: Comparison
    values: tuple[str, ...]
    start: int
    end: int
    length: bool = False
    joint: str = ""
    denied: bool = False
    excepting: bool = False
    """Whether it is denied as a value that is left out: `outside Graz`."""
    hits: tuple[Hit, ...] = ()
    """Set while the field is not settled."""
    items: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The values of each field, where several fields are meant."""
    role: Role | None = None
    both: bool = False
    named: bool = False
    """Whether the clause names the field."""
    quoted: bool = False
    """Whether the value stands in quotation marks and is a whole item."""
    name_test: bool = False
    """Whether the document's name is tested instead of a field."""

    @property
    def facts(self) -> tuple[Facts, ...]:
        """The fields it tests, or may test where none is settled."""
        return (*self.fields, *(hit.facts for hit in self.hits))


def joined(tests: Sequence[FieldTest], *, modifier: bool) -> Node | None:
    """Join the tests: alternatives of one field, then or, then and; denials reach over both."""
    merged: list[FieldTest] = []
    for test in tests:
        last = merged[-1] if merged else None
        if last is not None and _alternatives(last, test, modifier=modifier):
            values = tuple(dict.fromkeys((*last.values, *test.values)))
            items = {
                name: tuple(dict.fromkeys((*own, *test.items.get(name, ()))))
                for name, own in last.items.items()
            }
            merged[-1] = replace(last, values=values, items=items)
        else:
            merged.append(test)
    parts: list[Node | None] = []
    group: list[Node | None] = []
    denied = both = False
    for test in merged:
        joined = test.joint in {"or", "nor"} or (test.denied and bool(test.joint))
        if not (joined and group and test.denied == denied):
            parts.append(_closed(group, denied=denied, both=both))
            group = []
            both = False
        denied = test.denied
        both = both or test.both
        group.append(_node(test))
    return all_of([*parts, _closed(group, denied=denied, both=both)])


def _closed(group: Sequence[Node | None], *, denied: bool, both: bool) -> Node | None:
    node = all_of(group) if denied and both else any_of(group)
    return negated(node) if denied and node is not None else node


def _alternatives(one: FieldTest, other: FieldTest, *, modifier: bool) -> bool:
    same = one.fields == other.fields and one.denied == other.denied and bool(other.joint)
    if not same or one.length or not {one.comparison, other.comparison} <= {"is"}:
        return False
    several = any(each.field.type == "list" for each in one.fields)
    every = other.both or (several and other.joint == "and" and other.role is None)
    return one.denied or not every or (modifier and not other.both)


def _node(test: FieldTest) -> Node | None:
    if test.name_test:
        return decided(NAME_FIELD, test.comparison, test.values)
    nodes: list[Node | None] = []
    for each in test.fields:
        if test.comparison == "exists" and (yes := _affirmed(each)):
            nodes.append(decided(each.name, "is", yes))
            continue
        closed = each.field.distinct <= _FEW or test.quoted or test.comparison != "is"
        closed = closed or not (test.named or test.role == "topic")
        comparison: Comparison = (
            test.comparison
            if closed or test.length or each.field.type in {"number", "date"}
            else "contains"
        )
        values = test.items.get(each.name) or test.values
        nodes.append(decided(each.name, comparison, values, length=test.length))
    return any_of(nodes)


def _affirmed(facts: Facts) -> tuple[str, ...]:
    """Return the affirming values of a field that only says yes or no, else nothing."""
    items = [item for item, _ in facts.field.values]
    if not items or not {item.casefold() for item in items} <= {"yes", "no", "true", "false"}:
        return ()
    return tuple(item for item in items if item.casefold() in {"yes", "true"})
