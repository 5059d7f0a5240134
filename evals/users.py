"""Simulated users: they reply to what is asked back, through the very interface of a person.

All know the reading that they want. They differ in what they can say of it; which option means it,
each of them tells (`Intent.option`), but the one who never knows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from string import Template
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict

from agent.ambiguity import Clarification, Option, Reply
from agent.errors import SettingsError
from agent.reasoner import Prompt, PromptValues, Reasoner
from evals.conversation import User
from evals.intent import Intent

__all__ = (
    "USERS",
    "Articulate",
    "Contradicting",
    "Played",
    "PlayedReply",
    "Scripted",
    "Terse",
    "Unsure",
    "UserName",
    "user_of",
)

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
