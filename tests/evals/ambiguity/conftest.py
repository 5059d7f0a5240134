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
