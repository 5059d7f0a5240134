"""Simulated users: they reply to what is asked back, through the very interface of a person.

All know the reading that they want. They differ in what they can say of it; which option means it,
each of them tells (`Intent.option`), but the one who never knows.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args

from pydantic import BaseModel, ConfigDict

from agent.ambiguity import Clarification, Exchange, Option, Reply
from agent.cost import Cost
from agent.errors import HeadcountError, RunError, SettingsError
from agent.policy import Policy
from agent.reasoner import Prompt, PromptValues, Reasoner
from evals.ambiguity.cases import Case, Intended
from evals.ambiguity.sameness import same
from evals.intent import Intent
from evals.questions import Record
from evals.readers import checked_reader, reader_of, settings_of
from evals.scores import normalised_error

if TYPE_CHECKING:
    from agent.answer import Answer
    from agent.settings import Settings
    from graphs.sessions import Event, Session
    from tools.corpus.corpus import Corpus

__all__ = (
    "USERS",
    "Articulate",
    "Contradicting",
    "Conversation",
    "MakeUser",
    "Opener",
    "Played",
    "PlayedReply",
    "Scripted",
    "Terse",
    "Trial",
    "Trier",
    "Unsure",
    "User",
    "UserName",
    "converse",
    "opener_of",
    "user_of",
)


class User(Protocol):
    """Whoever replies to what is asked back."""

    def reply(self, asked: Clarification) -> Reply:
        """Reply, by the number of an option or in words."""
        ...


UserName = Literal["scripted", "articulate", "terse", "contradicting", "unsure", "model"]
USERS: tuple[UserName, ...] = get_args(UserName)
_PROMPT = "user.md"


@dataclass(frozen=True, slots=True)
class Scripted:
    """Chooses the option that means what is intended, else says its reading in words.

    It knows its reading, and neither what the asker cannot tell nor how to put a question that
    leaves nothing open. Asked about a threshold or a time, it says that limit, and what is limited
    where no option shows it. Asked what it wants, or about anything else, it says its reading where
    that departs from its question, as one phrase: `at least 5 authors`, `reports are open and have
    the kind audit or survey`.
    """

    intent: Intent

    def reply(self, asked: Clarification) -> Reply:
        """Reply."""
        place = self.intent.option(asked.options)
        if place is not None:
            return Reply(choice=place + 1)
        return Reply(text=self.intent.settles(asked))


@dataclass(frozen=True, slots=True)
class Articulate:
    """Chooses the option that means what is intended, else puts its whole question anew.

    It is the upper limit of what anyone can reply: whoever says it has done the rewriting.
    """

    intent: Intent

    def reply(self, asked: Clarification) -> Reply:
        """Reply."""
        place = self.intent.option(asked.options)
        return Reply(text=self.intent.meant) if place is None else Reply(choice=place + 1)


@dataclass(frozen=True, slots=True)
class Terse:
    """Chooses by number; in words, says the fewest: a bare number, or the words left out.

    Where options are numbered, a bare number would be one of them, so that it says its reading as
    `Scripted` does; so it does when the same is asked again.
    """

    intent: Intent
    heard: list[Clarification] = field(default_factory=list, compare=False)

    def reply(self, asked: Clarification) -> Reply:
        """Reply."""
        place = self.intent.option(asked.options)
        if place is not None:
            return Reply(choice=place + 1)
        again = asked in self.heard
        self.heard.append(asked)
        fewest = self.intent.fewest
        if again or (asked.options and fewest[0].isdigit()):
            return Reply(text=self.intent.settles(asked))
        return Reply(text=fewest)


@dataclass(frozen=True, slots=True)
class Contradicting:
    """Says one thing and then, in the same breath, what is intended; the last word counts."""

    intent: Intent

    def reply(self, asked: Clarification) -> Reply:
        """Reply."""
        place = self.intent.option(asked.options)
        others = [each for at, each in enumerate(asked.options) if at != place]
        meant = self.intent.meant if place is None else asked.options[place].label
        first = f"{others[0].label}. " if others else "It does not matter. "
        return Reply(text=f"{first}No, wait, not that: {meant}")


@dataclass(frozen=True, slots=True)
class Unsure:
    """Never knows."""

    def reply(self, asked: Clarification) -> Reply:  # noqa: ARG002 - the form of all users
        """Reply."""
        return Reply(text="I don't know")


class PlayedReply(BaseModel):
    """What the person says."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    reason: str
    """In one sentence, which option asks for exactly what is in mind, or why none does."""
    choice: int | None
    """The number of the option that says what is in mind, or null where none does."""
    text: str
    """The reply in words where no option was chosen, else empty."""


@dataclass(frozen=True, slots=True)
class Played:
    """Played by a model that knows what is intended, and tells no more than it is asked."""

    intent: Intent
    reasoner: Reasoner

    def reply(self, asked: Clarification) -> Reply:
        """Ask the model to reply; a choice that does not exist is taken as its words.

        Raises:
            HeadcountError: as the reasoner does.
        """
        told = self.reasoner.ask(self.prompt(asked), PlayedReply)
        if told.choice is not None and 1 <= told.choice <= len(asked.options):
            return Reply(choice=told.choice)
        return Reply(text=told.text.strip() or "I don't know")

    def prompt(self, asked: Clarification) -> Prompt:
        """Return what the model is asked."""
        template, digest = _template()
        text = template.substitute(
            question=self.intent.asked,
            meant=self.intent.meant,
            asked=asked.question,
            options=_listed(asked.options) or "(none: reply in words)",
        )
        return Prompt(name="user", digest=digest, text=text, values=PromptValues())


