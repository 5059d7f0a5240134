"""What every node is wrapped in: keys checked, cost added up, the step traced."""

from functools import wraps
from typing import Any, Protocol

from langgraph.runtime import Runtime

from agent.errors import SettingsError
from agent.state import State, Update
from graphs.context import Context

__all__ = ("Node", "node")

_KEYS = frozenset(Update.__annotations__)


class Node(Protocol):
    """A step of the graph: reads the state, returns what it changes."""

    __name__: str

    def __call__(self, state: State, runtime: Runtime[Context]) -> Update:
        """Run the step."""
        ...


def node(function: Node) -> Node:
    """Wrap a node.

    LangGraph drops a misspelled key without a word, so the keys are checked here; the wrapper
    also adds what the reasoner spent, and the node's own seconds, to `cost`.

    Raises:
        KeyError: the update has a key that the state does not have.
        SettingsError: the graph was invoked without a context.
    """

    @wraps(function)
    def wrapped(state: State, runtime: Runtime[Context]) -> Update:
        context = _given(runtime)
        before, began = context.reasoner.spent(), context.clock()
        update = function(state, runtime)
        unknown = set(update) - _KEYS
        if unknown:
            raise KeyError(f"node {function.__name__!r} returned unknown keys {sorted(unknown)}")
        spent = (context.reasoner.spent() - before).model_copy(
            update={"seconds": context.clock() - began}
        )
        update["cost"] = state.cost + spent
        _trace(function.__name__, state, update, runtime)
        return update

    return wrapped


def _given(runtime: Runtime[Context]) -> Context:
    """Return the context; LangGraph passes None where the caller gave none."""
    context: Context | None = runtime.context
    if context is None:
        raise SettingsError("which corpus? Invoke the graph with context=Context(corpus=…)")
    return context


def _trace(name: str, state: State, update: Update, runtime: Runtime[Context]) -> None:
    told: dict[str, Any] = {"kind": "node", "node": name, "run": update.get("run", state.run)}
    coverage = update.get("coverage")
    if coverage is not None:
        told["coverage"] = coverage.model_dump()
    cost = update["cost"]
    told["cost"] = cost.model_dump()
    runtime.stream_writer(told)
