"""Checkpoints of runs: one SQLite file beside the corpus, strictly deserialised."""

import sqlite3
from pathlib import Path

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from agent import adf_state as adf
from agent.errors import CorpusDamaged, CorpusError, CorpusLocked
from agent.private_database import enter_write_ahead, make_private
from agent.records import analysis
from agent.state import CHECKPOINTED

__all__ = ("checkpointer", "serializer")

_BUSY_SECONDS = 30.0


def checkpointer(runs: Path) -> SqliteSaver:
    """Open the checkpoints in a corpus's folder of runs; whoever opens it closes its `conn`.

    Raises:
        CorpusDamaged: the file is not a sound database.
        CorpusLocked: another process has been writing it for half a minute.
        CorpusError: the folder cannot be written.
    """
    path = runs / "checkpoints.sqlite"
    try:
        runs.mkdir(parents=True, exist_ok=True)
        make_private(path)
    except OSError as error:
        raise CorpusError(
            f"cannot write {str(path)!r} ({error.strerror}); make its folder writable"
        ) from error
    connection = sqlite3.connect(path, check_same_thread=False, timeout=_BUSY_SECONDS)
    try:
        _check(connection, path)
        enter_write_ahead(connection, path)
    except CorpusError:
        connection.close()
        raise
    return SqliteSaver(connection, serde=serializer())


def serializer() -> JsonPlusSerializer:
    """Return the strict serializer: it makes the states' own types and nothing else."""
    allowed = list(dict.fromkeys((*CHECKPOINTED, *adf.CHECKPOINTED, *analysis.CHECKPOINTED)))
    return JsonPlusSerializer(allowed_msgpack_modules=allowed)


def _check(connection: sqlite3.Connection, path: Path) -> None:
    try:
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        raise CorpusLocked(f"{str(path)!r} cannot be used now ({error}); try again") from error
    except sqlite3.DatabaseError as error:
        verdict = str(error)
    if verdict != "ok":
        raise CorpusDamaged(
            f"{str(path)!r} is damaged ({verdict}); delete it: unfinished runs are lost, "
            "finished answers and the corpus are not"
        )
