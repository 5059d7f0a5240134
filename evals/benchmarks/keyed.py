"""A chat model that knows the answers: each prompt is sent with the reply of another reasoner."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, TypeVar

from pydantic import BaseModel

from agent.cost import Cost
from agent.reasoner import ALL_ABILITIES, Failure, Prompt, Reasoner, ToolCall, ToolSpec
from evals.benchmarks.answer_key import with_answer

__all__ = ("KeyedReasoner",)

R = TypeVar("R", bound=BaseModel)


class KeyedReasoner:
    """Sends what a chat reasoner sends, to a server that replies with the answer in the prompt.

    The answers are an oracle's, one that costs nothing; `aside` are the seconds it took, so that
    they can be left out of what is timed.
    """

    paid: Final = True
    abilities: Final = ALL_ABILITIES

    def __init__(
        self, chat: Reasoner, oracle: Reasoner, *, see: Callable[[Prompt], object] | None = None
    ) -> None:
        """Let `chat` ask and `oracle` answer; `see` is shown every judging prompt as sent."""
        self.aside = 0.0
        self.judged = 0
        """Judging prompts sent."""
        self._chat = chat
        self._oracle = oracle
        self._see = see

    @property
    def name(self) -> str:
        """As the chat model."""
        return self._chat.name

    @property
    def reply_tokens(self) -> int:
        """As the chat model."""
        return self._chat.reply_tokens

    @property
    def context_tokens(self) -> int:
        """As the chat model."""
        return self._chat.context_tokens

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Ask with the oracle's reply."""
        with self._aside():
            keyed = self._keyed(prompt, self._oracle.ask(prompt, reply))
        return self._chat.ask(keyed, reply)

    def ask_many(self, prompts: Sequence[Prompt], reply: type[R]) -> list[R | Failure]:
        """Ask with the oracle's replies, all at once; raise what the oracle fails with."""
        with self._aside():
            keyed = [self._keyed(each, self._oracle.ask(each, reply)) for each in prompts]
        return self._chat.ask_many(keyed, reply)

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Choose as the oracle does."""
        with self._aside():
            keyed = self._keyed(prompt, self._oracle.choose(prompt, tools))
        return self._chat.choose(keyed, tools)

    def tokens(self, prompt: Prompt, reply: type[BaseModel]) -> int:
        """Estimate as the chat model does."""
        return self._chat.tokens(prompt, reply)

    def affords(self, sent: int, received: int) -> bool:
        """Tell what the chat model's budget pays for."""
        return self._chat.affords(sent, received)

    def spent(self) -> Cost:
        """Return what the chat reasoner spent."""
        return self._chat.spent()

    def charge(self, cost: Cost) -> None:
        """Count what another reasoner spent on the same bill."""
        self._chat.charge(cost)

    def _keyed(self, prompt: Prompt, answer: BaseModel) -> Prompt:
        keyed = replace(prompt, text=with_answer(prompt.text, answer.model_dump_json()))
        if prompt.name == "judge":
            self.judged += 1
            if self._see is not None:
                self._see(keyed)
        return keyed

    @contextmanager
    def _aside(self) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.aside += time.perf_counter() - began
