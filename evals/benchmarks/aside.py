"""How long a graph takes besides its nodes."""

import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

import numpy as np
from langchain_core.callbacks import BaseCallbackHandler
from numpy.typing import NDArray

__all__ = ("NodeTime",)


class NodeTime(BaseCallbackHandler):
    """Adds up the time between the start and the end of each node: on the clock, of processors."""

    def __init__(self) -> None:
        self.runs: list[float] = []
        """Seconds on the clock that the nodes of each run took."""
        self.computing: list[float] = []
        """Seconds of processor time that each run took besides its nodes."""
        self._begun: dict[UUID, NDArray[np.float64]] = {}
        self._taken = np.zeros(2)

    def aside(self, run: Callable[[], object]) -> float:
        """Return the seconds on the clock that a run took besides its nodes."""
        self._taken = np.zeros(2)
        began = _now()
        run()
        clock, computing = _now() - began - self._taken
        self.runs.append(float(self._taken[0]))
        self.computing.append(float(computing))
        return float(clock)

    def on_chain_start(
        self, *_: Any, run_id: UUID, metadata: dict[str, Any] | None = None, **told: Any
    ) -> None:
        """Remember when a node began; what runs inside a node is a part of it."""
        if told.get("name") is not None and told["name"] == (metadata or {}).get("langgraph_node"):
            self._begun[run_id] = _now()

    def on_chain_end(self, *_: Any, run_id: UUID, **__: Any) -> None:
        """Add what a node took."""
        if run_id in self._begun:
            self._taken += _now() - self._begun.pop(run_id)


def _now() -> NDArray[np.float64]:
    """Return the clock and the process's processor time, of all threads, in seconds."""
    return np.array([time.perf_counter(), time.process_time()])
