"""A reasoner that replays a recording, without a model and without cost."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from agent.cost import Cost
from agent.errors import LimitReached, MalformedReply, ModelError, ProviderError, SettingsError
from agent.reasoner import ALL_ABILITIES, Ability, Failure, Prompt, ToolCall, ToolSpec
from agent.reasoners.json_text import describe
from agent.reasoners.recording import (
    Entry,
    Key,
    key_of,
    read_recording,
    refusal,
    type_of_choice,
)
from agent.reasoners.usage import estimate_tokens

__all__ = ("RecordedReasoner",)

R = TypeVar("R", bound=BaseModel)


class RecordedReasoner:
    """Gives each prompt the reply, or raises the error, that it had when it was recorded.

    The order of the questions does not matter. A prompt recorded several times gets its replies
    in their order, and the last one from then on.

    Raises:
        SettingsError: the file is no recording; later, a prompt is not in it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._header, entries = read_recording(path)
        self._entries: dict[Key, list[Entry]] = {}
        for entry in entries:
            self._entries.setdefault(entry.key, []).append(entry)
        self._lock = threading.Lock()
        self._replayed = 0
        self._charged = Cost()

    @property
    def name(self) -> str:
        """The recorded reasoner's name."""
        return self._header.name

    @property
    def context_tokens(self) -> int:
        """As the recorded reasoner: batches come out the same."""
        return self._header.context_tokens

    @property
    def paid(self) -> bool:
        """As the recorded reasoner: audits are of the same size."""
        return self._header.paid

    @property
    def abilities(self) -> frozenset[Ability]:
        """What the recorded reasoner could do: all there is, for only such are recorded."""
        return ALL_ABILITIES

    @property
    def reply_tokens(self) -> int:
        """As the recorded reasoner."""
        return self._header.reply_tokens

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Return the recorded reply or raise the recorded error."""
        return self._replay(prompt, reply.__name__, reply)

    def ask_many(self, prompts: Sequence[Prompt], reply: type[R]) -> list[R | Failure]:
        """Return the recorded replies and failures, in order."""
        answers: list[R | Failure] = []
        for prompt in prompts:
            try:
                answers.append(self.ask(prompt, reply))
            except (ModelError, ProviderError, LimitReached) as error:
                answers.append(Failure(error))
        return answers

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Return the recorded tool call or raise the recorded error."""
        return self._replay(prompt, type_of_choice(tools), ToolCall)

    def tokens(self, prompt: Prompt, reply: type[BaseModel]) -> int:  # noqa: ARG002
        """Estimate the prompt's tokens as the recorder did."""
        return estimate_tokens(prompt.text)

    def affords(self, sent: int, received: int) -> bool:
        """Tell what the recorded reasoner did."""
        return refusal(sent, received).key not in self._entries

    def spent(self) -> Cost:
        """Return the number of replayed replies, as cached calls: they cost nothing."""
        return Cost(cached_calls=self._replayed) + self._charged

    def charge(self, cost: Cost) -> None:
        """Count what another reasoner spent on the same bill."""
        self._charged += cost

    def _replay(self, prompt: Prompt, kind: str, reply: type[R]) -> R:
        entry = self._find(prompt, kind)
        entry.raise_error()
        try:
            answer = reply.model_validate(entry.reply)
        except ValidationError as error:
            raise MalformedReply(
                f"The recorded reply to {prompt.name!r} is no {kind} any more: {describe(error)}"
            ) from error
        with self._lock:
            self._replayed += 1
        return answer

    def _find(self, prompt: Prompt, kind: str) -> Entry:
        key = key_of(prompt, kind)
        with self._lock:
            entries = self._entries.get(key)
            if entries:
                return entries.pop(0) if len(entries) > 1 else entries[0]
        raise SettingsError(self._miss(prompt, kind))

    def _miss(self, prompt: Prompt, kind: str) -> str:
        """Say why a prompt has no recorded reply."""
        asked = f"The recording {str(self._path)!r} has no reply to the prompt {prompt.name!r}"
        recorded = [entry for found in self._entries.values() for entry in found]
        same = [entry for entry in recorded if entry.prompt == prompt.name]
        if not same:
            return f"{asked}: that prompt was never recorded."
        if all(entry.digest != prompt.digest for entry in same):
            return f"{asked}: its template's wording has changed since. Record again."
        if all(entry.type != kind for entry in same):
            return f"{asked} with a {kind}: it was recorded as {same[0].type}. Record again."
        return f"{asked} with these values: the question or the corpus differs. Record again."
