"""Spelling is set aside; numbers, legal forms and telling signs are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.names import initials, normal, numbers, single_spaced


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("ACME, Inc.", "acme Incorporated"),
        ("The Hague", "hague"),
        ("Müller & Söhne", "Muller and Sohne"),
        ("J. R. R. Tolkien", "J.R.R. Tolkien"),
        ("F.B.I.", "FBI"),
        ("Non-Profit  Act", "non profit act"),
        ("PEP 0484", "PEP-484"),
        ("1,000 Islands", "1000 islands"),
        ("Levi’s Store", "Levi Store"),
        ("US Bank N.A.", "U.S. Bank NA"),
    ],
)
def test_spellings_of_one_name_have_one_form(left: str, right: str) -> None:
    assert normal(left) == normal(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("PEP 484", "PEP 585"), ("Q1", "Q2"), ("Python 3.1", "Python 3.10"), ("C", "C++"),
        ("C++", "C#"), ("Henry VII", "Henry VIII"), ("World War I", "World War II"),
        ("Class A", "Class B"), ("Acme Inc.", "Acme LLC"), ("3.100", "3100"),
    ],
)  # fmt: skip
def test_names_that_differ_keep_different_forms(left: str, right: str) -> None:
    assert normal(left) != normal(right)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Form 10-K 2014", ("10", "2014")), ("version 2.0.1", ("2.0.1",)), ("Louis XIV", ("XIV",)),
        ("Vitamin C", ("C",)), ("Smith, J", ()), ("IV Drip", ()), ("no number", ()), ("", ()),
        ("Area 007", ("7",)),
    ],
)  # fmt: skip
def test_numbers_are_what_tells_names_apart(name: str, found: tuple[str, ...]) -> None:
    assert numbers(name) == found


def test_a_name_of_nothing_but_a_legal_form_or_an_article_keeps_it() -> None:
    assert normal("The Limited").words == ("limited",)
    assert normal("The").words == ("the",)
    assert normal(" – ").words == ("–",)


def test_acronyms_may_leave_small_words_out() -> None:
    assert initials(("bank", "of", "england")) == {"boe", "be"}


@given(st.text(max_size=30))
def test_case_and_spaces_never_matter(name: str) -> None:
    assert normal(f"  {name}\n").words == normal(name).words
    assert single_spaced(f" {name} \n") == single_spaced(name)
    assert all(normal(name).words) or not name.strip()
