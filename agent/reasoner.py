"""The only seam to a language model: a reasoner reads a prompt and answers in a typed form."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, TypeVar

from pydantic import BaseModel, JsonValue

from agent.cost import Cost
from agent.errors import HeadcountError
from agent.value import Value

R = TypeVar("R", bound=BaseModel)

Ability = Literal["judge", "write", "choose"]
"""What a reasoner can do beyond interpreting a question: judge whether a passage meets a condition
and whether two names mean one thing; write questions, schemas, records, queries and passages;
choose a tool and assess its effect."""
ALL_ABILITIES: Final[frozenset[Ability]] = frozenset({"judge", "write", "choose"})


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptValues:
    """What a prompt was rendered from: every prompt has its own subclass, with its own fields."""


V = TypeVar("V", bound=PromptValues)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A rendered prompt, with the typed values it was rendered from."""

    name: str
    """The prompt's file name without suffix, e.g. `judge`."""
    digest: str
    """SHA-256 of the template, so that a trace tells which wording was used."""
    text: str
    """What a model reads."""
    values: PromptValues = field(hash=False, compare=False)
    """What an embedded reasoner reads."""
    unused: frozenset[str] = frozenset()
    """Members of the reply, each with a default, that this prompt has no use for: a model is not
    asked for them."""

    def values_as(self, kind: type[V]) -> V:
        """Return the values as a kind of prompt's; raises TypeError where they are another's."""
        if not isinstance(self.values, kind):
            raise TypeError(
                f"{self.name!r} holds {type(self.values).__name__}, not {kind.__name__}"
            )
        return self.values


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as it is offered to a reasoner."""

    name: str
    description: str
    arguments: type[BaseModel]


class ToolCall(Value):
    """A tool chosen by a reasoner, its arguments already validated."""

    tool: str
    arguments: dict[str, JsonValue]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """A request of `ask_many` that brought no usable reply; the others are not affected."""

    error: HeadcountError


class Reasoner(Protocol):
    """Whatever can read a prompt: a chat model, the lexical reader, a script, a recording."""

    @property
    def name(self) -> str:
        """The model's or the implementation's name, as cited in answers."""

    @property
    def reply_tokens(self) -> int:
        """How many tokens a reply may have."""

    @property
    def context_tokens(self) -> int:
        """How many tokens a prompt and its reply may have together."""

    @property
    def paid(self) -> bool:
        """Whether a request costs money or a model's time."""

    @property
    def abilities(self) -> frozenset[Ability]:
        """What it can do; a graph asks for nothing else."""

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Answer the prompt; raise ModelError, ProviderError or LimitReached."""

    def ask_many(self, prompts: Sequence[Prompt], reply: type[R]) -> list[R | Failure]:
        """Answer all prompts with bounded concurrency, in order, each on its own."""

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Choose one tool and its arguments; raise as `ask` does."""

    def spent(self) -> Cost:
        """Return what this reasoner has spent so far."""
