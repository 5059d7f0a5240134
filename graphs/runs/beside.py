"""Runs kept beside their corpus: a file of checkpoints, a lock and a bill a run."""

from contextlib import AbstractContextManager
from pathlib import Path

from langgraph.checkpoint.sqlite import SqliteSaver

from agent.cost import Cost
from agent.reasoners.ledger import Bill, BillFile
from graphs.runs.checkpoints import checkpointer
from graphs.runs.lock import working_on

__all__ = ("RunsBeside",)


class RunsBeside:
    """A corpus's folder of runs; satisfies `RunsPlace`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._saver: SqliteSaver | None = None

    def saver(self) -> SqliteSaver:
        """Return the checkpoints, opened when first asked for."""
        if self._saver is None:
            self._saver = checkpointer(self._folder)
        return self._saver

    def working_on(self, run: str) -> AbstractContextManager[None]:
        """Hold a run's lock."""
        return working_on(run, self._folder)

    def bill(self, run: str, since: Cost) -> Bill:
        """Open a run's bill where its last checkpoint left it."""
        return Bill(BillFile(self._folder / "bills" / f"{run}.jsonl"), since)

    def close(self) -> None:
        """Close the file of checkpoints."""
        if self._saver is not None:
            self._saver.conn.close()
