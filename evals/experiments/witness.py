"""A reasoner that remembers which chunks it was shown, whatever system shows them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import TypeVar

from pydantic import BaseModel

from agent.cost import Cost
from agent.errors import HeadcountError, LimitReached
from agent.evidence import Passage
from agent.reasoner import Ability, Failure, Prompt, Reasoner, ToolCall, ToolSpec

__all__ = ("Witness",)

R = TypeVar("R", bound=BaseModel)
T = TypeVar("T")
_SAMPLES = frozenset({"plan", "observe"})
"""Prompts that show excerpts to choose a filter by: these are not read for evidence."""


class Witness:
    """Passes everything on, and notes the chunks of the passages in each prompt's values."""

    def __init__(self, inner: Reasoner) -> None:
        self._inner = inner
        self._shown: dict[int, None] = {}

    @property
    def shown(self) -> list[int]:
        """The chunks in the order in which they were first shown."""
        return list(self._shown)

    @property
    def name(self) -> str:
        """Say who reads."""
        return self._inner.name

    @property
    def reply_tokens(self) -> int:
        """Say how many tokens a reply may have."""
        return self._inner.reply_tokens

    @property
    def context_tokens(self) -> int:
        """Say how many tokens a prompt and its reply may have together."""
        return self._inner.context_tokens

    @property
    def paid(self) -> bool:
        """Say whether a request costs money or a model's time."""
        return self._inner.paid

    @property
    def abilities(self) -> frozenset[Ability]:
        """What the inner reasoner can do."""
        return self._inner.abilities

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Pass the prompt on and note the passages, unless a limit kept it from being sent."""
        return self._sent(prompt, lambda: self._inner.ask(prompt, reply))

    def ask_many(self, prompts: Sequence[Prompt], reply: type[R]) -> list[R | Failure]:
        """Pass the prompts on and note the passages of those that no limit kept back."""
        replies = self._inner.ask_many(prompts, reply)
        for prompt, each in zip(prompts, replies, strict=True):
            if not (isinstance(each, Failure) and isinstance(each.error, LimitReached)):
                self._note(prompt)
        return replies

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Pass the choice on and note the passages, unless a limit kept it from being sent."""
        return self._sent(prompt, lambda: self._inner.choose(prompt, tools))

    def tokens(self, prompt: Prompt, reply: type[BaseModel]) -> int:
        """Estimate as the reasoner does."""
        return self._inner.tokens(prompt, reply)

    def affords(self, sent: int, received: int) -> bool:
        """Tell what the reasoner's budget pays for."""
        return self._inner.affords(sent, received)

    def spent(self) -> Cost:
        """Return what the reasoner has spent."""
        return self._inner.spent()

    def charge(self, cost: Cost) -> None:
        """Put another's cost on the reasoner's bill."""
        self._inner.charge(cost)

    def _sent(self, prompt: Prompt, send: Callable[[], T]) -> T:
        try:
            replied = send()
        except LimitReached:
            raise
        except HeadcountError:
            self._note(prompt)
            raise
        self._note(prompt)
        return replied

    def _note(self, prompt: Prompt) -> None:
        if prompt.name not in _SAMPLES:
            self._shown |= dict.fromkeys(_chunks(prompt))


def _chunks(prompt: Prompt) -> Iterator[int]:
    for held in fields(prompt.values):
        value = getattr(prompt.values, held.name)
        if isinstance(value, Sequence) and not isinstance(value, str | bytes):
            yield from (each.chunk for each in value if isinstance(each, Passage))
