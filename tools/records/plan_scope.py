"""The tables that one SELECT reads: the rows' own kind, and what is joined to it along links."""

from collections import ChainMap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from agent.errors import QueryError
from agent.records.query_plan import Arithmetic, Column, Elapsed, Expression, FirstStated, Number
from agent.records.record_schema import DOCUMENT, Attribute, AttributeType, Kind, Link, Schema
from tools.records.sql_terms import (
    NUMERIC,
    Binder,
    Term,
    check_units,
    elapsed_in,
    first_of,
    list_table,
    quoted,
    several_units,
)
from tools.records.table_links import key_column

_LONGEST = 4
"""Hops; a longer way connects everything with everything and means nothing."""


@dataclass(frozen=True, slots=True)
class Hop:
    """One step along a link, from a record to those that bear the same value."""

    link: Link
    start: Column
    end: Column
    to_one: bool
    """Whether at most one record is reached: the link is followed in its own direction."""


Join = tuple[str, str]
_Key = tuple[str, str]


class Scope:
    """One SELECT in the making: which kind has which alias, and the joins it needs.

    A kind reached in hops to one record each may be joined at any time: that adds no rows. Others
    are joined only where the results need their values; tests ask whether such a record exists.
    """

    def __init__(
        self, schema: Schema, binder: Binder, kind: str, parent: "Scope | None" = None
    ) -> None:
        self.schema = schema
        self.binder = binder
        self.kind = kind_of(schema, kind).name
        self.alias = binder.alias()
        self.joins: list[Join] = []
        self.multiplies = False
        """Whether a joined kind or list may give one record several rows."""
        self._hops: list[Hop] = []
        self.at_hand = {self.kind: self.alias}
        """The kinds at hand with their aliases, the scope's own first."""
        outer = parent.kinds.maps if parent else []
        self.kinds: ChainMap[str, str] = ChainMap(self.at_hand, *outer)
        """The kinds at hand here or, for a SELECT within another, there."""
        self.lists: ChainMap[_Key, str] = parent.lists.new_child() if parent else ChainMap()
        """The tables of values that list attributes stand for, here or there."""
        self._linked: set[str] = set()
        self._parent = parent
        self._chain: list[Join] = []
        """From a row of the parent to this scope's own table, which is the last."""
        self.passed = "1"

    def joined(self) -> str:
        """Return what stands behind the scope's own table."""
        return "".join(f" LEFT JOIN {table} ON {condition}" for table, condition in self.joins)

    def lead(self, way: Sequence[Hop]) -> None:
        """Link the scope's own kind to its parent's; the kinds on the way are at hand too."""
        alias = self._parent.alias if self._parent else self.alias
        for hop in way:
            target = self.alias if hop is way[-1] else self.binder.alias()
            self._chain += self._hop_joins(hop, alias, target)
            self.at_hand.setdefault(hop.end.kind, target)
            self._hops.append(hop)
            alias = target

    def linked(self) -> str:
        """Return FROM and WHERE of the records that are linked to a row of the parent."""
        (first, condition), *rest = self._chain
        joined = "".join(f" JOIN {table} ON {on}" for table, on in rest)
        return f"FROM {first}{joined}{self.joined()} WHERE {condition}"

    def source(self) -> str:
        """Return what stands after FROM, joined to the rows of the parent where there is one."""
        if self._parent is None:
            return f"{quoted(self.kind)} AS {self.alias}{self.joined()}"
        own = "".join(f" JOIN {table} ON {condition}" for table, condition in self._chain)
        return f"{self._parent.source()}{own}{self.joined()}"

    def ways(self) -> Sequence[Hop]:
        """Return the steps along links from the rows to the kinds at hand."""
        return (*self._parent.ways(), *self._hops) if self._parent else self._hops

    def condition(self) -> str:
        """Return what the records of `source` must satisfy."""
        before = f"{self._parent.condition()} AND " if self._parent else ""
        return f"{before}({self.passed})"

    def is_far(self, kind: str) -> bool:
        """Tell whether a kind is not at hand and may have several records for one row."""
        way = () if kind in self.kinds else path(self.schema, self.kind, kind)
        return not all(hop.to_one for hop in way)

    def is_loose(self, column: Column) -> bool:
        """Tell whether a column is a list whose values are not joined."""
        many = attribute_of(self.schema, column).many
        return many and (column.kind, column.attribute) not in self.lists

    def kind_alias(self, kind: str) -> str:
        """Return the alias of a kind, joining it where it is not at hand."""
        if kind in self.kinds:
            return self.kinds[kind]
        alias = self.alias
        for hop in path(self.schema, self.kind, kind):
            alias = self.at_hand.get(hop.end.kind) or self._join(hop, alias)
        return alias

    def term(self, expression: Expression) -> Term:
        """Return an expression over joined tables; raises QueryError of names, types and units."""
        match expression:
            case Number():
                return Term(self.binder.bind(expression.number), "number", name="the number")
            case Arithmetic():
                return self._arithmetic(expression)
            case FirstStated():
                return first_of([self.term(each) for each in expression.of])
            case Elapsed():
                return elapsed_in(
                    expression.unit, self.term(expression.start), self.term(expression.end)
                )
            case Column():
                kind, name = expression.kind, expression.attribute
                if mixed := self.schema.units_of(kind, name):
                    raise QueryError(several_units(f"{kind}.{name}", mixed.units))
                return self.stated(expression)

    def stated(self, expression: Expression) -> Term:
        """Return an expression that is only counted, shown, or asked for being stated."""
        if not isinstance(expression, Column):
            return self.term(expression)
        column = expression
        attribute = attribute_of(self.schema, column)
        alias = self.kind_alias(column.kind)
        sql = f"{alias}.{quoted(attribute.name)}"
        if attribute.many:
            sql = f"{self.list_alias(column, alias)}.value"
        linked = (f"{alias}._record",) if alias in self._linked else ()
        return Term(sql, attribute.type, attribute.unit, attribute.name, linked)

    def number(self, expression: Expression, purpose: str) -> Term:
        """Return an expression that must be a number; raises QueryError where it is not."""
        term = self.term(expression)
        if term.type not in NUMERIC:
            numbers = [
                each.name
                for each in kind_of(self.schema, self.kind).attributes
                if each.type in NUMERIC
            ]
            raise QueryError(
                f"{purpose} needs numbers, and {term.name!r} is {term.type}; numbers of "
                f"{self.kind!r}: {', '.join(numbers) or 'none'}"
            )
        return term

    def list_alias(self, column: Column, owner: str) -> str:
        """Return the alias of a list's values, joining them where they are not at hand."""
        key = (column.kind, column.attribute)
        if key not in self.lists:
            alias = self.lists[key] = self.binder.alias()
            self.joins.append((f"{_list(column)} AS {alias}", f"{alias}._record = {owner}._record"))
            self.multiplies = True
        return self.lists[key]

    def _join(self, hop: Hop, left: str) -> str:
        alias = self.at_hand[hop.end.kind] = self.binder.alias()
        self._hops.append(hop)
        self.joins += self._hop_joins(hop, left, alias)
        if not hop.to_one or left in self._linked:
            self._linked.add(alias)
            self.multiplies = True
        return alias

    def _hop_joins(self, hop: Hop, left: str, right: str) -> Iterator[Join]:
        """Yield the tables, each with its condition, that join alias `right` to alias `left`."""
        one, other = (attribute_of(self.schema, each) for each in (hop.start, hop.end))
        value, end = f"{left}.{_joined(one)}", f"{right}.{_joined(other)}"
        if one.many:
            values = self.binder.alias()
            yield f"{_list(hop.start)} AS {values}", f"{values}._record = {left}._record"
            value = f"{values}.{_joined(one)}"
        if other.many:
            values = self.binder.alias()
            yield f"{_list(hop.end)} AS {values}", f"{values}.{_joined(other)} = {value}"
            value, end = f"{values}._record", f"{right}._record"
        yield f"{quoted(hop.end.kind)} AS {right}", f"{end} = {value}"

    def _arithmetic(self, expression: Arithmetic) -> Term:
        left = self.number(expression.left, f"{expression.operator!r}")
        right = self.number(expression.right, f"{expression.operator!r}")
        name = f"{left.name} {expression.operator} {right.name}"
        linked = left.linked + right.linked
        if expression.operator == "/":
            sql = f"({left.sql} * 1.0 / NULLIF({right.sql}, 0))"
            return Term(sql, "number", left.unit if right.unit is None else None, name, linked)
        if expression.operator in ("+", "-"):
            check_units(expression.operator, left.unit, right.unit)
        unit = _unit(expression.operator, left, right)
        whole: AttributeType = "integer" if {left.type, right.type} == {"integer"} else "number"
        return Term(f"({left.sql} {expression.operator} {right.sql})", whole, unit, name, linked)


