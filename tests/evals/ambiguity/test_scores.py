import math

from hypothesis import given
from hypothesis import strategies as st

from agent.taxonomy import CODES
from evals.ambiguity.examined import Marked, code_scores, covers, macro_f1

MARKED = st.builds(
    Marked, st.frozensets(st.sampled_from(CODES)), st.frozensets(st.sampled_from(CODES))
)


def marked(found: str, gold: str) -> Marked:
    return Marked(frozenset(found.split()), frozenset(gold.split()))


ASKED = [
    marked("A1", "A1"),
    marked("A1 B1", "A1 A2"),
    marked("A1", ""),
    marked("", "B1"),
    marked("C2", ""),
]


def test_codes_too_many_do_no_harm_and_codes_too_few_do() -> None:
    assert [covers(each) for each in ASKED] == [True, False, True, False, True]


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


def test_without_annotations_there_is_no_macro_f1() -> None:
    assert macro_f1(list(code_scores([marked("A1", "")]).values())) is None


@given(st.lists(MARKED, max_size=8))
def test_scores_are_shares(asked: list[Marked]) -> None:
    for score in code_scores(asked).values():
        for share in (score.accuracy, score.precision, score.recall, score.f1):
            assert share is None or 0.0 <= share <= 1.0


@given(st.lists(st.frozensets(st.sampled_from(CODES)), min_size=1, max_size=8))
def test_what_is_found_exactly_is_perfect(golds: list[frozenset[str]]) -> None:
    scores = code_scores([Marked(gold, gold) for gold in golds])
    assert all(score.f1 == score.accuracy == 1.0 for score in scores.values())
