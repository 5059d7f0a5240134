from pathlib import Path

import pytest

from evals.experiments.experiment import Collection
from tests.evals.question_files import written

REPORTS = ["one", "two", "three", "four", "five", "six"]
CLEAR = "How many reports have the status Open?"


@pytest.fixture
def reports(tmp_path: Path) -> Collection:
    """Six reports with one to six authors, and two questions: one ambiguous, one clear."""
    texts = {}
    for authors, name in enumerate(REPORTS, start=1):
        listed = ", ".join(f"Writer {at} Surname" for at in range(authors))
        told = f"Author: {listed}\nStatus: Open\n\nA report about harbour number {authors}.\n"
        texts[f"{name}.txt"] = told
    readings = [
        {
            "rewritten": f"How many reports have at least {limit} authors?",
            "answer_count": 7 - limit,
            "answer": REPORTS[limit - 1 :],
        }
        for limit in (3, 5)
    ]
    open_ = {"rewritten": CLEAR, "answer_count": 6, "answer": REPORTS}
    unclear = {"id": "q1", "question": "How many reports have many authors?", "ambiguity": ["A1"]}
    clear = {"id": "q2", "question": CLEAR, "ambiguity": [], "readings": [open_]}
    return written(tmp_path, texts, unclear | {"readings": readings}, clear)
