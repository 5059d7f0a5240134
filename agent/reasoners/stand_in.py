"""What stands in for a paid model: it costs nothing and counts what the model would be sent."""

import json
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import BaseModel

from agent.cost import Cost
from agent.errors import HeadcountError
from agent.reasoner import ALL_ABILITIES, Failure, Prompt, ToolCall, ToolSpec

R = TypeVar("R", bound=BaseModel)


class StandIn(ABC):
    """Counts what a model would be sent, and answers for nothing.

    A subclass says in `_answered` and `_chosen` what is replied. Safe in several threads.
    """

    paid = True
    abilities = ALL_ABILITIES

    def __init__(
        self,
        *,
        tokens: Callable[[str], int],
        forms: bool,
        context_tokens: int,
        reply_tokens: int,
    ) -> None:
        """Stand in for a model with these limits."""
        self.context_tokens = context_tokens
        self.reply_tokens = reply_tokens
        self._tokens = tokens
        self._forms = forms
        self._spent = Cost()
        self._lock = threading.Lock()

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Answer, and count the request."""
        answered = self._answered(prompt, reply)
        self._count(prompt, answered, [reply])
        return answered

    def ask_many(self, prompts: Sequence[Prompt], reply: type[R]) -> list[R | Failure]:
        """Answer the prompts one after another."""
        return [self._one(prompt, reply) for prompt in prompts]

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Choose, and count the request."""
        call = self._chosen(prompt, tools)
        told = "".join(tool.description for tool in tools)
        self._count(prompt, call, [tool.arguments for tool in tools], told)
        return call

    def tokens(self, prompt: Prompt, reply: type[BaseModel]) -> int:
        """Count the request's tokens, as they are booked."""
        return self._sent(prompt, [reply])

    def affords(self, sent: int, received: int) -> bool:  # noqa: ARG002
        """Tell that anything is within a budget that has no limit."""
        return True

    def spent(self) -> Cost:
        """Return what the model would have been sent so far."""
        with self._lock:
            return self._spent

    def charge(self, cost: Cost) -> None:
        """Count what another reasoner spent on the same bill and against the same budget."""
        with self._lock:
            self._spent += cost

    @abstractmethod
    def _answered(self, prompt: Prompt, reply: type[R]) -> R:
        """Return the reply to a prompt."""

    @abstractmethod
    def _chosen(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Return the tool call for a prompt."""

    def _one(self, prompt: Prompt, reply: type[R]) -> R | Failure:
        try:
            return self.ask(prompt, reply)
        except HeadcountError as error:
            return Failure(error)

    def _count(
        self, prompt: Prompt, answered: BaseModel, forms: Sequence[type[BaseModel]], told: str = ""
    ) -> None:
        written = self._tokens(answered.model_dump_json())
        sent = self._sent(prompt, forms, told)
        self.charge(Cost(model_calls=1, input_tokens=sent, output_tokens=written))

    def _sent(self, prompt: Prompt, forms: Sequence[type[BaseModel]], told: str = "") -> int:
        sent = self._tokens(prompt.text)
        if self._forms:
            schemas = "".join(json.dumps(form.model_json_schema()) for form in forms)
            sent += self._tokens(told + schemas)
        return sent
