"""One clause's words bound to fields and values, from left to right."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agent.question import Node
from agent.reasoners.rules.amounts import Bound, comparison_after, comparison_before
from agent.reasoners.rules.choosing import choose_fields, spared
from agent.reasoners.rules.dating import dated_test, dated_values, numbered_test
from agent.reasoners.rules.elements import Element, Joint, Light, Negation, Other, Values
from agent.reasoners.rules.field_tests import FieldTest, joined
from agent.reasoners.rules.kinship import (
    fields_in,
    has_unit,
    hits_under,
    in_unit_of,
    measures,
)
from agent.reasoners.rules.labels import Cue, Facts, Hit
from agent.reasoners.rules.roles import PREPOSITION_ROLES, Role, plays, role_of_verb
from agent.reasoners.rules.scene import Scene
from agent.reasoners.rules.words import AUXILIARIES, Token, akin

__all__ = ("Binding",)


@dataclass(frozen=True, slots=True)
class _Pending:
    cue: Cue
    start: int
    end: int


@dataclass(slots=True)
class Binding:
    """Reads elements in order and binds each value and amount to a field."""

    tokens: Sequence[Token]
    scene: Scene
    modifier: bool
    tests: list[FieldTest] = field(default_factory=list)
    others: list[int] = field(default_factory=list)
    pending: _Pending | None = None
    waiting: tuple[Bound, int] | None = None
    joint: str = ""
    denying: bool = False
    both: bool = False
    """Whether `both` was said: the values joined by `and` must all hold."""
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
            case Other():
                self._other(element)
            case Joint() | Negation() | Light() as small:
                self._small(small, element)

    def _small(self, what: Joint | Negation | Light, element: Element) -> None:
        """Take a word that names nothing itself."""
        within = isinstance(what, Negation) and what.within
        if (isinstance(what, Joint | Negation) and not within) or self._turns(what, element):
            self._settle(at_end=True)
        match what:
            case Joint(word):
                self.joint = word
            case Negation():
                self.denying = True
            case Light():
                self.both = self.both or self.tokens[element.start].low == "both"

    def _turns(self, what: Joint | Negation | Light, element: Element) -> bool:
        """Tell whether a clause of its own begins: a relative, or `were` behind `without a X`."""
        if isinstance(what, Light) and what.relative:
            return True
        finite = self.tokens[element.start].low in {"is", "are", "was", "were", "have", "has"}
        return self.denying and finite and not self.tests

    def finish(self) -> tuple[Node | None, list[int]]:
        """Return the clause's tree and the indexes of the words left over."""
        self._settle(at_end=True)
        if self.waiting is not None:
            self._unit_or_other(self.waiting[0], self.waiting[1])
        choose_fields(self.tests, self.tokens, self.scene)
        left = [
            index
            for index in self.others
            if not spared(index, self.others, self.tests, self.tokens)
        ]
        return (joined(self.tests, modifier=self.modifier) if self.tests else None), left

    def _test(self, test: FieldTest) -> None:
        chained = bool(self.joint) and bool(self.tests)
        denied = self.denying or (chained and self.tests[-1].denied and self.joint != "but")
        both = self.both and self.joint == "and"
        self.tests.append(replace(test, joint=self.joint, denied=denied, both=both))
        self.joint = ""
        self.denying = False

    def _cue(self, cue: Cue, element: Element) -> None:
        if self.waiting is not None and self._count_of(cue, element):
            return
        if self.waiting is not None and cue.strength < 2:
            self._other(element)
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
        fields = cue.fields
        length = not any(each.field.type == "number" for each in fields)
        if not length:
            fields = tuple(each for each in fields if each.field.type == "number")
        after, self.until = comparison_after(self.tokens, element.end)
        self._test(
            FieldTest(
                fields,
                after or bound.comparison,
                bound.values,
                start,
                self.until,
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
            value = Element(Values(test.hits), test.start, test.end)
            own = self._own(cue, element.start, test.hits, value)
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
        if self.pending is None and self._self_named(hits, element):
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
                self._test(
                    FieldTest((), "is", (), element.start, element.end, hits=shared, named=True)
                )
                return
        role = self._role(element.start) or (previous.role if previous is not None else None)
        fit = tuple(hit for hit in hits if self._speaks(hit, element, role))
        if not fit:
            self._other(element)
            return
        self._settle(at_end=False)
        self._test(FieldTest((), "is", (), element.start, element.end, hits=fit, role=role))

    def _self_named(self, hits: tuple[Hit, ...], element: Element) -> bool:
        """Bind a value that names its field itself: `MIT License`, `MIT-licensed`."""
        run = self.tokens[element.start : element.end]
        for hit in hits:
            naming = [
                token for token in run if any(akin(token.low, each) for each in hit.facts.words)
            ]
            core = [token for token in run if token not in naming]
            if core and naming and hit.whole:
                cue = Cue((hit.facts,), 2, 1)
                found = self.scene.labels.hits(core, 0)
                value = Element(Values(tuple(found)), element.start, element.start + len(core))
                at = self.tokens.index(naming[0])
                whole = self._own(cue, at, tuple(found), element)
                own = (*self._own(cue, at, tuple(found), value), *whole, *hits)
                self._test(
                    FieldTest((), "is", (), element.start, element.end, hits=own, named=True)
                )
                return True
        return False

    def _bind_value(self, pending: _Pending, hits: tuple[Hit, ...], element: Element) -> bool:
        if (number := self._version_of(pending, hits, element)) is not None:
            self._bind_bound(pending, number, element)
            self.pending = None
            return True
        own = self._own(pending.cue, pending.start, hits, element)
        if own:
            self.pending = None
            exact = pending.cue.strength == 3 and any(hit.exact and hit.whole for hit in own)
            self._test(
                FieldTest(
                    (), "is", (), pending.start, element.end, hits=own, named=True, quoted=exact
                )
            )
            return True
        if pending.cue.strength < 2 or any(hit.exact and hit.facts.label for hit in hits):
            return False
        return self._partial(pending, element.start, element.end)

    def _version_of(
        self, pending: _Pending, hits: tuple[Hit, ...], element: Element
    ) -> Bound | None:
        """Read `Python 3.10` after `require` as the named field's number."""
        words = [token.low for token in self.tokens[element.start : element.end]]
        fields = [each for each in pending.cue.fields if each.dotted and words[0] in each.words]
        numeric = len(words) == 2 and words[1].replace(".", "").isdigit()
        if not fields or not numeric or any(hit.facts in pending.cue.fields for hit in hits):
            return None
        comparison = comparison_before(self.tokens, element.start) or "is"
        return Bound(comparison, (words[1],), "number", element.end, explicit=True)

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
        self._test(FieldTest(fields, "contains", (value,), pending.start, end, named=True))
        return True

    def _speaks(self, hit: Hit, element: Element, role: Role | None) -> bool:
        """Tell whether a value may be meant although its field is not named."""
        first = self.tokens[element.start]
        if hit.facts is self.scene.entity_field or first.text.isdigit():
            return False
        if not hit.whole:
            return True
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
            self._test(numbered_test(bound, element.start, element.end, self.scene))
        elif bound.unit and self._in_unit(bound, element):
            self.pending = None
        elif self._counts_next(bound):
            self.pending = None
            self._wait(bound, element)
        elif self.pending is not None and self._bind_bound(self.pending, bound, element):
            self.pending = None
        elif (dated := self._dated(bound, element)) is not None:
            self._test(dated)
            self._settle(at_end=False)
        else:
            self._wait(bound, element)

    def _in_unit(self, bound: Bound, element: Element) -> bool:
        """Bind an amount with a unit to the field named, else to the one measured in such."""
        if self.pending is not None and self._bind_bound(self.pending, bound, element):
            return True
        fields = fields_in(self.scene.labels, bound.unit, self.tokens)
        if len(fields) != 1:
            return False
        self.scene.assume(f"An amount in {bound.unit} is taken as {fields[0].name}.")
        after, self.until = comparison_after(self.tokens, element.end)
        told = in_unit_of(bound, fields)
        self._test(
            FieldTest(
                fields, after or told.comparison, told.values, element.start, self.until, named=True
            )
        )
        return True

    def _wait(self, bound: Bound, element: Element) -> None:
        """Keep an amount until the field that it counts is named."""
        if self.waiting is not None:
            self._unit_or_other(*self.waiting)
        self.waiting = (bound, element.start)
        self.until = bound.end

    def _dated(self, bound: Bound, element: Element) -> FieldTest | None:
        if bound.kind == "number":
            return None
        return dated_test(bound, self.tokens, element.start, element.end, self.scene)

    def _counts_next(self, bound: Bound) -> bool:
        """Tell whether the amount counts items of the field named right behind it."""
        if bound.kind == "date" or bound.end >= len(self.tokens):
            return False
        cue = self.scene.labels.cue(self.tokens, bound.end)
        return cue is not None and cue.strength >= 2 and bound.kind == "number"

    def _bind_bound(self, pending: _Pending, bound: Bound, element: Element) -> bool:
        fitting = tuple(each for each in pending.cue.fields if measures(each, bound))
        if fitting:
            dotted = all(each.dotted and each.field.type != "number" for each in fitting)
            bound = in_unit_of(dated_values(bound, fitting, self.scene), fitting)
            comparison = bound.comparison
            if not bound.explicit:
                after, self.until = comparison_after(self.tokens, element.end)
                before = comparison_before(self.tokens, pending.start)
                comparison = after or before or comparison
            if comparison == "is" and dotted and not _itemised(fitting, bound):
                comparison = "contains"
            self._test(
                FieldTest(fitting, comparison, bound.values, pending.start, element.end, named=True)
            )
            return True
        if bound.kind == "number" and pending.cue.strength >= 2 and bound.explicit:
            fields = pending.cue.fields
            self._test(
                FieldTest(
                    fields, bound.comparison, bound.values, pending.start, element.end,
                    length=True, named=True,
                )
            )  # fmt: skip
            return True
        return False

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
        if _proper(self.tokens[start]) and self._partial_by_role(start):
            return
        if self.waiting is not None:
            bound, begun = self.waiting
            self.waiting = None
            if self._unit_or_other(bound, begun, self.tokens[start].low):
                return
        self.others.extend(range(start, element.end))

    def _partial_by_role(self, start: int) -> bool:
        """Bind a part of a name behind `from`, `by` or `to`: `from Ann`."""
        role = self._role(start)
        words = [self.tokens[start].low]
        for each in self.scene.labels.fields:
            if role is not None and plays(each, role) and self.scene.labels.partial(each, words):
                value = self.tokens[start].inner
                self._test(FieldTest((each,), "contains", (value,), start, start + 1, named=True))
                return True
        return False

    def _unknown(self, pending: _Pending, start: int, end: int) -> None:
        """Bind a proper name that no document has in the named field."""
        value = " ".join(token.inner for token in self.tokens[start:end])
        names = " or ".join(each.name for each in pending.cue.fields)
        self.scene.assume(f"No document has “{value}” in {names}.")
        self.pending = None
        self.until = end
        self._test(
            FieldTest(pending.cue.fields, "contains", (value,), pending.start, end, named=True)
        )

    def _unit_or_other(self, bound: Bound, start: int, unit: str = "") -> bool:
        """Bind an amount by its unit, where one number field is written with that unit."""
        fields = tuple(each for each in self.scene.labels.fields if unit and has_unit(each, unit))
        if len(fields) != 1:
            self.others.extend(range(start, bound.end))
            return False
        self.scene.assume(f"An amount in {unit} is taken as {fields[0].name}.")
        self._test(
            FieldTest(fields, bound.comparison, bound.values, start, bound.end + 1, named=True)
        )
        return True

    def _settle(self, *, at_end: bool) -> None:
        """Turn a field named without a value into a test of existence, or let it go."""
        pending, self.pending = self.pending, None
        if pending is None:
            return
        fields = tuple(each for each in pending.cue.fields if each is not self.scene.entity_field)
        if pending.cue.strength < 2:
            self.others.extend(range(pending.start, pending.end))
        elif fields and (at_end or self._possessed(pending.start) or self._participle(pending)):
            self._test(FieldTest(fields, "exists", (), pending.start, pending.end, named=True))
        elif fields and not self._only_verb(pending):
            self.others.extend(range(pending.start, pending.end))

    def _participle(self, pending: _Pending) -> bool:
        """Tell whether a passive verb names a field of persons: `were sponsored in 2015`."""
        before = self.tokens[pending.start - 1].low if pending.start else ""
        word = self.tokens[pending.start].low
        return before in AUXILIARIES and word.endswith("ed") and not self._only_verb(pending)

    def _only_verb(self, pending: _Pending) -> bool:
        """Tell whether a field's name is but the clause's verb: `decided` by somebody."""
        dates = all(each.field.type == "date" for each in pending.cue.fields)
        return dates or role_of_verb(self.tokens[pending.start].low) is not None

    def _possessed(self, start: int) -> bool:
        before = {token.low for token in self.tokens[max(0, start - 2) : start]}
        return not before.isdisjoint(
            {"have", "has", "had", "with", "a", "an", "any", "no", "without"}
        )

    def _own(self, cue: Cue, at: int, hits: tuple[Hit, ...], element: Element) -> tuple[Hit, ...]:
        named = [self.tokens[index].low for index in range(at, at + cue.size)]
        words = [token.low for token in self.tokens[element.start : element.end]]
        return hits_under(self.scene.labels, cue, named, words, hits)


def _proper(token: Token) -> bool:
    return token.capital or token.kind == "quote"


def _itemised(fields: Sequence[Facts], bound: Bound) -> bool:
    return any(
        item.casefold() == value.casefold()
        for each in fields
        for item, _ in each.field.values
        for value in bound.values
    )
