"""Which option a reply numbers, where it says nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.option_number import option_number

SAID = (
    "2", "2.", "2)", "(2)", "[2]", "#2", "option 2", "Option #2", "no. 2", "No 2", "nr. 2",
    "number 2", "answer: 2", "choice (2)", "\uff12", "\uff08\uff12\uff09", "\u0662", "second",
    "the second", "The second one.", "the 2nd", "2nd option", "option two", "number two",
    "2, please", "the second one please", "the  second\none",
)  # fmt: skip
WORDS = (
    "", "two", "2 or more", "at least 2", "2.5", "2%", "2019-02", "the second half", "a2", "no",
    "the 2 largest", "second-hand", "option", "not the second", "1 and 2", "\u00b2", "2 years",
)  # fmt: skip


@pytest.mark.parametrize("text", SAID)
def test_the_second_is_said(text: str) -> None:
    assert option_number(text) == 2


@pytest.mark.parametrize("text", WORDS)
def test_all_else_is_words(text: str) -> None:
    assert option_number(text, among=3) is None


@pytest.mark.parametrize(
    ("text", "number"), [("the last", 3), ("the latter", 3), ("the former", 1), ("last one", 3)]
)
def test_some_are_counted_from_the_end(text: str, number: int) -> None:
    assert option_number(text, among=3) == number


@given(
    number=st.integers(-999, 999_999_999), form=st.sampled_from(("{}", " {}. ", "({})", "no. {}"))
)
def test_a_number_is_told_in_range_or_not(number: int, form: str) -> None:
    assert option_number(form.format(number)) == number


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert option_number(text) is None or any(each.isalnum() for each in text)
