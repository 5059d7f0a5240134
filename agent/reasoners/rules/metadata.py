"""A clause that metadata decides: its words bound to fields and values the corpus really has."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agent.predicates import NAME_FIELD
from agent.question import Comparison, Node
from agent.reasoners.rules.amounts import Bound
from agent.reasoners.rules.draft import all_of, any_of, decided, negated
from agent.reasoners.rules.elements import (
    Element,
    Joint,
    Light,
    Negation,
    Other,
    Values,
    read_elements,
)
from agent.reasoners.rules.labels import Cue, Facts, Hit
from agent.reasoners.rules.roles import PREPOSITION_ROLES, Role, best_date, plays, role_of_verb
from agent.reasoners.rules.scene import Scene
from agent.reasoners.rules.words import AUXILIARIES, Token, akin

__all__ = ("Decision", "decide")

_FEW = 12
"""A field with at most so many different items is a closed list: its values are meant exactly."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What metadata makes of a clause."""

    node: Node | None
    """None where metadata decides nothing of it."""
    left: tuple[int, ...]
    """Indexes of the tokens that metadata does not account for."""

    @property
    def void(self) -> bool:
        """Whether the clause says nothing beyond what its verb and noun already said."""
        return self.node is None and not self.left

    @property
    def whole(self) -> bool:
        """Whether metadata decides the clause as a whole."""
        return self.node is not None and not self.left


@dataclass(slots=True)
class _Test:
    """A predicate being put together."""

    fields: tuple[Facts, ...]
    comparison: Comparison
    values: tuple[str, ...]
    start: int
    end: int
    length: bool = False
    joint: str = ""
    denied: bool = False
    hits: tuple[Hit, ...] = ()
    """Set while the field is not settled."""
    role: Role | None = None
    named: bool = False
    """Whether the clause names the field."""
    name_test: bool = False
    """Whether the document's name is tested instead of a field."""


@dataclass(frozen=True, slots=True)
class _Pending:
    cue: Cue
    start: int
    end: int


def decide(tokens: Sequence[Token], scene: Scene, *, modifier: bool = False) -> Decision:
    """Bind a clause to metadata, as far as its words allow.

    Args:
        tokens: the clause, marks between words included.
        scene: the question's context; assumptions are recorded there only for whole decisions.
        modifier: whether the words stand before the entity's noun, where `and` joins alternatives.
    """
    kept = [token for token in tokens if token.text not in {"-", "/"} or token.kind != "mark"]
    if not kept:
        return Decision(None, ())
    assumed = len(scene.assumptions)
    binding = _Binding(kept, scene, modifier=modifier)
    for element in read_elements(kept, scene.labels, scene.nouns):
        binding.add(element)
    node, left = binding.finish()
    if node is None or (left and not modifier):
        del scene.assumptions[assumed:]
    positions = {id(token): index for index, token in enumerate(tokens)}
    return Decision(node, tuple(positions[id(kept[index])] for index in left))


