import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.built import write

TOOLS = ("Kestrel", "Osprey", "Merlin")
_FILLER = "The gardens of the town were open to all who came by in the summer months. "


def reports() -> dict[str, str]:
    """Twenty reports: status, author and year in the header, sections, and a tool or two."""
    return {f"report-{number:02}.txt": _report(number) for number in range(20)}


def _report(number: int) -> str:
    status = ("Open", "Closed", "Closed", "Withdrawn")[number % 4]
    header = f"Status: {status}\nCreated: 2{number % 10}-Mar-{2010 + number}\n"
    tools = [tool for at, tool in enumerate(TOOLS) if number % (at + 4) == 0]
    said = " ".join(f"We ran {tool} twice, and {tool} failed." for tool in tools)
    risks = "## Known Risks\n\nThere are some.\n" if number % 6 == 1 else ""
    return f"{header}\n# Report {number}\n\n{_FILLER}{said}\n\n{risks}"


def strangers() -> dict[str, str]:
    """Ten documents on other things; one of them speaks of a tool."""
    told = {
        f"stranger-{number}.txt": f"# Letter {number}\n\n{_FILLER * 2}\n" for number in range(24)
    }
    return told | {"stranger-9.txt": f"{_FILLER}An Osprey flew by.\n"}


@pytest.fixture
def core(tmp_path: Path) -> Path:
    return write(tmp_path / "reports", reports())


@pytest.fixture
def others(tmp_path: Path) -> Path:
    return write(tmp_path / "strangers", strangers())


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
