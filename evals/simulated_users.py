"""A simulated user replies to what is asked back, through the very interface of a person.

It knows the reading that it wants, and which option means it (`Intent.option`).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from agent.ambiguity import Clarification, Exchange, Option, Reply
from agent.answer import Answer
from agent.cost import Cost
from agent.errors import RunError
from agent.policy import Policy
from evals.names import DocumentNames, departure, token_f1, tokens
from evals.questions import AnnotatedReading, Record
from evals.readers import reader_of, settings_of
from evals.scores import is_exact, normalised_error, predicted_documents
from graphs.context import Context, new_run_id
from graphs.runs.beside import serializer
from graphs.runs.run_session import Event
from graphs.sessions import Session
from tools.corpus.corpus import Corpus

_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?")
_ALIKE = 0.5
"""The token F1 from which on words can mean the same."""
_PATIENCE = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """A question as it was asked, and as it was meant."""

    asked: str
    meant: str
    number: float | None = None
    """Its result, to be compared with the result that an option states."""

    def option(self, options: Sequence[Option]) -> int | None:
        """Return the place of the option that means it, the nearest in words; None where none does.

        That is among those whose stated answer is the one in mind; else, of options whose answer is
        not known, among those that are near enough and name no number that is not in mind.
        """
        tried = {place: self._outcome(each) for place, each in enumerate(options)}
        alike = [token_f1(each.meaning, self.meant) for each in options]
        right = [place for place, outcome in tried.items() if outcome]
        if right:
            return max(right, key=alike.__getitem__)
        said = _numbers(self.meant) | _numbers(self.asked)
        open_ = [place for place, outcome in tried.items() if outcome is None]
        fit = [place for place in open_ if _numbers(options[place].meaning) <= said]
        best = max((alike[place] for place in fit), default=0.0)
        nearest = [place for place in fit if alike[place] == best >= _ALIKE]
        return nearest[0] if len(nearest) == 1 else None

    def _outcome(self, option: Option) -> bool | None:
        """Say whether an option's answer is the one in mind, as far as that can be known."""
        exact = _NUMBER.fullmatch(option.estimate)
        return None if self.number is None or not exact else float(exact[0]) == self.number


def _numbers(text: str) -> set[str]:
    return {word.replace(",", "") for word in tokens(text) if word[0].isdigit()}


def scripted(intent: Intent, asked: Clarification) -> Reply:
    """Choose the option that means what is intended, else say the words where it departs.

    Of `How many have at least 5 authors?` for `… many authors?` these are `at least 5`.
    """
    place = intent.option(asked.options)
    if place is None:
        return Reply(text=departure(intent.asked, intent.meant))
    return Reply(choice=place + 1)


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks questions as the product does, by its settings; whoever asks is asked back."""

    reasoner: str
    place: Path
    """Where replies that were paid for are kept."""

    @property
    def policy(self) -> Policy:
        """The policy of the settings; raises SettingsError where they cannot be used."""
        return settings_of(self.reasoner, on_ambiguity="ask").policy()

    def session(self, corpus: Corpus, policy: Policy, record: Record) -> Session:
        """Return a session of its own, the budget beginning anew; its checkpoints are in memory."""
        from langgraph.checkpoint.memory import InMemorySaver

        corpus.runs.mkdir(parents=True, exist_ok=True)
        cache = self.place / "responses.sqlite"
        reader = reader_of(self.reasoner, record, corpus, cache=cache)
        context = Context(corpus=corpus, reasoner=reader, policy=policy)
        return Session(context, InMemorySaver(serde=serializer()))

    def tries(self, record: Record, corpus: Corpus, policy: Policy) -> tuple["Trial", ...]:
        """Let a user want every reading whose answer is known, in order."""
        known = (each for each in record.readings if each.number is not None)
        return tuple(self._try(record, meant, corpus, policy) for meant in known)

    def _try(
        self, record: Record, meant: AnnotatedReading, corpus: Corpus, policy: Policy
    ) -> "Trial":
        """Try one; whatever goes wrong is its result, and the others are still tried."""
        trial = Trial(meant=meant.rewritten, expected=meant.number or 0.0)
        intent = Intent(asked=record.question, meant=meant.rewritten, number=meant.number)
        try:
            with self.session(corpus, policy, record) as session:
                answer, exchanges = converse(session, record.question, partial(scripted, intent))
        except Exception as error:  # noqa: BLE001 - a fault of what is measured is a measurement
            return replace(trial, error=f"{type(error).__name__}: {error}")
        return replace(
            trial,
            value=None if isinstance(answer.value, dict) else answer.value,
            right=same(answer, meant, corpus),
            exchanges=exchanges,
            cost=answer.cost,
        )


def converse(
    session: Session, question: str, user: Callable[[Clarification], Reply]
) -> tuple[Answer, tuple[Exchange, ...]]:
    """Ask, and let the user reply until there is an answer.

    Return it with what was asked back and replied; a question that was put again occurs again.
    """
    run = new_run_id()
    exchanges: list[Exchange] = []
    asked = _waiting(session.start(question, run=run))
    while asked is not None:
        if len(exchanges) == _PATIENCE:
            raise RunError(f"after {_PATIENCE} replies the run still asks: {asked.question}")
        reply = user(asked)
        exchanges.append(Exchange(asked=asked, reply=reply))
        asked = _waiting(session.reply(run, reply))
    return session.outcome(run), tuple(exchanges)


def _waiting(events: Iterator[Event]) -> Clarification | None:
    """Follow the run to its end, or to where it asks; return what it asks, as a person is shown."""
    shown: dict[str, Any] | None = None
    for event in events:
        if event["kind"] == "waiting":
            shown = event["asked"]
    if shown is None:
        return None
    told = {name: shown[name] for name in Clarification.model_fields if name in shown}
    return Clarification.model_validate(told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """How one intended reading was answered."""

    meant: str
    expected: float
    value: float | None = None
    right: bool = False
    """Whether the answer is the reading's; see `same`."""
    exchanges: tuple[Exchange, ...] = ()
    cost: Cost = field(default_factory=Cost)
    error: str = ""

    @property
    def questions(self) -> int:
        """How many different questions were asked back."""
        return len({each.asked.model_dump_json() for each in self.exchanges})

    @property
    def turns(self) -> int:
        """Replies that were given."""
        return len(self.exchanges)

    @property
    def calls(self) -> int:
        """Requests to a reasoner, those included that its cache answered."""
        return self.cost.model_calls + self.cost.cached_calls

    @property
    def errors(self) -> bool:
        """Whether it ended without an answer."""
        return bool(self.error)

    @property
    def nace(self) -> float:
        """The normalised count error; see `evals.scores.normalised_error`."""
        return normalised_error(self.value, self.expected)


def same(answer: Answer, meant: AnnotatedReading, corpus: Corpus) -> bool:
    """Say whether an answer is what the reading comes to.

    The number is right; where all documents of the reading are known, so are the documents.
    """
    if answer.status != "answered" or meant.number is None:
        return False
    value = None if isinstance(answer.value, dict) else answer.value
    measured = not float(meant.number).is_integer()
    if not is_exact(value, meant.number, measured=measured):
        return False
    known = DocumentNames(corpus.documents)
    if meant.documents is None or any(known.find(name) is None for name in meant.documents):
        return True
    return known.keys(predicted_documents(answer)) == known.keys(meant.documents)
