"""Asking a reasoner from a node: traced, and asked again once when the reply makes no sense."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from langgraph.runtime import Runtime
from pydantic import BaseModel

from agent.errors import MalformedReply
from agent.reasoner import Prompt
from graphs.context import Context

__all__ = ("ask", "trace_prompt")

R = TypeVar("R", bound=BaseModel)
T = TypeVar("T")


def ask(runtime: Runtime[Context], prompt: Prompt, reply: type[R], use: Callable[[R], T]) -> T:
    """Ask, and turn the reply into what the node needs.

    A reply in the right form can still make no sense, such as a field that the corpus does not
    have; then the reasoner is told so and asked once more.

    Raises:
        MalformedReply: the second reply makes no sense either.
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


def trace_prompt(runtime: Runtime[Context], prompt: Prompt) -> None:
    """Tell the trace which prompt is sent, by name and digest of its wording."""
    runtime.stream_writer({"kind": "prompt", "prompt": prompt.name, "digest": prompt.digest[:12]})
