"""Asking a reasoner about passages from a node: what came back, what went wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from langgraph.runtime import Runtime
from pydantic import BaseModel

from agent.reasoner import Prompt
from evals.baselines.fitting import Fitted
from evals.baselines.state import BaselineState, BaselineUpdate
from graphs.asking import ask_all
from graphs.context import Context

__all__ = ("Received", "ask_each")

R = TypeVar("R", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Received(Generic[R]):
    """What came back of requests, and what they change in the state."""

    replies: tuple[R | None, ...]
    """In order; None where a request brought nothing usable."""
    update: BaselineUpdate
    """The chunks that were read or lost, the limit that was reached, the warnings."""


def ask_each(
    state: BaselineState,
    runtime: Runtime[Context],
    sent: Sequence[tuple[Prompt, Fitted | None]],
    reply: type[R],
) -> Received[R]:
    """Ask all prompts side by side, each with the passages that it shows.

    Raises:
        ProviderRejected: the server will serve none of them, for its key, permission or model.
    """
    asked = ask_all(runtime, [(prompt.name, prompt) for prompt, _ in sent], reply)
    read: set[int] = set()
    lost: set[int] = set()
    left_out: list[str] = []
    short = [shown.stopped for _, shown in sent if shown is not None and shown.stopped]
    for (_, shown), answered in zip(sent, asked.replies, strict=True):
        if shown is not None:
            into = read if answered is not None else lost
            into.update(each.chunk for each in shown.passages)
            left_out += shown.warnings
    failures = [f"{each.about}: {each.error}" for each in asked.failures]
    shown_now = state.shown | read
    update: BaselineUpdate = {
        "shown": shown_now,
        "failed": state.failed if asked.stopped else (state.failed | lost) - shown_now,
        "stopped": state.stopped or asked.stopped or next(iter(short), ""),
        "warnings": tuple(dict.fromkeys([*state.warnings, *left_out, *failures])),
    }
    return Received(replies=asked.replies, update=update)
