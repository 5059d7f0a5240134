import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

SHIPS = """
CREATE TABLE Battle (ID INTEGER PRIMARY KEY, Name TEXT, Year INTEGER);
CREATE TABLE Ship (
  Ship_ID INTEGER PRIMARY KEY, Name TEXT, Tonnage REAL, Kind TEXT, Lost_in_battle INTEGER,
  FOREIGN KEY (Lost_in_battle) REFERENCES Battle (ID)
);
INSERT INTO Battle VALUES (1, 'Rusion', 1206), (2, 'Serres', 1205), (3, 'Boruy', 1208);
INSERT INTO Ship VALUES
  (10, 'Avon', 391, 'Brig', 1), (11, 'Mary', 200, 'Brig', 1), (12, 'Lettice', NULL, 'Cog', 2),
  (13, 'Bon Accord', 225.5, 'Brig', NULL), (14, 'Rose', 80, 'Cog', 2);
"""
Make = Callable[[str, str], Path]


@pytest.fixture
def databases(tmp_path: Path) -> Path:
    return tmp_path / "database"


@pytest.fixture
def make(databases: Path) -> Make:
    """Write a database as Spider lays them out."""

    def written(name: str, script: str) -> Path:
        path = databases / name / f"{name}.sqlite"
        path.parent.mkdir(parents=True)
        connection = sqlite3.connect(path)
        connection.executescript(script)
        connection.close()
        return path

    return written


@pytest.fixture
def ships(make: Make) -> Path:
    return make("ships", SHIPS)
