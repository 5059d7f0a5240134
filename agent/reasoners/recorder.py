"""A recorder: passes questions on to a reasoner and writes down what came back."""

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from agent.cost import Cost
from agent.errors import HeadcountError, LimitReached, ModelError, ProviderError, SettingsError
from agent.reasoner import Ability, Failure, Prompt, Reasoner, ToolCall, ToolSpec
from agent.reasoners.recording import (
    Entry,
    Header,
    key_of,
    read_recording,
    refusal,
    type_of_choice,
)
from agent.reasoners.usage import estimate_tokens

__all__ = ("Recorder",)

R = TypeVar("R", bound=BaseModel)


class Recorder:
    """Writes every exchange of `inner` to a file that its owner alone can read.

    An existing recording of the same reasoner is continued.

    Raises:
        SettingsError: the file cannot be written, or holds something else.
    """

    def __init__(self, inner: Reasoner, path: Path) -> None:
        self._inner = inner
        self._path = path
        self._lock = threading.Lock()
        header = Header(
            name=inner.name,
            context_tokens=inner.context_tokens,
            reply_tokens=inner.reply_tokens,
            paid=inner.paid,
        )
        if not path.exists() or path.stat().st_size == 0:
            self._write(header)
        elif read_recording(path)[0] != header:
            raise SettingsError(
                f"The recording {str(path)!r} is of another reasoner: choose another file."
            )

    @property
    def name(self) -> str:
        """The inner reasoner's name."""
        return self._inner.name

    @property
    def context_tokens(self) -> int:
        """As the inner reasoner."""
        return self._inner.context_tokens

    @property
    def paid(self) -> bool:
        """As the inner reasoner."""
        return self._inner.paid

    @property
    def abilities(self) -> frozenset[Ability]:
        """What the inner reasoner can do."""
        return self._inner.abilities

    @property
    def reply_tokens(self) -> int:
        """As the inner reasoner."""
        return self._inner.reply_tokens

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Answer as the inner reasoner does, and write it down."""
        before = self._inner.spent()
        try:
            answer = self._inner.ask(prompt, reply)
        except (ModelError, ProviderError, LimitReached) as error:
            self._note(prompt, reply.__name__, error, self._inner.spent() - before)
            raise
        self._note(prompt, reply.__name__, answer, self._inner.spent() - before)
        return answer

    def ask_many(self, prompts: Sequence[Prompt], reply: type[R]) -> list[R | Failure]:
        """Answer as the inner reasoner does, and write all down."""
        before = self._inner.spent()
        answers = self._inner.ask_many(prompts, reply)
        cost: Cost | None = self._inner.spent() - before
        for prompt, answer in zip(prompts, answers, strict=True):
            outcome = answer.error if isinstance(answer, Failure) else answer
            self._note(prompt, reply.__name__, outcome, cost)
            cost = None
        return answers

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Choose as the inner reasoner does, and write it down."""
        before = self._inner.spent()
        kind = type_of_choice(tools)
        try:
            call = self._inner.choose(prompt, tools)
        except (ModelError, ProviderError, LimitReached) as error:
            self._note(prompt, kind, error, self._inner.spent() - before)
            raise
        self._note(prompt, kind, call, self._inner.spent() - before)
        return call

    def tokens(self, prompt: Prompt, reply: type[BaseModel]) -> int:  # noqa: ARG002
        """Estimate the prompt's tokens as a replay does, so that both cut requests alike."""
        return estimate_tokens(prompt.text)

    def affords(self, sent: int, received: int) -> bool:
        """Tell what the inner reasoner does; a refusal is written down."""
        affords = self._inner.affords(sent, received)
        if not affords:
            self._write(refusal(sent, received))
        return affords

    def spent(self) -> Cost:
        """Return what the inner reasoner has spent."""
        return self._inner.spent()

    def charge(self, cost: Cost) -> None:
        """Count what another reasoner spent on the same bill and against the same budget."""
        self._inner.charge(cost)

    def _note(
        self, prompt: Prompt, kind: str, outcome: BaseModel | HeadcountError, cost: Cost | None
    ) -> None:
        failed = isinstance(outcome, HeadcountError)
        name, text, _ = key_of(prompt, kind)
        entry = Entry(
            prompt=name,
            digest=prompt.digest,
            text=text,
            type=kind,
            reply=None if isinstance(outcome, HeadcountError) else outcome.model_dump(mode="json"),
            error=_public_kind(outcome) if isinstance(outcome, HeadcountError) else None,
            message=str(outcome) if failed else "",
            cost=cost,
        )
        self._write(entry)

    def _write(self, line: BaseModel) -> None:
        data = line.model_dump_json().encode() + b"\n"
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        try:
            with self._lock, os.fdopen(os.open(self._path, flags, 0o600), "wb") as file:
                file.write(data)
        except OSError as error:
            raise SettingsError(
                f"The recording {str(self._path)!r} cannot be written: {error}"
            ) from error


def _public_kind(error: HeadcountError) -> str:
    """Return the name of the error's nearest class in the public tree."""
    kinds = type(error).__mro__
    return next(kind.__name__ for kind in kinds if kind.__module__ == HeadcountError.__module__)
