"""A question put through the interface of a person: asked back, replied to, answered."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from agent.ambiguity import Clarification, Exchange, Reply
from agent.errors import RunError

if TYPE_CHECKING:
    from agent.answer import Answer
    from agent.policy import Policy
    from agent.settings import Settings
    from graphs.sessions import Event, Session
    from tools.corpus.corpus import Corpus

from evals.questions import Record
from evals.readers import checked_reader, reader_of, settings_of

__all__ = ("Conversation", "Opener", "User", "converse", "opener_of")

_PATIENCE = 12
"""Replies that one question may take."""


class User(Protocol):
    """Whoever replies to what is asked back."""

    def reply(self, asked: Clarification) -> Reply:
        """Reply, by the number of an option or in words."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Opener:
    """Opens sessions as the product does, by its settings."""

    reasoner: str
    """As `--reasoner` names it."""
    settings: "Settings"
    responses: Path
    """Where replies that were paid for are kept."""

    def session(
        self, corpus: "Corpus", policy: "Policy | None" = None, record: Record | None = None
    ) -> "Session":
        """Return a session of its own, the budget beginning anew; its checkpoints are in memory."""
        from langgraph.checkpoint.memory import InMemorySaver

        from graphs.context import Context
        from graphs.runs.beside import serializer
        from graphs.sessions import Session

        corpus.runs.mkdir(parents=True, exist_ok=True)
        context = Context(
            corpus=corpus,
            reasoner=reader_of(self.reasoner, record, corpus, cache=self.responses),
            policy=policy or self.settings.policy(),
        )
        return Session(context, InMemorySaver(serde=serializer()))


def opener_of(reasoner: str, place: Path) -> Opener:
    """Return what opens sessions with a reasoner, by the settings; whoever asks is asked back.

    Raises:
        SettingsError: the settings cannot be used, or the reasoner cannot be made from them.
    """
    settings = settings_of(checked_reader(reasoner), on_ambiguity="ask")
    return Opener(reasoner=reasoner, settings=settings, responses=place / "responses.sqlite")


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """How a question was answered."""

    answer: "Answer"
    exchanges: tuple[Exchange, ...]
    """What was asked back and replied, in order; a question that was put again occurs again."""
    seconds: float
    """From the question to the answer, the user's time not counted."""

    @property
    def questions(self) -> int:
        """How many different questions were asked back."""
        return len({each.asked.model_dump_json() for each in self.exchanges})


def converse(session: "Session", question: str, user: User) -> Conversation:
    """Ask, and let the user reply until there is an answer.

    Raises:
        HeadcountError: whatever the graph raises; RunError where it never stops asking.
    """
    from graphs.context import new_run_id

    run = new_run_id()
    exchanges: list[Exchange] = []
    began, spared = time.perf_counter(), 0.0
    asked = _waiting(session.start(question, run=run))
    while asked is not None:
        if len(exchanges) == _PATIENCE:
            raise RunError(f"after {_PATIENCE} replies the run still asks: {asked.question}")
        paused = time.perf_counter()
        reply = user.reply(asked)
        spared += time.perf_counter() - paused
        exchanges.append(Exchange(asked=asked, reply=reply))
        asked = _waiting(session.reply(run, reply))
    return Conversation(
        answer=session.outcome(run),
        exchanges=tuple(exchanges),
        seconds=time.perf_counter() - began - spared,
    )


def _waiting(events: "Iterator[Event]") -> Clarification | None:
    """Follow the run to its end, or to where it asks; return what it asks, as a person is shown."""
    shown: dict[str, Any] | None = None
    for event in events:
        if event["kind"] == "waiting":
            shown = event["asked"]
    if shown is None:
        return None
    told = {name: shown[name] for name in Clarification.model_fields if name in shown}
    return Clarification.model_validate(told)