def kind_of(schema: Schema, name: str) -> Kind:
    """Return a kind; raises QueryError, naming near names, where there is none."""
    kind = schema.kind(name)
    if kind is None:
        raise QueryError(f"there is no kind {name!r}{_near(name, [k.name for k in schema.kinds])}")
    return kind


def _near(name: str, names: Sequence[str]) -> str:
    close = get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return f"; did you mean {' or '.join(repr(each) for each in close)}?"
    shown = ", ".join(names[:30])
    return f"; there are: {shown}" if shown else "; there are none"


def path(schema: Schema, start: str, goal: str, through: str | None = None) -> tuple[Hop, ...]:
    """Return the shortest way between two kinds, or from one to itself by a link of its own.

    Of several shortest ways one with only hops to one record is preferred, then the one whose
    referring attributes are named for what they refer to (`team_id`, for kind `team`). Where
    `through` is given, one of the hops must use that attribute.

    Raises QueryError: there is no way, or there are several equally good ones.
    """
    kind_of(schema, goal)
    found = _shortest(schema, start, goal, through)
    if not found:
        raise QueryError(_no_way(schema, start, goal, through))
    best = min(map(_rank, found))
    first, *others = (way for way in found if _rank(way) == best)
    if others:
        refers = (", ".join(repr(hop.link.attribute) for hop in way) for way in (first, *others))
        ways = sorted(set(refers))
        raise QueryError(
            f"{start!r} and {goal!r} are linked in several ways (through {' or '.join(ways)}): "
            "use a related test whose `through` names the attribute"
        )
    return first


