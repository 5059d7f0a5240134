from collections.abc import Callable
from typing import Any

import pytest


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
            "db_file": "hotels.sqlite",
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
