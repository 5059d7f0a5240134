"""Running a graph within a step of another: on the same bill, not on the same checkpoints."""

from collections.abc import Callable
from contextvars import copy_context
from typing import Any, ParamSpec, TypeVar

from langchain_core.runnables.config import var_child_runnable_config
from langgraph.runtime import Runtime

from graphs.context import Context

__all__ = ("apart", "writer")

P = ParamSpec("P")
T = TypeVar("T")


def apart(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function that runs a graph.

    A graph that is invoked within a step takes the run's checkpoints over for its own, which the
    context variable of LangChain's configuration hands down; all else, such as the bill on which
    replies are entered, stays as it is.
    """
    held = copy_context()
    held.run(var_child_runnable_config.set, None)
    return held.run(function, *args, **kwargs)


def writer(runtime: Runtime[Context]) -> Callable[[Any], None]:
    """Return what writes to the step's own stream, from within the graph that it runs as well."""
    own = copy_context()
    return lambda event: own.run(runtime.stream_writer, event)
