"""The conditions of a question while they are read: what is negated, what is an alternative."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agent.reasoners.rules.records.querying.assembling import Condition
from agent.reasoners.rules.records.querying.lexicon import Target
from agent.reasoners.rules.records.querying.reading import Reading
from agent.records.query_plan import Column, Test
from agent.records.record_schema import AttributeType

__all__ = ("Clauses",)


@dataclass(slots=True)
class Clauses:
    """Conditions as they are read, and where the reader stands."""

    reading: Reading
    base: str
    """The kind asked for."""
    focus: str
    """The kind that was named last."""
    found: list[Condition] = field(default_factory=list)
    scope: int = 0
    """The negation read now; 0 outside of any."""
    denials: list[tuple[int, str]] = field(default_factory=list)
    """Negations with the words that began them."""
    either: bool = False
    """Whether `or` has just been read."""
    _scopes: int = 0
    _groups: int = 0

    def deny(self) -> None:
        """Begin a negation."""
        self._scopes += 1
        self.scope = self._scopes

    def add(
        self,
        kind: str,
        at: int,
        test: Test | None = None,
        *,
        at_least: int = 1,
        at_most: int | None = None,
    ) -> None:
        """Keep a condition; behind `or` it is an alternative to the one before."""
        group = self._joined() if self.either and self._alternative(test) else 0
        self.either = False
        self.found.append(Condition(kind, at, test, self.scope, group, at_least, at_most))

    def column(
        self, targets: Sequence[Target], types: Sequence[AttributeType] = ()
    ) -> Column | None:
        """Return the column meant where the reader stands."""
        near = (self.focus, self.base)
        return self.reading.choose(targets, near=near, types=types)

    def _alternative(self, test: Test | None) -> bool:
        return bool(self.found) and test is not None and self.found[-1].test is not None

    def _joined(self) -> int:
        before = self.found[-1]
        if not before.group:
            self._groups += 1
            self.found[-1] = replace(before, group=self._groups)
        return self.found[-1].group
