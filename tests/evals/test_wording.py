import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.wording import d_f1, dr_f1, rouge_l, token_f1, tokens

TEXTS = st.text(alphabet="ab c1,.éÉ", max_size=40)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cat, a dog & an owl.", ["cat", "dog", "owl"]),
        ("ﬁnal STRASSE", ["final", "strasse"]),
        ("1,024.5 and 3.", ["1,024.5", "and", "3"]),
        ("snake_case", ["snake", "case"]),
        ("—!", []),
    ],
    ids=["articles", "compatible", "numbers", "underscore", "nothing"],
)
def test_words_are_normalised(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@given(TEXTS)
def test_a_text_is_the_same_as_itself(text: str) -> None:
    assert token_f1(text, [text]) == rouge_l(text, [text]) == 1.0


@given(TEXTS, TEXTS)
def test_both_measures_are_symmetric_shares(one: str, other: str) -> None:
    assert token_f1(one, [other]) == token_f1(other, [one])
    assert rouge_l(one, [other]) == rouge_l(other, [one])
    assert 0.0 <= rouge_l(one, [other]) <= token_f1(one, [other]) <= 1.0


@given(TEXTS, st.lists(TEXTS, max_size=4), TEXTS)
def test_another_reference_never_harms(said: str, references: list[str], more: str) -> None:
    assert token_f1(said, references) <= token_f1(said, [*references, more])
    assert rouge_l(said, references) <= rouge_l(said, [*references, more])


@given(st.lists(TEXTS, max_size=3), st.lists(st.lists(TEXTS, max_size=2), max_size=4), TEXTS)
def test_a_further_prediction_covers_no_less(
    said: list[str], readings: list[list[str]], more: str
) -> None:
    assert d_f1(said, readings) <= d_f1([*said, more], readings) <= 1.0


def test_without_references_nothing_is_covered() -> None:
    assert (token_f1("x", []), rouge_l("x", []), d_f1(["x"], [])) == (0.0, 0.0, 0.0)


def test_a_reading_is_covered_by_any_of_its_answers() -> None:
    assert d_f1(["the year 1815"], [["in 1815", "June 1815"], ["1870"]]) == 0.5


def test_order_matters_to_rouge_alone() -> None:
    assert token_f1("b a", ["b a"]) == 1.0
    assert token_f1("x b", ["b x"]) == 1.0
    assert rouge_l("x b", ["b x"]) == 0.5


@given(st.floats(0, 1), st.floats(0, 1))
def test_dr_f1_lies_between_its_parts(coverage: float, overlap: float) -> None:
    low, high = sorted((coverage, overlap))
    assert low - 1e-12 <= dr_f1(coverage, overlap) <= high + 1e-12
