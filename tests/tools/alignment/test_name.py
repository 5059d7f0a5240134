"""Spelling is set aside; numbers, legal forms and telling signs are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.alignment.name import parsed, single_spaced


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("ACME, Inc.", "acme Incorporated"),
        ("Müller & Söhne", "Muller und Sohne"),
        ("J. R. R. Tolkien", "J.R.R. Tolkien"),
        ("F.B.I.", "FBI"),
        ("Levi’s Store", "Levis Store"),
        ("US Bank N.V.", "U.S. Bank NV"),
        ("World War II", "world war 2"),
        ("Fjordbruk A/S", "Fjordbruk AS"),
        ("Dr. Ann Lee", "Ann Lee, PhD"),
        ("Python v3.11", "Python 3.11"),
    ],
)
def test_spellings_of_one_name_have_the_same_words(left: str, right: str) -> None:
    assert parsed(left).words == parsed(right).words
    assert parsed(left).numbers == parsed(right).numbers


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("Form 10-K 2014", ("10", "2014")), ("Form 10-K", ("10", "k")),
        ("version 2.0.1", ("2.0.1",)),
        ("Vitamin C", ("c",)), ("Smith, J", ()), ("IV Drip", ()), ("John V. Roe", ()),
        ("no number", ()), ("", ()), ("Area 007", ("7",)), ("9" * 60, ("9" * 60,)),
    ],
)  # fmt: skip
def test_numbers_are_what_tells_names_apart(name: str, numbers: tuple[str, ...]) -> None:
    assert parsed(name).numbers == numbers


@pytest.mark.parametrize(
    ("name", "words"),
    [
        pytest.param("The Limited", ("limited",), id="nothing but a legal form"),
        pytest.param("The", ("the",), id="nothing but an article"),
        pytest.param(" – ", ("–",), id="nothing but a mark"),
        pytest.param("Golden Spa", ("golden", "spa"), id="a word like a legal form"),
        pytest.param("Dr. Pepper", ("dr", "pepper"), id="a title before one word"),
        pytest.param("Shell UK", ("shell", "uk"), id="a country"),
    ],
)
def test_what_names_is_kept(name: str, words: tuple[str, ...]) -> None:
    assert parsed(name).words == words


def test_all_legal_forms_at_the_end_are_set_apart_and_voicing_makes_another_letter() -> None:
    assert parsed("ガス").words != parsed("カス").words
    name = parsed("Müller GmbH & Co. KG")
    assert (name.words, name.legal) == (("muller",), ("gmbh", "co", "kg"))


@given(st.text(max_size=30))
def test_spaces_never_matter_and_some_word_is_left(name: str) -> None:
    assert parsed(f"  {name}\n").words == parsed(name).words
    assert single_spaced(f" {name} \n") == single_spaced(name)
    assert all(parsed(name).words) or not name.strip()
