"""Runs kept beside their corpus: one SQLite file of checkpoints; per run, a lock and a bill."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from agent import adf_state
from agent.cost import Cost
from agent.errors import CorpusError, RunError
from agent.private_database import enter_write_ahead
from agent.reasoners.ledger import Bill, BillFile
from agent.records import analysis
from agent.state import CHECKPOINTED
from tools.corpus.processes import holding
from tools.sqlite_file import FileForm, check_pages, explained, private_connection

CHECKPOINTS: Final = FileForm(
    name="file of checkpoints",
    migrations=(),
    remedy="delete it: unfinished runs are lost, finished answers and the corpus are not",
)
"""Its tables are LangGraph's."""


class RunsBeside:
    """A corpus's folder of runs: checkpoints, locks and bills."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._saver: SqliteSaver | None = None

    def saver(self) -> SqliteSaver:
        """Return the checkpoints, opened when first asked for.

        Raises:
            CorpusDamaged: the file is not a sound database.
            CorpusLocked: another process has been writing it for half a minute.
            CorpusError: the folder cannot be written.
        """
        if self._saver is not None:
            return self._saver
        path = self._folder / "checkpoints.sqlite"
        connection = private_connection(path, CHECKPOINTS)
        try:
            with explained(path, CHECKPOINTS):
                if not connection.held_seal:
                    check_pages(connection, path, CHECKPOINTS)
                enter_write_ahead(connection, path)
                connection.unseal()
                connection.is_sound = True
        except CorpusError:
            connection.close()
            raise
        self._saver = SqliteSaver(connection, serde=serializer())
        return self._saver

    @contextmanager
    def working_on(self, run: str) -> Iterator[None]:
        """Hold a run's lock, which the operating system frees however its process ends.

        Raises RunError: another process, or another session of this one, works on the run.
        """
        folder = self._folder / "locks"
        folder.mkdir(parents=True, exist_ok=True)
        told = f"run {run!r} is being worked on by another process: wait until it is done"
        with holding(folder / f"{run}.lock", RunError(told)):
            yield

    def bill(self, run: str, since: Cost) -> Bill:
        """Open a run's bill where its last checkpoint left it."""
        return Bill(BillFile(self._folder / "bills" / f"{run}.jsonl"), since)

    def close(self) -> None:
        """Close the file of checkpoints."""
        if self._saver is not None:
            self._saver.conn.close()


def registered(saver: BaseCheckpointSaver[Any] | None) -> BaseCheckpointSaver[Any] | None:
    """Return a checkpointer that restores the states' own types, as one that lists none would not.

    The one that was given shares what is kept and stays as it is.
    """
    if saver is None:
        return None
    listed = saver.with_allowlist([(each.__module__, each.__name__) for each in _types()])
    if listed is saver and type(saver.serde) is JsonPlusSerializer:
        listed = copy.copy(saver)
        listed.serde = serializer()
    return listed


def serializer() -> JsonPlusSerializer:
    """Return a strict serializer, which restores the states' own types and nothing else."""
    return JsonPlusSerializer(allowed_msgpack_modules=_types())


def _types() -> list[type]:
    return list(dict.fromkeys((*CHECKPOINTED, *adf_state.CHECKPOINTED, *analysis.CHECKPOINTED)))
