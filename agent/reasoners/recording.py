"""Recordings: the exchanges of a reasoner as JSON lines, a header first, written and replayed."""

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

import agent.errors
from agent.cost import Cost
from agent.errors import (
    HeadcountError,
    LimitReached,
    MalformedReply,
    ModelError,
    ProviderError,
    SettingsError,
)
from agent.reasoner import ALL_ABILITIES, Ability, Failure, Prompt, Reasoner, ToolCall, ToolSpec
from agent.reasoners.concurrency import answer_all
from agent.reasoners.ledger import Unlimited
from agent.reasoners.typed_reply import describe
from agent.value import Value

M = TypeVar("M", bound=BaseModel)
Key = tuple[str, str, str]
"""Prompt name, SHA-256 of its text, type of the reply: what a replay looks up."""
R = TypeVar("R", bound=BaseModel)


class Header(Value):
    """The first line: the reasoner whose exchanges follow."""

    recording: Literal[1] = 1
    name: str
    context_tokens: int
    reply_tokens: int
    paid: bool = True


class Entry(Value):
    """One exchange: what was asked, and the reply or the error that came back."""

    prompt: str
    digest: str
    text: str
    """SHA-256 of the rendered prompt."""
    type: str
    """The reply's type; for a choice, `choice of` the tools' names."""
    reply: JsonValue = None
    error: str | None = None
    """The error's class, instead of a reply."""
    message: str = ""
    cost: Cost | None = None
    """What the exchange cost; that of several at once stands with the first of them."""

    @property
    def key(self) -> Key:
        """What a replay finds this entry by."""
        return (self.prompt, self.text, self.type)


class RecordedReasoner(Unlimited):
    """Gives each prompt the reply, or raises the error, that it had when it was recorded.

    The order of the questions does not matter. A prompt recorded several times gets its replies
    in their order, and the last one from then on.

    Raises SettingsError: the file is no recording; later, a prompt is not in it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        header, entries = read_recording(path)
        super().__init__(context_tokens=header.context_tokens, reply_tokens=header.reply_tokens)
        self.name, self.paid = header.name, header.paid
        self.abilities: frozenset[Ability] = ALL_ABILITIES
        """All there are, for only such reasoners are recorded."""
        self._entries: dict[Key, list[Entry]] = {}
        for entry in entries:
            self._entries.setdefault(entry.key, []).append(entry)

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Return the recorded reply or raise the recorded error."""
        return self._replay(prompt, reply.__name__, reply)

    def ask_many(self, prompts: Sequence[Prompt], reply: type[R]) -> list[R | Failure]:
        """Return the recorded replies and failures, in order."""
        return answer_all(lambda prompt: self.ask(prompt, reply), prompts, workers=1)

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Return the recorded tool call or raise the recorded error."""
        return self._replay(prompt, type_of_choice(tools), ToolCall)

    def _replay(self, prompt: Prompt, kind: str, reply: type[R]) -> R:
        entry = self._find(prompt, kind)
        if entry.error is not None:
            raise getattr(agent.errors, entry.error, HeadcountError)(entry.message)
        try:
            answer = reply.model_validate(entry.reply)
        except ValidationError as error:
            raise MalformedReply(
                f"The recorded reply to {prompt.name!r} is no {kind} any more: {describe(error)}"
            ) from error
        self.charge(Cost(cached_calls=1))
        return answer

    def _find(self, prompt: Prompt, kind: str) -> Entry:
        key = key_of(prompt, kind)
        with self._lock:
            entries = self._entries.get(key)
            if entries:
                return entries.pop(0) if len(entries) > 1 else entries[0]
        raise SettingsError(
            f"The recording {str(self._path)!r} has no reply to the prompt {prompt.name!r} as it "
            "is now: the question, the corpus or the wording has changed since. Record again."
        )


class Recorder:
    """Writes every exchange of `inner` to a file that its owner alone can read.

    An existing recording of the same reasoner is continued.

    Raises SettingsError: the file cannot be written, or holds something else.
    """

    def __init__(self, inner: Reasoner, path: Path) -> None:
        self._inner = inner
        self._path = path
        self._lock = threading.Lock()
        self.name, self.paid, self.abilities = inner.name, inner.paid, inner.abilities
        self.context_tokens, self.reply_tokens = inner.context_tokens, inner.reply_tokens
        header = Header(
            name=self.name,
            context_tokens=self.context_tokens,
            reply_tokens=self.reply_tokens,
            paid=self.paid,
        )
        if not path.exists() or path.stat().st_size == 0:
            self._write(header)
        elif read_recording(path)[0] != header:
            raise SettingsError(
                f"The recording {str(path)!r} is of another reasoner: choose another file."
            )

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Answer as the inner reasoner does, and write it down."""
        return self._noted(prompt, reply.__name__, lambda: self._inner.ask(prompt, reply))

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
        return self._noted(prompt, type_of_choice(tools), lambda: self._inner.choose(prompt, tools))

    def spent(self) -> Cost:
        """Return what the inner reasoner has spent."""
        return self._inner.spent()

    def _noted(self, prompt: Prompt, kind: str, asked: Callable[[], R]) -> R:
        before = self._inner.spent()
        try:
            answer = asked()
        except (ModelError, ProviderError, LimitReached) as error:
            self._note(prompt, kind, error, self._inner.spent() - before)
            raise
        self._note(prompt, kind, answer, self._inner.spent() - before)
        return answer

    def _note(
        self, prompt: Prompt, kind: str, outcome: BaseModel | HeadcountError, cost: Cost | None
    ) -> None:
        name, text, _ = key_of(prompt, kind)
        entry = Entry(prompt=name, digest=prompt.digest, text=text, type=kind, cost=cost)
        if isinstance(outcome, HeadcountError):
            kinds = (each for each in type(outcome).__mro__ if each.__module__ == "agent.errors")
            told: dict[str, Any] = {"error": next(kinds).__name__, "message": str(outcome)}
        else:
            told = {"reply": outcome.model_dump(mode="json")}
        self._write(entry.model_copy(update=told))

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


def key_of(prompt: Prompt, kind: str) -> Key:
    """Return what a prompt's exchange is found by."""
    text = hashlib.sha256(prompt.text.encode("utf-8", "surrogatepass")).hexdigest()
    return (prompt.name, text, kind)


def type_of_choice(tools: Sequence[ToolSpec]) -> str:
    """Name a choice by the tools it is among, whatever their order."""
    return "choice of " + ", ".join(sorted(tool.name for tool in tools))


def read_recording(path: Path) -> tuple[Header, tuple[Entry, ...]]:
    """Read a recording, but a last line that a crash cut; raises SettingsError where it is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The recording {str(path)!r} cannot be read: {error}") from error
    lines = text.split("\n")[:-1]
    if not lines:
        raise SettingsError(f"The recording {str(path)!r} is empty: record a run first.")
    header = _parsed(Header, lines[0], path, 1)
    rest = enumerate(lines[1:], start=2)
    return header, tuple(_parsed(Entry, line, path, number) for number, line in rest)


def _parsed(kind: type[M], line: str, path: Path, number: int) -> M:
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        raise SettingsError(
            f"Line {number} of the recording {str(path)!r} is broken: {describe(error)}"
        ) from error
