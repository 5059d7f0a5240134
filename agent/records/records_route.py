"""By which way a question is answered: from the records, from the texts, or from both."""

from typing import Literal

from agent.records.record_replies import QueryReply
from agent.value import Value

RoutePath = Literal["records", "hybrid", "text"]


class Planned(Value):
    """A query that answers the question, one of its readings, or one of its conditions."""

    of: str
    """The reading's number; on the hybrid way the condition's id."""
    reply: QueryReply


class Decided(Value):
    """What the records say of one condition, document by document."""

    condition: str
    holds: str
    """The documents of which it holds, as an id set of the run store."""
    unknown: str
    """The documents of which they say nothing, as an id set: the texts decide there."""
    known: bool
    """Whether there are none such: then no text is read for the condition."""


class Route(Value):
    """The way that was chosen, and why."""

    path: RoutePath
    why: str
    planned: tuple[Planned, ...] = ()
    """The queries that the way needs; empty for text."""
    decided: tuple[Decided, ...] = ()
    """What the records decided on the hybrid way."""
    left: str = ""
    """Why an earlier choice was given up; empty where the first one was kept."""
    missing: str = ""
    """What the question needs and the records state nothing of; empty where they have it all."""

    @property
    def settled(self) -> frozenset[str]:
        """The conditions that no text is read for."""
        return frozenset(each.condition for each in self.decided if each.known)
