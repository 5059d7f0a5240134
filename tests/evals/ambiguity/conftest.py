from collections.abc import Callable
from typing import Any

import pytest

SQL = """
CREATE TABLE Venues (id INTEGER PRIMARY KEY, Name TEXT, EventSpace TEXT, Capacity INT, cityId INT,
  FOREIGN KEY (cityId) REFERENCES Cities(id));
CREATE TABLE Cities (id INTEGER PRIMARY KEY, city_name TEXT);
CREATE TABLE Tags (id INTEGER PRIMARY KEY, label TEXT);
CREATE TABLE Venues_Tags (venue INT, tag INT,
  FOREIGN KEY (venue) REFERENCES Venues(id), FOREIGN KEY (tag) REFERENCES Tags(id));
INSERT INTO Cities VALUES (1, 'Riga'), (2, 'Bergen; old town');
INSERT INTO Tags VALUES (1, 'quiet'), (2, 'by the sea');
INSERT INTO Venues VALUES (1, 'Grand Ballroom', 'Banquet Hall', 200, 1),
  (2, 'The Atrium', 'Banquet Hall', 180, 2), (3, 'Room A', 'Conference Room', 200, NULL);
INSERT INTO Venues_Tags VALUES (1, 1), (1, 2), (3, 1);
"""


@pytest.fixture
def sql() -> str:
    return SQL


@pytest.fixture
def ours() -> Callable[..., dict[str, Any]]:
    def make(**members: Any) -> dict[str, Any]:
        settled = {
            "id": "q1",
            "corpus": "x/docs",
            "question": "How many reports have many authors?",
            "ambiguity": ["A1"],
            "is_ambiguous": True,
            "readings": [
                {"rewritten": "At least 3?", "answer_count": 2, "answer": ["a", "b"]},
                {"rewritten": "At least 5?", "answer_count": 70, "answer": ["a"]},
            ],
        }
        return {**settled, **members}

    return make


@pytest.fixture
def ambrosia() -> Callable[..., dict[str, Any]]:
    def make(**members: Any) -> dict[str, Any]:
        settled = {
            "id": "a1",
            "question": "List banquet halls and rooms for 200.",
            "ambiguity": "attachment",
            "interpretations": [
                {"sql": "…", "text": "Both for 200?", "result": [["Grand Ballroom"], ["Room A"]]},
                {"sql": "…", "text": "It does not run?", "result": None, "error": "…"},
            ],
            "db_file": "hotels.sqlite",
            "db_dump": SQL,
        }
        return {**settled, **members}

    return make


@pytest.fixture
def clamber() -> Callable[..., dict[str, Any]]:
    def make(**members: Any) -> dict[str, Any]:
        settled = {
            "id": "c1",
            "question": "Which cafés near the harbour are good?",
            "context": "",
            "category": "MC",
            "subclass": "where",
            "require_clarification": 1,
        }
        return {**settled, **members}

    return make
