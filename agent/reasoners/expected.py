"""What a request expects back: the seam between asking for a reply and choosing a tool."""

from typing import Protocol, TypeVar

from pydantic import JsonValue

from agent.reasoners.completion import Completion, Options
from agent.reasoners.dialect import Form

__all__ = ("Expected",)

T = TypeVar("T")


class Expected(Protocol[T]):
    """A kind of reply: how it is asked for and how it is read."""

    @property
    def choosing(self) -> bool:
        """Whether tools are offered."""
        ...

    @property
    def signature(self) -> JsonValue:
        """What tells this kind from others in the response cache."""
        ...

    def options(self, form: Form) -> Options:
        """Return what the request says beside the prompt."""
        ...

    def read(self, completion: Completion) -> T:
        """Read a usable completion; raise MalformedReply or ToolArgumentError."""
        ...

    def written(self, completion: Completion) -> str:
        """Return the model's reply as it is shown to it when it has to mend it."""
        ...

    def dump(self, value: T) -> str:
        """Return a reply as JSON for the cache."""
        ...

    def load(self, text: str) -> T:
        """Return a reply from the cache; raise MalformedReply."""
        ...