def user_of(name: UserName, intent: Intent, reasoner: Reasoner | None = None) -> User:
    """Return the user of that name.

    Raises:
        SettingsError: a model is to play it, and there is none.
    """
    if name == "model":
        if reasoner is None:
            raise SettingsError("a user played by a model needs a model")
        return Played(intent, reasoner)
    kinds: Mapping[str, Callable[[Intent], User]] = {
        "scripted": Scripted,
        "articulate": Articulate,
        "terse": Terse,
        "contradicting": Contradicting,
        "unsure": lambda _: Unsure(),
    }
    return kinds[name](intent)


def _listed(options: tuple[Option, ...]) -> str:
    return "\n".join(
        f"{number}. {each.label}: {each.meaning}" for number, each in enumerate(options, start=1)
    )


def _template() -> tuple[Template, str]:
    import hashlib

    text = files("evals").joinpath("data", _PROMPT).read_text(encoding="utf-8")
    return Template(text), hashlib.sha256(text.encode()).hexdigest()


_PATIENCE = 12
"""Replies that one question may take."""


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


MakeUser = Callable[[Intent], User]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """How one intended reading was answered."""

    meant: str
    expected: float
    value: float | None = None
    right: bool = False
    """Whether the answer is the reading's; see `evals.ambiguity.sameness`."""
    exchanges: tuple[Exchange, ...] = ()
    questions: int = 0
    """Different questions asked back."""
    cost: Cost = field(default_factory=Cost)
    seconds: float = 0.0
    error: str = ""

    @property
    def turns(self) -> int:
        """Replies that were given."""
        return len(self.exchanges)

    @property
    def offered(self) -> bool:
        """Whether the answer came from options alone, nothing being said in words."""
        chosen = [each.reply.choice is not None for each in self.exchanges]
        return self.right and bool(chosen) and all(chosen)

    @property
    def nace(self) -> float:
        """The normalised count error; see `evals.scores.normalised_error`."""
        return normalised_error(self.value, self.expected)


@dataclass(frozen=True, slots=True)
class Trier:
    """Lets a user want each reading of a question; what was executed once is remembered."""

    opener: Opener
    make: MakeUser
    executed: dict[tuple[str, str], "Answer | None"] = field(default_factory=dict)

    def tries(self, case: Case, corpus: "Corpus", policy: Policy) -> list[Trial]:
        """Try every reading whose answer is known, in order."""
        return [
            self._try(case, meant, meant.number, corpus, policy)
            for meant in case.intended
            if meant.number is not None
        ]

    def _try(
        self, case: Case, meant: Intended, expected: float, corpus: "Corpus", policy: Policy
    ) -> Trial:
        """Try one; whatever goes wrong is its result, and the others are still tried."""
        trial = Trial(meant=meant.question, expected=expected)
        try:
            return self._tried(case, meant, trial, corpus, policy)
        except Exception as error:  # noqa: BLE001 - a fault of what is measured is a measurement
            return replace(trial, error=f"{type(error).__name__}: {error}")

    def _tried(
        self, case: Case, meant: Intended, trial: Trial, corpus: "Corpus", policy: Policy
    ) -> Trial:
        with self.opener.session(corpus, policy, case.record) as session:
            paid = session.context.reasoner.paid
            intent = Intent(
                asked=case.question,
                meant=meant.question,
                number=meant.number,
                comes=None if paid else lambda told: self._comes(told, meant, corpus, policy),
            )
            talk = converse(session, case.question, self.make(intent))
        return _told(trial, talk, meant, corpus)

    def _comes(
        self, question: str, meant: Intended, corpus: "Corpus", policy: Policy
    ) -> bool | None:
        """Say whether a question, taken as it stands, comes to what the reading does."""
        key = (corpus.digest, question)
        if key not in self.executed:
            self.executed[key] = self._executed(question, corpus, policy)
        answer = self.executed[key]
        return None if answer is None else same(answer, meant, corpus)

    def _executed(self, question: str, corpus: "Corpus", policy: Policy) -> "Answer | None":
        literal = policy.model_copy(update={"on_ambiguity": "assume", "disambiguation": "none"})
        try:
            with self.opener.session(corpus, literal) as session:
                return converse(session, question, Unsure()).answer
        except HeadcountError:
            return None


def _told(trial: Trial, talk: Conversation, meant: Intended, corpus: "Corpus") -> Trial:
    value = talk.answer.value
    return replace(
        trial,
        value=None if isinstance(value, dict) else value,
        right=same(talk.answer, meant, corpus),
        exchanges=talk.exchanges,
        questions=talk.questions,
        cost=talk.answer.cost,
        seconds=talk.seconds,
    )
