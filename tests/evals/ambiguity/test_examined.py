import math
from typing import Any

from evals.ambiguity.examined import Examined, code_scores, macro_f1
from evals.questions import Record


def examined(name: str, found: str, gold: str) -> Examined:
    codes: Any = tuple(gold.split())
    record = Record(id=name, question="?", ambiguity=codes)
    return Examined(record=record, codes=tuple(found.split()))


ASKED = [
    examined("q1", "A1", "A1"),
    examined("q2", "A1 B1", "A1 A2"),
    examined("q3", "A1", ""),
    examined("q4", "", "B1"),
    examined("q5", "C2", ""),
]


def test_accuracy_is_over_the_questions_that_have_the_code() -> None:
    scores = code_scores(ASKED)
    assert {code: score["accuracy"] for code, score in scores.items()} == {
        "A1": 0.5,
        "A2": 0.0,
        "B1": 0.0,
        "C2": None,
    }


def test_f1_is_over_all_questions() -> None:
    score = code_scores(ASKED)["A1"]
    told = [score[name] for name in ("n", "found", "precision", "recall", "f1")]
    assert told == [2, 3, 2 / 3, 1.0, 0.8]


def test_macro_f1_leaves_out_codes_that_nobody_annotated() -> None:
    told = macro_f1(code_scores(ASKED))
    assert told is not None
    assert math.isclose(told, 0.8 / 3)
