"""How far one clause is read: the tests so far and what waits for its value."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agent.reasoners.rules.language.bounds import Bound
from agent.reasoners.rules.language.words import Token
from agent.reasoners.rules.reading.elements import Element
from agent.reasoners.rules.reading.field_tests import FieldTest
from agent.reasoners.rules.reading.kinship import hits_under
from agent.reasoners.rules.reading.labels import Cue, Hit
from agent.reasoners.rules.reading.roles import PREPOSITION_ROLES, Role
from agent.reasoners.rules.reading.scene import Scene

__all__ = ("Pending", "Reading")


@dataclass(frozen=True, slots=True)
class Pending:
    """A field that is named and waits for its value; where its name starts and ends."""

    cue: Cue
    start: int
    end: int


@dataclass(slots=True)
class Reading:
    """The clause's words, the tests read from them, and what still waits for a word to come."""

    tokens: Sequence[Token]
    scene: Scene
    modifier: bool
    tests: list[FieldTest] = field(default_factory=list)
    others: list[int] = field(default_factory=list)
    pending: Pending | None = None
    waiting: tuple[Bound, int] | None = None
    joint: str = ""
    denying: bool = False
    excepting: bool = False
    """Whether values of one field are left out, as in `outside Graz`: it denies no other field."""
    both: bool = False
    """Whether `both` was said: the values joined by `and` must all hold."""
    until: int = 0
    """Tokens before this index are consumed by a run that was read ahead."""

    def record(self, test: FieldTest) -> None:
        """Add a test, joined and denied as the words before it say."""
        chained = bool(self.joint) and bool(self.tests)
        denied = self.denying or (chained and self._goes_on(test))
        excepting = self.excepting if self.denying else denied and self.tests[-1].excepting
        both = self.both and self.joint == "and"
        self.tests.append(
            replace(test, joint=self.joint, denied=denied, excepting=excepting, both=both)
        )
        self.joint = ""
        self.denying = self.excepting = False

    def _goes_on(self, test: FieldTest) -> bool:
        """Tell whether what denies the last test denies this one, which a joint joins to it."""
        last = self.tests[-1]
        shared = {each.name for each in last.facts} & {each.name for each in test.facts}
        return last.denied and self.joint != "but" and (bool(shared) or not last.excepting)

    def role_before(self, start: int) -> Role | None:
        """Return the role that the words before the token `start` give to what begins there."""
        for index in range(start - 1, max(-1, start - 3), -1):
            if (role := PREPOSITION_ROLES.get(self.tokens[index].low)) is not None:
                return role
        before = [token.low for token in self.tokens[max(0, start - 2) : start]]
        return "topic" if before and before[-1] == "on" else None

    def own_hits(
        self, cue: Cue, at: int, hits: tuple[Hit, ...], element: Element
    ) -> tuple[Hit, ...]:
        """Return the hits that belong to the fields named at the token `at`."""
        named = [self.tokens[index].low for index in range(at, at + cue.size)]
        words = [token.low for token in self.tokens[element.start : element.end]]
        return hits_under(self.scene.labels, cue, named, words, hits)
