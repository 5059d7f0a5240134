"""A reasoner that answers from a script."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from agent.cost import Cost
from agent.errors import LimitReached, MalformedReply, ModelError, ProviderError, SettingsError
from agent.reasoner import ALL_ABILITIES, Ability, Failure, Prompt, ToolCall, ToolSpec
from agent.reasoners.ledger import Unlimited
from agent.reasoners.typed_reply import describe, validated_call

R = TypeVar("R", bound=BaseModel)

Scripted = BaseModel | Mapping[str, object] | Exception
"""A reply, its members, or what is raised in its place."""
Line = Scripted | Callable[[Prompt], Scripted]
"""One reply of a script, or a function that makes it from the prompt."""


class ScriptedReasoner(Unlimited):
    """Answers each prompt with the next line of its script, by the prompt's name.

    A function in place of a list of lines answers every prompt of that name. Members that do not
    fit the asked type raise MalformedReply, as a model's would.
    """

    def __init__(
        self,
        replies: Mapping[str, Sequence[Line] | Callable[[Prompt], Scripted]],
        *,
        name: str = "scripted",
        context_tokens: int = 128_000,
        reply_tokens: int = 4096,
        paid: bool = True,
        abilities: frozenset[Ability] = ALL_ABILITIES,
    ) -> None:
        super().__init__(context_tokens=context_tokens, reply_tokens=reply_tokens)
        self._lines = {
            prompt: lines if callable(lines) else list(lines) for prompt, lines in replies.items()
        }
        self.name = name
        self.paid = paid
        self.abilities = abilities
        self.prompts: list[Prompt] = []
        """The prompts seen, in order."""

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Return the next reply; raise SettingsError where the script has run out."""
        scripted = self._next(prompt)
        members = scripted.model_dump() if isinstance(scripted, BaseModel) else scripted
        try:
            return reply.model_validate(members)
        except ValidationError as error:
            raise MalformedReply(f"scripted reply to {prompt.name!r}: {describe(error)}") from error

    def ask_many(self, prompts: Sequence[Prompt], reply: type[R]) -> list[R | Failure]:
        """Answer all prompts in order; after LimitReached the rest fails with it."""
        answers: list[R | Failure] = []
        limit: LimitReached | None = None
        for prompt in prompts:
            if limit is not None:
                answers.append(Failure(limit))
                continue
            try:
                answers.append(self.ask(prompt, reply))
            except (ModelError, ProviderError, LimitReached) as error:
                limit = error if isinstance(error, LimitReached) else None
                answers.append(Failure(error))
        return answers

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Return the next tool call, its arguments validated; raise as `ask` does.

        Raises:
            ToolArgumentError: the scripted tool or its arguments are wrong.
        """
        call = self._as_call(prompt)
        return validated_call(tools, call.tool, call.arguments, call.why)

    def _as_call(self, prompt: Prompt) -> ToolCall:
        scripted = self._next(prompt)
        if isinstance(scripted, ToolCall):
            return scripted
        try:
            return ToolCall.model_validate(scripted)
        except ValidationError as error:
            raise MalformedReply(f"scripted call for {prompt.name!r}: {describe(error)}") from error

    def _next(self, prompt: Prompt) -> BaseModel | Mapping[str, object]:
        with self._lock:
            self.prompts.append(prompt)
            line = self._line(prompt)
        scripted = line if isinstance(line, BaseModel | Mapping | Exception) else line(prompt)
        if isinstance(scripted, Exception):
            raise scripted
        self.charge(Cost(model_calls=1))
        return scripted

    def _line(self, prompt: Prompt) -> Line:
        lines = self._lines.get(prompt.name, [])
        if not isinstance(lines, list):
            return lines
        if not lines:
            seen = sum(prompt.name == earlier.name for earlier in self.prompts)
            raise SettingsError(
                f"The script has no reply number {seen} for the prompt {prompt.name!r}."
            )
        return lines.pop(0)
