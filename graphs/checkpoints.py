"""Checkpoints of runs: one SQLite file beside the corpus, strictly deserialised."""

import sqlite3
from pathlib import Path

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from agent.errors import CorpusDamaged
from agent.state import CHECKPOINTED

__all__ = ("checkpointer",)


def checkpointer(runs: Path) -> SqliteSaver:
    """Open the checkpoints in a corpus's folder of runs.

    Only the state's own types are ever made from the file; anything else stays plain data.

    Raises:
        CorpusDamaged: the file is not a sound database.
    """
    runs.mkdir(parents=True, exist_ok=True)
    path = runs / "checkpoints.sqlite"
    path.touch(mode=0o600, exist_ok=True)
    try:
        connection = sqlite3.connect(path, check_same_thread=False, timeout=30)
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        raise CorpusDamaged(f"{path} is damaged ({error}); delete it to start afresh") from error
    if verdict != "ok":
        raise CorpusDamaged(f"{path} is damaged ({verdict}); delete it to start afresh")
    serde = JsonPlusSerializer(allowed_msgpack_modules=list(CHECKPOINTED))
    return SqliteSaver(connection, serde=serde)
