"""How long a graph takes besides its nodes."""

import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler

__all__ = ("NodeTime",)


class NodeTime(BaseCallbackHandler):
    """Adds up the time between the start and the end of each node."""

    def __init__(self) -> None:
        self.runs: list[float] = []
        """Seconds that the nodes of each run took."""
        self._begun: dict[UUID, float] = {}
        self._taken = 0.0

    def aside(self, run: Callable[[], object]) -> float:
        """Return the seconds that a run took besides its nodes."""
        self._taken = 0.0
        began = time.perf_counter()
        run()
        whole = time.perf_counter() - began
        self.runs.append(self._taken)
        return whole - self._taken

    def on_chain_start(
        self, *_: Any, run_id: UUID, metadata: dict[str, Any] | None = None, **told: Any
    ) -> None:
        """Remember when a node began; what runs inside a node is a part of it."""
        if told.get("name") is not None and told["name"] == (metadata or {}).get("langgraph_node"):
            self._begun[run_id] = time.perf_counter()

    def on_chain_end(self, *_: Any, run_id: UUID, **__: Any) -> None:
        """Add what a node took."""
        if run_id in self._begun:
            self._taken += time.perf_counter() - self._begun.pop(run_id)