@dataclass(slots=True)
class _Binding:
    """Reads elements in order and binds each value and amount to a field."""

    tokens: Sequence[Token]
    scene: Scene
    modifier: bool
    tests: list[_Test] = field(default_factory=list)
    others: list[int] = field(default_factory=list)
    pending: _Pending | None = None
    waiting: tuple[Bound, int] | None = None
    joint: str = ""
    denying: bool = False
    until: int = 0
    """Tokens before this index are consumed by a run that was read ahead."""

    def add(self, element: Element) -> None:
        """Take the next element."""
        if element.start < self.until:
            return
        match element.what:
            case Cue() as cue:
                self._cue(cue, element)
            case Values(hits):
                self._values(hits, element)
            case Bound() as bound:
                self._bound(bound, element)
            case Joint(word):
                self._settle(at_end=True)
                self.joint = word
            case Negation():
                self._settle(at_end=True)
                self.denying = True
            case Other():
                self._other(element)
            case Light():
                pass

    def finish(self) -> tuple[Node | None, list[int]]:
        """Return the clause's tree and the indexes of the words left over."""
        self._settle(at_end=True)
        if self.waiting is not None:
            self._unit_or_other(self.waiting[0], self.waiting[1])
        self._resolve()
        left = [index for index in self.others if not self._excused(index)]
        return (_tree(self.tests, modifier=self.modifier) if self.tests else None), left

    def _test(self, test: _Test) -> None:
        chained = bool(self.joint) and bool(self.tests)
        denied = self.denying or (chained and self.tests[-1].denied and self.joint != "but")
        self.tests.append(replace(test, joint=self.joint, denied=denied))
        self.joint = ""
        self.denying = False

    def _cue(self, cue: Cue, element: Element) -> None:
        if self.waiting is not None and self._count_of(cue, element):
            return
        if self._claim(cue, element):
            return
        self._settle(at_end=False)
        self.pending = _Pending(cue, element.start, element.end)

    def _count_of(self, cue: Cue, element: Element) -> bool:
        """Bind `at least three` to the `authors` that follow."""
        if self.waiting is None or cue.strength < 2:
            return False
        bound, start = self.waiting
        self.waiting = None
        fields = tuple(each for each in cue.fields)
        length = not any(each.field.type == "number" for each in fields)
        if not length:
            fields = tuple(each for each in fields if each.field.type == "number")
        self._test(
            _Test(
                fields,
                bound.comparison,
                bound.values,
                start,
                element.end,
                length=length,
                named=True,
            )
        )
        return True

    def _claim(self, cue: Cue, element: Element) -> bool:
        """Bind values that stand before the field's name: `high priority`, `X as an author`."""
        claimed = False
        end = element.start
        for test in reversed(self.tests):
            own = tuple(hit for hit in test.hits if hit.facts in cue.fields)
            gap = range(test.end, end)
            if test.named or not own or any(index in self.others for index in gap):
                break
            test.hits, test.named, claimed, end = own, True, True, test.start
            if not test.joint:
                break
        return claimed

    def _values(self, hits: tuple[Hit, ...], element: Element) -> None:
        if self.pending is not None and self._bind_value(self.pending, hits, element):
            return
        previous = self.tests[-1] if self.tests and self.joint else None
        if previous is not None and previous.named:
            shared = tuple(
                hit
                for hit in hits
                if hit.facts in previous.fields
                or hit.facts in {each.facts for each in previous.hits}
            )
            if shared:
                self._test(_Test((), "is", (), element.start, element.end, hits=shared, named=True))
                return
        role = self._role(element.start) or (previous.role if previous is not None else None)
        fit = tuple(hit for hit in hits if self._speaks(hit, element, role))
        if not fit:
            self._other(element)
            return
        self._settle(at_end=False)
        self._test(_Test((), "is", (), element.start, element.end, hits=fit, role=role))

    def _bind_value(self, pending: _Pending, hits: tuple[Hit, ...], element: Element) -> bool:
        own = tuple(hit for hit in hits if hit.facts in pending.cue.fields)
        if own:
            self.pending = None
            self._test(_Test((), "is", (), pending.start, element.end, hits=own, named=True))
            return True
        if pending.cue.strength < 2 or any(hit.exact and hit.facts.label for hit in hits):
            return False
        return self._partial(pending, element.start, element.end)

    def _partial(self, pending: _Pending, start: int, end: int) -> bool:
        """Bind words that are a part of the named field's items."""
        words = [token.low for token in self.tokens[start:end]]
        fields = tuple(
            each for each in pending.cue.fields if self.scene.labels.partial(each, words)
        )
        if not fields:
            return False
        self.pending = None
        value = " ".join(token.inner for token in self.tokens[start:end])
        self._test(_Test(fields, "contains", (value,), pending.start, end, named=True))
        return True

    def _speaks(self, hit: Hit, element: Element, role: Role | None) -> bool:
        """Tell whether a value may be meant although its field is not named."""
        first = self.tokens[element.start]
        if hit.facts is self.scene.entity_field or first.text.isdigit():
            return False
        if hit.facts.label and hit.facts.field.documents >= 0.05 * self.scene.labels.documents:
            return True
        if role is not None and plays(hit.facts, role):
            return True
        proper = first.kind == "quote" or (first.capital and hit.size > 1)
        return proper and hit.whole

    def _role(self, start: int) -> Role | None:
        for index in range(start - 1, max(-1, start - 3), -1):
            if (role := PREPOSITION_ROLES.get(self.tokens[index].low)) is not None:
                return role
        before = [token.low for token in self.tokens[max(0, start - 2) : start]]
        return "topic" if before and before[-1] == "on" else None

    def _bound(self, bound: Bound, element: Element) -> None:
        if element.start and self.tokens[element.start - 1].low in {
            "numbered",
            "number",
            "numbers",
        }:
            self._number_test(bound, element)
        elif self.pending is not None and self._bind_bound(self.pending, bound, element):
            self.pending = None
        elif bound.kind in {"date", "year"} and self._dated(bound, element):
            self._settle(at_end=False)
        else:
            self.waiting = (bound, element.start)
            self.until = bound.end

    def _number_test(self, bound: Bound, element: Element) -> None:
        name = self.scene.number_field()
        facts = self.scene.labels.named(name)
        self._test(
            _Test(
                (facts,) if facts else (),
                bound.comparison,
                bound.values,
                element.start,
                element.end,
                named=True,
                name_test=facts is None,
            )
        )

    def _bind_bound(self, pending: _Pending, bound: Bound, element: Element) -> bool:
        fitting = tuple(each for each in pending.cue.fields if _measures(each, bound))
        if fitting:
            dotted = all(each.dotted and each.field.type != "number" for each in fitting)
            comparison = "contains" if dotted and bound.comparison == "is" else bound.comparison
            if bound.comparison == "is" and dotted and self._itemised(fitting, bound):
                comparison = "is"
            self._test(
                _Test(fitting, comparison, bound.values, pending.start, element.end, named=True)
            )
            return True
        if bound.kind == "number" and pending.cue.strength >= 2 and bound.explicit:
            fields = pending.cue.fields
            self._test(
                _Test(
                    fields, bound.comparison, bound.values, pending.start, element.end,
                    length=True, named=True,
                )
            )  # fmt: skip
            return True
        return False

    def _itemised(self, fields: Sequence[Facts], bound: Bound) -> bool:
        return any(
            item.casefold() == value.casefold()
            for each in fields
            for item, _ in each.field.values
            for value in bound.values
        )

    def _dated(self, bound: Bound, element: Element) -> bool:
        facts, count = best_date(self.scene.labels.fields)
        if facts is None:
            return self._dated_by_name(bound, element)
        if count > 1:
            words = self.scene.words(self.tokens[element.start : element.end])
            self.scene.assume(f"“{words}” is taken as a condition on {facts.name}.")
        self._test(
            _Test((facts,), bound.comparison, bound.values, element.start, element.end, named=True)
        )
        return True

    def _dated_by_name(self, bound: Bound, element: Element) -> bool:
        if bound.comparison != "is" or not self.scene.dated_names(bound.values[0][:4]):
            return False
        self.scene.assume(f"The year {bound.values[0]} is looked for in the documents' names.")
        self._test(
            _Test(
                (), "contains", bound.values, element.start, element.end, named=True, name_test=True
            )
        )
        return True

    def _other(self, element: Element) -> None:
        start = element.start
        if self.pending is not None and self.pending.cue.strength >= 2:
            if self._partial(self.pending, start, element.end):
                return
            end = start
            while end < len(self.tokens) and _proper(self.tokens[end]):
                end += 1
            gap = self.tokens[self.pending.end : start]
            if end > start and all(token.function for token in gap):
                self._unknown(self.pending, start, end)
                return
        if self.waiting is not None:
            bound, begun = self.waiting
            self.waiting = None
            if self._unit_or_other(bound, begun, self.tokens[start].low):
                return
        self.others.extend(range(start, element.end))

    def _unknown(self, pending: _Pending, start: int, end: int) -> None:
        """Bind a proper name that no document has in the named field."""
        value = " ".join(token.inner for token in self.tokens[start:end])
        names = " or ".join(each.name for each in pending.cue.fields)
        self.scene.assume(f"No document has “{value}” in {names}.")
        self.pending = None
        self.until = end
        self._test(_Test(pending.cue.fields, "contains", (value,), pending.start, end, named=True))

    def _unit_or_other(self, bound: Bound, start: int, unit: str = "") -> bool:
        """Bind an amount by its unit, where one number field is written with that unit."""
        fields = tuple(each for each in self.scene.labels.fields if unit and _has_unit(each, unit))
        if len(fields) != 1:
            self.others.extend(range(start, bound.end))
            return False
        self.scene.assume(f"An amount in {unit} is taken as {fields[0].name}.")
        self._test(_Test(fields, bound.comparison, bound.values, start, bound.end + 1, named=True))
        return True

    def _settle(self, *, at_end: bool) -> None:
        """Turn a field named without a value into a test of existence, or let it go."""
        pending, self.pending = self.pending, None
        if pending is None:
            return
        fields = tuple(each for each in pending.cue.fields if each is not self.scene.entity_field)
        if pending.cue.strength < 2:
            self.others.extend(range(pending.start, pending.end))
        elif fields and (at_end or self._possessed(pending.start)):
            self._test(_Test(fields, "exists", (), pending.start, pending.end, named=True))
        elif fields and role_of_verb(self.tokens[pending.start].low) is None:
            self.others.extend(range(pending.start, pending.end))

    def _possessed(self, start: int) -> bool:
        before = {token.low for token in self.tokens[max(0, start - 2) : start]}
        return not before.isdisjoint(
            {"have", "has", "had", "with", "a", "an", "any", "no", "without"}
        )

    def _resolve(self) -> None:
        """Choose the field of every value that is a value of several."""
        spoken = [role for token in self.tokens if (role := role_of_verb(token.low))]
        for test in self.tests:
            if test.hits:
                self._choose(test, test.role or (spoken[0] if spoken else None))

    def _choose(self, test: _Test, role: Role | None) -> None:
        def rank(hit: Hit) -> tuple[bool, bool, bool, int, int]:
            played = role is not None and plays(hit.facts, role)
            return (not played, not hit.exact, hit.facts.fact, hit.facts.field.distinct,
                    -hit.facts.field.documents)  # fmt: skip

        ordered = sorted(test.hits, key=rank)
        best = ordered[0].facts
        others = sorted({hit.facts.name for hit in test.hits} - {best.name})
        words = self.scene.words(self.tokens[test.start : test.end])
        if test.named and others:
            fields = tuple(dict.fromkeys(hit.facts for hit in ordered))
        else:
            fields = (best,)
            if others:
                self.scene.assume(
                    f"“{words}” is taken as {best.name}; it is also a value of {', '.join(others)}."
                )
        items = [hit.item for hit in ordered if hit.facts in fields]
        test.fields = fields
        test.values = tuple(dict.fromkeys([*items, *self._fuller(fields, ordered[0])]))

    def _fuller(self, fields: Sequence[Facts], hit: Hit) -> list[str]:
        """Return items that say the same with the field's own name: `MIT License` for `MIT`."""
        plain = [
            token.low for token in self.tokens if any(token.low == hit.item.casefold() for _ in "1")
        ]
        return [
            item
            for each in fields
            for item in self.scene.labels.partial(each, plain or [hit.item])
            if _without(item, each.words) == _without(hit.item, each.words)
        ]

    def _excused(self, index: int) -> bool:
        """Tell whether a leftover word may be passed over: a verb before, a unit behind."""
        following = [test for test in self.tests if test.start > index]
        leads = not any(test.start < index for test in self.tests) and bool(following)
        if leads and index == min(self.others):
            first = following[0]
            bound = first.named and first.comparison != "exists" and not first.length
            gap = self.tokens[index + 1 : first.start]
            governed = any(token.low in AUXILIARIES for token in self.tokens[:index])
            return bound and not governed and len(self.others) == 1 and all(token.function for token in gap)
        return any(
            test.end == index and test.comparison not in {"exists", "is", "contains"}
            for test in self.tests
        )


