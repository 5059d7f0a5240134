"""What of a run is done, on disk after each question, so that a kill loses only those under way."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from pydantic import ValidationError

from agent.errors import SettingsError
from evals.experiments.measuring import Measured
from evals.experiments.result import Result

__all__ = ("Journal", "Key")

Key = tuple[str, str, str]
"""Collection, arm, question."""
_TABLE = """
CREATE TABLE IF NOT EXISTS measured (
  collection TEXT NOT NULL, arm TEXT NOT NULL, question TEXT NOT NULL,
  result TEXT NOT NULL, seconds REAL NOT NULL,
  PRIMARY KEY (collection, arm, question)
) STRICT
"""


class Journal:
    """A table of measured cells in one SQLite file; used from one thread."""

    def __init__(self, path: Path) -> None:
        """Open a journal, or begin one; raise SettingsError where the file is damaged."""
        self._path = path
        try:
            with closing(self._open()) as database, database:
                database.execute(_TABLE)
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from error

    def add(self, key: Key, measured: Measured) -> None:
        """Write a cell down for good; one measured again replaces what was there."""
        told = json.dumps(measured.result.model_dump(mode="json"), ensure_ascii=False)
        with closing(self._open()) as database, database:
            database.execute(
                "INSERT OR REPLACE INTO measured VALUES (?, ?, ?, ?, ?)",
                (*key, told, measured.seconds),
            )

    def done(self) -> dict[Key, Measured]:
        """Return everything that was written; raise SettingsError where it cannot be read."""
        try:
            return dict(self._rows())
        except (sqlite3.DatabaseError, ValidationError) as error:
            raise self._damaged(error) from error

    def _rows(self) -> Iterator[tuple[Key, Measured]]:
        with closing(self._open()) as database:
            rows = database.execute("SELECT * FROM measured").fetchall()
        for collection, arm, question, result, seconds in rows:
            key = (str(collection), str(arm), str(question))
            yield key, Measured(Result.model_validate_json(result), float(seconds))

    def _damaged(self, error: sqlite3.DatabaseError | ValidationError) -> SettingsError:
        first = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
        return SettingsError(
            f"the journal {str(self._path)!r} cannot be read: {first}; choose another folder, or "
            "delete the journal and measure again"
        )

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=30)
