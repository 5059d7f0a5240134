"""Having a model choose a tool call, and entering what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from langgraph.runtime import Runtime

from agent.errors import LimitReached, ModelError, ProviderError, ProviderRejected
from agent.history import Step
from agent.reasoner import Prompt, ToolCall, ToolSpec
from evals.baselines.fitting import billed
from evals.baselines.state import BaselineState
from graphs.context import Context
from tools.filters.registry import CONTROLS

__all__ = ("FINISH", "ITERATIONS", "Choice", "choose", "finish", "step_of")

FINISH: Final = "finish"
ITERATIONS: Final = 10
"""Calls at most (DFA, appendix A.7.1)."""
_SPENT: Final = "what the budget keeps for searching is spent"


@dataclass(frozen=True, slots=True)
class Choice:
    """A call, or why there is none."""

    call: ToolCall
    stopped: str = ""
    """The limit that was reached."""
    warnings: tuple[str, ...] = ()


def choose(
    runtime: Runtime[Context],
    prompt: Prompt,
    tools: Sequence[ToolSpec],
    budget: int | None = None,
) -> Choice:
    """Ask for the next call; without a usable one, or beyond the budget, finish.

    Raises:
        ProviderRejected: the server will not serve the request as it is.
    """
    if budget is not None and billed(prompt.text) > budget:
        return Choice(_finish(_SPENT), stopped=_SPENT)
    try:
        return Choice(runtime.context.reasoner.choose(prompt, tools))
    except LimitReached as limit:
        return Choice(_finish(str(limit)), stopped=str(limit))
    except ProviderRejected:
        raise
    except (ModelError, ProviderError) as error:
        told = f"no usable call was chosen: {error}"
        return Choice(_finish(told), warnings=(told,))


def finish() -> ToolSpec:
    """Return the tool that ends the search, as it is offered."""
    return ToolSpec(
        name=FINISH,
        description="Stop searching and answer from what was found. {}",
        arguments=CONTROLS[FINISH].arguments,
    )


def step_of(
    state: BaselineState, call: ToolCall, *, before: str, after: str = "", refused: str = "",
    kept: int = 0, discarded: int = 0,
) -> Step:  # fmt: skip
    """Return the step of the history that tells of a call."""
    return Step(
        round=len(state.history) + 1,
        call=call,
        before=before,
        after=after or before,
        kept=kept,
        discarded=discarded,
        refused=refused,
        verdict=None if refused else "keep",
    )


def _finish(why: str) -> ToolCall:
    return ToolCall(tool=FINISH, arguments={}, why=why)