def _proper(token: Token) -> bool:
    return token.capital or token.kind == "quote"


def _measures(facts: Facts, bound: Bound) -> bool:
    kind = facts.field.type
    if kind == "date":
        return bound.kind in {"date", "year"}
    if kind == "number":
        return bound.kind in {"number", "year"}
    return facts.dotted and bound.kind == "number"


def _has_unit(facts: Facts, unit: str) -> bool:
    if facts.field.type != "number":
        return False
    items = [item.casefold().split() for item, _ in facts.field.values[:30]]
    return bool(items) and sum(
        any(akin(word, unit) for word in words) for words in items
    ) >= 0.8 * len(items)


def _without(item: str, words: Sequence[str]) -> list[str]:
    return [
        each for each in item.casefold().replace("-", " ").split()
        if not any(akin(each, word) for word in words)
    ]  # fmt: skip


def _tree(tests: Sequence[_Test], *, modifier: bool) -> Node | None:
    """Join the tests: alternatives of one field first, then or, then and; denials reach over both."""
    merged: list[_Test] = []
    for test in tests:
        last = merged[-1] if merged else None
        if last is not None and _alternatives(last, test, modifier=modifier):
            merged[-1] = replace(last, values=tuple(dict.fromkeys((*last.values, *test.values))))
        else:
            merged.append(test)
    parts: list[Node | None] = []
    group: list[Node | None] = []
    denied = False
    for test in merged:
        joined = test.joint in {"or", "nor"} or (test.denied and bool(test.joint))
        if not (joined and group and test.denied == denied):
            parts.append(_closed(group, denied=denied))
            group = []
        denied = test.denied
        group.append(_node(test))
    return all_of([*parts, _closed(group, denied=denied)])


def _closed(group: Sequence[Node | None], *, denied: bool) -> Node | None:
    node = any_of(group)
    return negated(node) if denied and node is not None else node


def _alternatives(one: _Test, other: _Test, *, modifier: bool) -> bool:
    same = one.fields == other.fields and one.denied == other.denied and bool(other.joint)
    if not same or one.length or not {one.comparison, other.comparison} <= {"is"}:
        return False
    several = one.named and any(each.field.type == "list" for each in one.fields)
    return modifier or other.joint != "and" or not several or one.denied


def _node(test: _Test) -> Node | None:
    if test.name_test:
        return decided(NAME_FIELD, test.comparison, test.values)
    nodes: list[Node | None] = []
    for each in test.fields:
        closed = each.field.distinct <= _FEW or not test.named or test.comparison != "is"
        comparison: Comparison = (
            test.comparison
            if closed or test.length or each.field.type in {"number", "date"}
            else "contains"
        )
        nodes.append(decided(each.name, comparison, test.values, length=test.length))
    return any_of(nodes)
