"""What every node is wrapped in: keys checked, cost added up, the step traced."""

from collections.abc import Collection
from functools import wraps
from typing import Any, Protocol

from langgraph.runtime import Runtime

from agent.cost import Cost
from agent.errors import SettingsError
from agent.state import State, Update
from graphs.context import Context

__all__ = ("Meter", "Node", "check_keys", "node")

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
        meter = Meter(runtime)
        update = function(state, runtime)
        check_keys(function.__name__, update, _KEYS)
        update["cost"] = state.cost + meter.spent()
        _trace(function.__name__, state, update, runtime)
        return update

    return wrapped


class Meter:
    """What a step spends, from when the meter is made: the reasoner's bill, the step's seconds.

    Raises:
        SettingsError: the graph was invoked without a context.
    """

    def __init__(self, runtime: Runtime[Context]) -> None:
        # LangGraph passes None where the caller gave no context.
        context: Context | None = runtime.context
        if context is None:
            raise SettingsError("which corpus? Invoke the graph with context=Context(corpus=…)")
        self._context = context
        self._before, self._began = context.reasoner.spent(), context.clock()

    def spent(self) -> Cost:
        """Return what was spent so far."""
        seconds = self._context.clock() - self._began
        spent = self._context.reasoner.spent() - self._before
        return spent.model_copy(update={"seconds": seconds})


def check_keys(name: str, update: Collection[str], known: Collection[str]) -> None:
    """Raise KeyError where a node's update has a key that the state does not have."""
    unknown = set(update) - set(known)
    if unknown:
        raise KeyError(f"node {name!r} returned unknown keys {sorted(unknown)}")


def _trace(name: str, state: State, update: Update, runtime: Runtime[Context]) -> None:
    told: dict[str, Any] = {"kind": "node", "node": name, "run": update.get("run", state.run)}
    coverage = update.get("coverage")
    if coverage is not None:
        told["coverage"] = coverage.model_dump()
    cost = update["cost"]
    told["cost"] = cost.model_dump()
    runtime.stream_writer(told)
