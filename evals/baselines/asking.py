"""Asking a reasoner about passages from a node: what fits, what came back, what went wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from langgraph.runtime import Runtime
from pydantic import BaseModel

from agent.evidence import Passage
from agent.reasoner import Prompt
from evals.baselines.state import BaselineState, BaselineUpdate
from graphs.asking_many import ask_all
from graphs.context import Context
from tools.corpus.tokens import count_tokens
from tools.passages import passages

__all__ = ("Fitted", "Received", "ask_each", "fitted")

R = TypeVar("R", bound=BaseModel)
_INSTRUCTIONS: Final = 1500
"""Tokens that are kept for the prompt's own words."""
_ESTIMATE: Final = 1.15
"""How far the count of tokens may be below the model's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The passages that one request can hold."""

    passages: tuple[Passage, ...]
    warnings: tuple[str, ...] = ()
    """How many were left out."""


def fitted(chunks: Sequence[int], context: Context, *, besides: str = "") -> Fitted:
    """Return the first passages that fit the reasoner's context, beside another text.

    Best first is what is shown best; what does not fit was never read, and the warning says so.
    """
    shown = passages(context.corpus, chunks)
    reasoner = context.reasoner
    room = reasoner.context_tokens - reasoner.reply_tokens - _INSTRUCTIONS - count_tokens(besides)
    held = 0
    for each in shown:
        room -= int(_ESTIMATE * count_tokens(f"{each.before}{each.text}{each.after}")) + 1
        if room < 0:
            break
        held += 1
    if held == len(shown):
        return Fitted(passages=shown)
    told = f"{len(shown) - held} of {len(shown)} passages did not fit in the model's context"
    return Fitted(passages=passages(context.corpus, chunks[:held]), warnings=(told,))


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
        "stopped": state.stopped or asked.stopped,
        "warnings": tuple(dict.fromkeys([*state.warnings, *left_out, *failures])),
    }
    return Received(replies=asked.replies, update=update)
