"""Asking a reasoner from a node: traced, one thing until the reply makes sense, or many at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, takewhile
from typing import Final, Generic, TypeVar

from langgraph.runtime import Runtime
from pydantic import BaseModel

from agent.adf_state import AdfFailure
from agent.errors import (
    HeadcountError,
    LimitReached,
    MalformedReply,
    ModelError,
    ProviderError,
    ProviderRejected,
    ProviderUnreachable,
    QuestionError,
)
from agent.evidence import Passage
from agent.reasoner import Failure, Prompt
from graphs.context import Context
from prompts.templates import numbered_passages
from tools.corpus.chunking.token_counts import count_tokens
from tools.passage_windows import passages

R = TypeVar("R", bound=BaseModel)
T = TypeVar("T")


def ask(runtime: Runtime[Context], prompt: Prompt, reply: type[R], use: Callable[[R], T]) -> T:
    """Ask, and turn the reply into what the node needs.

    A reply in the right form can still make no sense, such as a field that the corpus does not
    have; then the reasoner is told so and asked once more.

    Raises MalformedReply: the second reply makes no sense either.
    """
    trace_prompt(runtime, prompt)
    reasoner = runtime.context.reasoner
    try:
        return use(reasoner.ask(prompt, reply))
    except MalformedReply as error:
        text = f"{prompt.text}\n\nYour last reply could not be used: {error}. Reply again."
        again = replace(prompt, text=text)
    trace_prompt(runtime, again)
    return use(reasoner.ask(again, reply))


def require_writer(context: Context, work: str) -> None:
    """Raise QuestionError where a context's reader cannot write what the work needs."""
    if "write" not in context.reasoner.abilities:
        raise QuestionError(
            f"{context.reasoner.name} cannot {work}: name a model with --model, which can"
        )


def trace_prompt(runtime: Runtime[Context], prompt: Prompt) -> None:
    """Tell the trace which prompt is sent, by name and digest of its wording."""
    runtime.stream_writer({"kind": "prompt", "prompt": prompt.name, "digest": prompt.digest[:12]})


@dataclass(frozen=True, slots=True, kw_only=True)
class Received(Generic[R]):
    """What came back of several requests."""

    replies: tuple[R | None, ...]
    """In order; None where a request brought nothing usable."""
    failures: tuple[AdfFailure, ...] = ()
    stopped: str = ""


def ask_all(
    runtime: Runtime[Context],
    sent: Sequence[tuple[str, Prompt]],
    reply: type[R],
) -> Received[R]:
    """Ask all prompts, each with what it is about.

    Raises ProviderRejected or ProviderUnreachable: the server will serve none of them.
    """
    replies = ask_each(runtime, [prompt for _, prompt in sent], reply)
    failures = [
        failed(prompt.name, about, each.error)
        for (about, prompt), each in zip(sent, replies, strict=True)
        if isinstance(each, Failure) and not isinstance(each.error, LimitReached)
    ]
    usable = tuple(None if isinstance(each, Failure) else each for each in replies)
    return Received(replies=usable, failures=tuple(failures), stopped=limit_of(replies))


SERVES_NOTHING: Final = (ProviderRejected, ProviderUnreachable)
"""Where a server fails so, another request would fare no better."""


def limit_of(replies: Sequence[object]) -> str:
    """Return the first limit that replies failed by; empty where none did."""
    errors = [each.error for each in replies if isinstance(each, Failure)]
    return next((str(error) for error in errors if isinstance(error, LimitReached)), "")


def ask_each(
    runtime: Runtime[Context], sent: Sequence[Prompt], reply: type[R], *, served: bool = False
) -> list[R | Failure]:
    """Ask all prompts, traced as one request; return what each brought, in order.

    Raises ProviderRejected or ProviderUnreachable: the server will serve none of them. Where it
    `served` others like them, the first is a matter of these alone.
    """
    if not sent:
        return []
    trace_prompt(runtime, sent[0])
    replies = runtime.context.reasoner.ask_many(sent, reply)
    errors = [each.error for each in replies if isinstance(each, Failure)]
    nothing = (ProviderUnreachable,) if served else SERVES_NOTHING
    if len(errors) == len(replies) and isinstance(errors[0], nothing):
        raise errors[0]
    return replies


def failed(step: str, about: str, error: HeadcountError) -> AdfFailure:
    """List an error of the model or its server; raise any other."""
    if not isinstance(error, ModelError | ProviderError):
        raise error
    told = " ".join(f"{type(error).__name__}: {error}".split())
    return AdfFailure(step=step, about=about, error=told)


_INSTRUCTIONS: Final = 1500
"""Tokens that are kept for the prompt's own words."""
_ESTIMATE: Final = 1.15
"""How far the count of tokens may be below the model's own."""


def fitting(context: Context, chunks: Sequence[int], *, besides: str = "") -> tuple[Passage, ...]:
    """Return the first passages that fit the reasoner's context, beside another text."""
    reasoner = context.reasoner
    room = reasoner.context_tokens - reasoner.reply_tokens - _INSTRUCTIONS - count_tokens(besides)
    shown = passages(context.corpus, chunks)
    while (held := _held(shown, room)) < len(shown):
        # What stands around a passage is shown with it unless it is a passage itself: with
        # fewer passages each can be longer.
        shown = passages(context.corpus, chunks[:held])
    return shown


def _held(shown: Sequence[Passage], room: int) -> int:
    """Return how many of the passages, from the first, have room."""
    texts = (numbered_passages([each], "nonce") for each in shown)
    sums = accumulate(int(_ESTIMATE * count_tokens(text)) + 1 for text in texts)
    return sum(1 for _ in takewhile(lambda total: total <= room, sums))
