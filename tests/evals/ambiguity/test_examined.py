import math

from evals.ambiguity.examined import Marked, code_scores, macro_f1


def marked(found: str, gold: str) -> Marked:
    return Marked(frozenset(found.split()), frozenset(gold.split()))


ASKED = [
    marked("A1", "A1"),
    marked("A1 B1", "A1 A2"),
    marked("A1", ""),
    marked("", "B1"),
    marked("C2", ""),
]


def test_accuracy_is_over_the_questions_that_have_the_code() -> None:
    scores = code_scores(ASKED)
    assert {code: score.accuracy for code, score in scores.items()} == {
        "A1": 0.5,
        "A2": 0.0,
        "B1": 0.0,
        "C2": None,
    }


def test_f1_is_over_all_questions() -> None:
    score = code_scores(ASKED)["A1"]
    assert (score.n, score.found, score.precision, score.recall) == (2, 3, 2 / 3, 1.0)
    assert score.f1 is not None
    assert math.isclose(score.f1, 0.8)


def test_macro_f1_leaves_out_codes_that_nobody_annotated() -> None:
    told = macro_f1(list(code_scores(ASKED).values()))
    assert told is not None
    assert math.isclose(told, 0.8 / 3)
