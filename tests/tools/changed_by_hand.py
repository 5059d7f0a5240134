"""A database changed as by a person who knows of the seal: what else looks at it must tell."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tools.sqlite_file import seal_of


@contextmanager
def by_hand(path: Path) -> Iterator[sqlite3.Connection]:
    """Hold a connection of SQLite's own to a database whose seal is deleted."""
    seal_of(path).unlink(missing_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection
