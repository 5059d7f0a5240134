"""One clause's words bound to fields and values, from left to right."""

from dataclasses import dataclass

from agent.question import Node
from agent.reasoners.rules.language.bounds import Bound
from agent.reasoners.rules.reading.bound_amounts import bind_amount, bind_by_unit, count_of
from agent.reasoners.rules.reading.bound_fields import claim, settle
from agent.reasoners.rules.reading.bound_values import bind_values
from agent.reasoners.rules.reading.choosing import choose_fields, spared
from agent.reasoners.rules.reading.elements import Element, Joint, Light, Negation, Other, Values
from agent.reasoners.rules.reading.field_tests import joined
from agent.reasoners.rules.reading.labels import Cue
from agent.reasoners.rules.reading.other_words import take_other
from agent.reasoners.rules.reading.reading import Pending, Reading

__all__ = ("Binding",)


@dataclass(slots=True)
class Binding(Reading):
    """Reads elements in order and binds each value and amount to a field."""

    def add(self, element: Element) -> None:
        """Take the next element."""
        if element.start < self.until:
            return
        match element.what:
            case Cue() as cue:
                self._cue(cue, element)
            case Values(hits):
                bind_values(self, hits, element)
            case Bound() as bound:
                bind_amount(self, bound, element)
            case Other():
                take_other(self, element)
            case Joint() | Negation() | Light() as small:
                self._small(small, element)

    def _small(self, what: Joint | Negation | Light, element: Element) -> None:
        """Take a word that names nothing itself."""
        within = isinstance(what, Negation) and what.within
        if (isinstance(what, Joint | Negation) and not within) or self._turns(what, element):
            settle(self, at_end=True)
        match what:
            case Joint(word):
                self.joint = word
            case Negation():
                self.denying, self.excepting = True, within
            case Light():
                self.both = self.both or self.tokens[element.start].low == "both"

    def _turns(self, what: Joint | Negation | Light, element: Element) -> bool:
        """Tell whether a clause of its own begins: a relative, or `were` behind `without a X`."""
        if isinstance(what, Light) and what.relative:
            return True
        finite = self.tokens[element.start].low in {"is", "are", "was", "were", "have", "has"}
        return self.denying and finite and not self.tests

    def _cue(self, cue: Cue, element: Element) -> None:
        if self.waiting is not None and count_of(self, cue, element):
            return
        if self.waiting is not None and cue.strength < 2:
            take_other(self, element)
            return
        if claim(self, cue, element):
            return
        settle(self, at_end=False)
        self.pending = Pending(cue, element.start, element.end)

    def finish(self) -> tuple[Node | None, list[int]]:
        """Return the clause's tree and the indexes of the words left over."""
        settle(self, at_end=True)
        if self.waiting is not None:
            bind_by_unit(self, self.waiting[0], self.waiting[1])
        choose_fields(self.tests, self.tokens, self.scene)
        left = [
            index
            for index in self.others
            if not spared(index, self.others, self.tests, self.tokens)
        ]
        return (joined(self.tests, modifier=self.modifier) if self.tests else None), left
