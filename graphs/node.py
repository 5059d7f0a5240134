"""What every graph has: steps, checked and with their cost added up, and the answer's channel."""

from collections.abc import Callable, Collection, Mapping
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

from langgraph.channels import UntrackedValue
from langgraph.runtime import Runtime

from agent.adf_state import AdfAnswer, AdfState
from agent.answer import Answer
from agent.cost import Cost
from agent.records.analysis import AnalystState
from agent.state import State, Update
from graphs.context import Context

S = TypeVar("S", bound=State | AdfState | AnalystState)
U = TypeVar("U")
S_contra = TypeVar("S_contra", contravariant=True)
U_co = TypeVar("U_co", covariant=True)


class Step(Protocol[S_contra, U_co]):
    """A step of a graph: reads the state, returns what it changes."""

    __name__: str

    def __call__(self, state: S_contra, runtime: Runtime[Context]) -> U_co:
        """Run the step."""


Node = Step[State, Update]
"""A step of the main graph."""
Finish = Callable[[S, dict[str, Any], Runtime[Context]], Mapping[str, Any]]
"""May complete the update, with its cost; returns what the trace is told beside these."""


def metered(function: Step[S, U], keys: Collection[str], finish: Finish[S]) -> Step[S, U]:
    """Wrap a step of a graph: what the reasoner spent, and its own seconds, are added to `cost`.

    Raises:
        KeyError: the update has a key that the state does not have, which LangGraph would drop.
        SettingsError: the graph was invoked without a context.
    """

    @wraps(function)
    def wrapped(state: S, runtime: Runtime[Context]) -> U:
        meter = Meter(runtime)
        changed = function(state, runtime)
        update = cast("dict[str, Any]", changed)
        if unknown := update.keys() - set(keys):
            raise KeyError(f"node {function.__name__!r} returned unknown keys {sorted(unknown)}")
        cost = update["cost"] = state.cost + meter.spent()
        told = finish(state, update, runtime)
        line = {"kind": "node", "node": function.__name__, "cost": cost.model_dump()}
        runtime.stream_writer(line | dict(told))
        return changed

    return wrapped


def billed(_: object, update: dict[str, Any], __: Runtime[Context]) -> Mapping[str, Any]:
    """Put what was spent into the answer of an update that has one."""
    if answer := update.get("answer"):
        update["answer"] = answer.model_copy(update={"cost": update["cost"]})
    return {}


def node(function: Node) -> Node:
    """Wrap a node of the main graph: the trace is told the run and its coverage."""
    return metered(function, Update.__annotations__, _covered)


def _covered(state: State, update: Mapping[str, Any], _: Runtime[Context]) -> Mapping[str, Any]:
    told: dict[str, Any] = {"run": update.get("run", state.run)}
    coverage = update.get("coverage")
    return told if coverage is None else told | {"coverage": coverage.model_dump()}


Tell = Callable[[Any], None]
"""Takes a line of the trace."""


def silent(_: object) -> None:
    """Take a line of the trace and tell nobody."""


class Meter:
    """What a step spends, from when the meter is made: the reasoner's bill, the step's seconds.

    Raises SettingsError: the graph was invoked without a context.
    """

    def __init__(self, runtime: Runtime[Context]) -> None:
        # LangGraph passes None where the caller gave no context.
        context: Context = runtime.context or Context()
        self._context = context
        self._before, self._began = context.reasoner.spent(), context.clock()

    def spent(self) -> Cost:
        """Return what was spent so far."""
        seconds = self._context.clock() - self._began
        spent = self._context.reasoner.spent() - self._before
        return spent.model_copy(update={"seconds": seconds})


class Outcome(UntrackedValue[Any]):
    """Gives a run's caller the whole answer; a checkpoint has its numbers, first items and places.

    What a task writes to an untracked channel is not saved either, so that no quote is.
    """

    def checkpoint(self) -> Any:
        """Return what is kept of the answer."""
        answer = self.value
        return answer.kept if isinstance(answer, Answer | AdfAnswer) else answer

    def from_checkpoint(self, checkpoint: Any) -> "Outcome":
        """Return a channel that holds what was kept."""
        held = super().from_checkpoint(checkpoint)
        held.value = checkpoint
        return held
