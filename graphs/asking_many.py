"""Asking a reasoner several things side by side: what fails is listed, what ends a run is told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from langgraph.runtime import Runtime
from pydantic import BaseModel

from agent.adf_state import AdfFailure
from agent.errors import HeadcountError, LimitReached, ModelError, ProviderError, ProviderRejected
from agent.reasoner import Failure, Prompt
from graphs.asking import trace_prompt
from graphs.context import Context

__all__ = ("Received", "ask_all", "failed")

R = TypeVar("R", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Received(Generic[R]):
    """What came back of several requests."""

    replies: tuple[R | None, ...]
    """In order; None where a request brought nothing usable."""
    failures: tuple[AdfFailure, ...] = ()
    stopped: str = ""
    """The limit that was reached."""


def ask_all(
    runtime: Runtime[Context],
    sent: Sequence[tuple[str, Prompt]],
    reply: type[R],
) -> Received[R]:
    """Ask all prompts, each with what it is about.

    Raises:
        ProviderRejected: the server will serve none of them, for its key, permission or model.
    """
    if not sent:
        return Received(replies=())
    trace_prompt(runtime, sent[0][1])
    replies = runtime.context.reasoner.ask_many([prompt for _, prompt in sent], reply)
    errors = [each.error for each in replies if isinstance(each, Failure)]
    if len(errors) == len(replies) and isinstance(errors[0], ProviderRejected):
        raise errors[0]
    stopped = next((str(error) for error in errors if isinstance(error, LimitReached)), "")
    failures = [
        failed(prompt.name, about, each.error)
        for (about, prompt), each in zip(sent, replies, strict=True)
        if isinstance(each, Failure) and not isinstance(each.error, LimitReached)
    ]
    usable = tuple(None if isinstance(each, Failure) else each for each in replies)
    return Received(replies=usable, failures=tuple(failures), stopped=stopped)


def failed(step: str, about: str, error: HeadcountError) -> AdfFailure:
    """List an error of the model or its server; raise any other."""
    if not isinstance(error, ModelError | ProviderError):
        raise error
    told = " ".join(f"{type(error).__name__}: {error}".split())
    return AdfFailure(step=step, about=about, error=told)