def _shortest(
    schema: Schema, start: str, goal: str, through: str | None
) -> Sequence[tuple[Hop, ...]]:
    """Return all ways of the least length that has one."""
    hops = [hop for link in schema.links for hop in _both_ways(schema, link)]
    level: list[tuple[Hop, ...]] = [()]
    for _ in range(_LONGEST):
        level = [(*way, hop) for way in level for hop in hops if _continues(way, hop, start, goal)]
        arrived = (way for way in level if way[-1].end.kind == goal)
        names = ((way, {end for hop in way for end in (hop.start, hop.end)}) for way in arrived)
        if found := [
            way for way, ends in names if through in {None, *(each.attribute for each in ends)}
        ]:
            return found
    return ()


def _both_ways(schema: Schema, link: Link) -> Iterator[Hop]:
    one = Column(kind=link.kind, attribute=link.attribute)
    other = Column(kind=link.to_kind, attribute=link.to_attribute)
    refers, referred = (schema.attribute(each.kind, each.attribute) for each in (one, other))
    if refers is not None and referred is not None:
        yield Hop(link, one, other, to_one=not refers.many)
        yield Hop(link, other, one, to_one=False)


def _continues(way: tuple[Hop, ...], hop: Hop, start: str, goal: str) -> bool:
    here = way[-1].end.kind if way else start
    seen = {start, *(each.end.kind for each in way)} - ({goal} if start == goal else set())
    arrived = bool(way) and here == goal
    return hop.start.kind == here and hop.end.kind not in seen and not arrived


def _no_way(schema: Schema, start: str, goal: str, through: str | None) -> str:
    if through is not None:
        return f"no link between {start!r} and {goal!r} uses the attribute {through!r}"
    linked = sorted({link.to_kind for link in schema.links if link.kind == start})
    linked += sorted({link.kind for link in schema.links if link.to_kind == start})
    return f"the records of {start!r} and {goal!r} are not linked; {start!r} is linked to: " + (
        ", ".join(dict.fromkeys(linked)) or "nothing"
    )


def _rank(way: Sequence[Hop]) -> tuple[int, int]:
    """Order ways of one length, the best first."""
    links = [hop.link for hop in way]
    named = sum(
        each.attribute in {each.to_attribute, each.to_kind, f"{each.to_kind}_{each.to_attribute}"}
        for each in links
    )
    return (sum(not hop.to_one for hop in way), -named)


def attribute_of(schema: Schema, column: Column) -> Attribute:
    """Return a column's attribute; raises QueryError, naming near names."""
    kind = kind_of(schema, column.kind)
    attribute = kind.attribute(column.attribute)
    if column.attribute == DOCUMENT.name:
        return DOCUMENT
    if attribute is None:
        hint = _near(column.attribute, [each.name for each in kind.attributes])
        raise QueryError(f"kind {kind.name!r} has no attribute {column.attribute!r}{hint}")
    return attribute


def _list(column: Column) -> str:
    return quoted(list_table(column.kind, column.attribute))


def _joined(attribute: Attribute) -> str:
    """Return the column by which a linked attribute is joined: texts by their keys."""
    column = "value" if attribute.many else attribute.name
    return quoted(key_column(column) if attribute.type == "text" else column)


def _unit(operator: str, left: Term, right: Term) -> str | None:
    if operator == "*":
        return left.unit if right.unit is None else right.unit if left.unit is None else None
    return left.unit if left.unit == right.unit else None
