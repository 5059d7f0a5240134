"""A recording: the exchanges of a reasoner as JSON lines, a header first."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

import agent.errors
from agent.cost import Cost
from agent.errors import HeadcountError, LimitReached, SettingsError
from agent.reasoner import Prompt, ToolSpec
from agent.reasoners.json_text import describe

__all__ = ("Entry", "Header", "Key", "key_of", "read_recording", "refusal", "type_of_choice")

M = TypeVar("M", bound=BaseModel)

Key = tuple[str, str, str]
"""Prompt name, SHA-256 of its text, type of the reply: what a replay looks up."""


class Header(BaseModel):
    """The first line: the reasoner whose exchanges follow."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    recording: Literal[1] = 1
    """The format's version."""
    name: str
    context_tokens: int
    reply_tokens: int
    paid: bool = True


class Entry(BaseModel):
    """One exchange: what was asked, and the reply or the error that came back."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: str
    """The prompt's name."""
    digest: str
    """The template's digest."""
    text: str
    """SHA-256 of the rendered prompt."""
    type: str
    """The reply's type; for a choice, `choice of` the tools' names."""
    reply: JsonValue = None
    error: str | None = None
    """The error's class, instead of a reply."""
    message: str = ""
    """The error's text."""
    cost: Cost | None = None
    """What the exchange cost; that of several at once stands with the first of them."""

    @property
    def key(self) -> Key:
        """What a replay finds this entry by."""
        return (self.prompt, self.text, self.type)

    def raise_error(self) -> None:
        """Raise the recorded error, where there is one."""
        if self.error is None:
            return
        kind = getattr(agent.errors, self.error, HeadcountError)
        raise kind(self.message)


def key_of(prompt: Prompt, kind: str) -> Key:
    """Return what a prompt's exchange is found by."""
    text = hashlib.sha256(prompt.text.encode("utf-8", "surrogatepass")).hexdigest()
    return (prompt.name, text, kind)


def type_of_choice(tools: Sequence[ToolSpec]) -> str:
    """Name a choice by the tools it is among, whatever their order."""
    return "choice of " + ", ".join(sorted(tool.name for tool in tools))


def refusal(sent: int, received: int) -> Entry:
    """Return the entry that says the budget did not pay for so many more tokens."""
    asked = f"{sent} sent, {received} received"
    return Entry(prompt="", digest="", text=asked, type="budget", error=LimitReached.__name__)


def read_recording(path: Path) -> tuple[Header, tuple[Entry, ...]]:
    """Read a recording; a last line that was cut by a crash is left out.

    Raises:
        SettingsError: there is no such file, or it is not a recording.
    """
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
