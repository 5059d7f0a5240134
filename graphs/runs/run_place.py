"""Where the runs of a corpus are kept: beside it, or on a server that many machines share."""

from contextlib import AbstractContextManager
from typing import Any, Protocol

from langgraph.checkpoint.base import BaseCheckpointSaver

from agent.cost import Cost
from agent.reasoners.ledger import Bill
from graphs.context import Context


class RunsPlace(Protocol):
    """Checkpoints, locks and bills of the runs of one corpus."""

    def saver(self) -> BaseCheckpointSaver[Any]:
        """Return the checkpoints, opened when first asked for.

        Raises:
            CorpusError: they cannot be opened.
        """
        ...

    def working_on(self, run: str) -> AbstractContextManager[None]:
        """Hold a run's lock, which is freed when the process ends, however it ends.

        Raises:
            RunError: another process, or another session of this one, works on the run.
        """
        ...

    def bill(self, run: str, since: Cost) -> Bill:
        """Open a run's bill where its last checkpoint left it."""
        ...

    def close(self) -> None:
        """Close what was opened."""
        ...


def runs_of(context: Context) -> RunsPlace:
    """Return the place of the runs over the context's corpus."""
    if context.server is None:
        from graphs.runs.beside import RunsBeside

        return RunsBeside(context.corpus.runs)
    from graphs.runs.shared import SharedRuns
    from tools.corpus.manifest import corpus_id

    return SharedRuns(context.server, corpus_id(context.corpus.path))


def has_runs(context: Context) -> bool:
    """Return whether runs may be there; a look at a corpus never asked makes no file beside it."""
    return context.server is not None or (context.corpus.runs / "runs.sqlite").exists()
