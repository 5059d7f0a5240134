import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.reasoners.rules.aligning.align_names import ruling


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param("Acme, Inc.", "ACME", id="legal form"),
        pytest.param("Zoë Müller", "Zoe Muller", id="diacritics"),
        pytest.param("The Hague", "Hague", id="article"),
        pytest.param("World Health Organization", "WHO", id="acronym"),
        pytest.param("Department of Trade", "DOT", id="acronym with small words"),
        pytest.param("G. van Rossum", "Guido van Rossum", id="initials"),
        pytest.param("JR Whitlock", "John Robert Whitlock", id="joined initials"),
        pytest.param("Robert F. Moss", "Robert Moss", id="middle initial"),
        pytest.param("Rossum, Guido van", "Guido van Rossum", id="inverted"),
        pytest.param("Tanaka Hiroshi", "Hiroshi Tanaka", id="swapped"),
        pytest.param("State of Texas", "Texas", id="place"),
        pytest.param("apple", "apples", id="plural"),
        pytest.param("Smith & Sons", "Smith and Sons", id="ampersand"),
        pytest.param("Harbour Defence League", "Harbor Defense League", id="British spelling"),
        pytest.param("Dept. of Forestry", "Department of Forestry", id="abbreviation"),
        pytest.param("Ministry for Trade", "Ministry of Trade", id="small words"),
    ],
)
def test_two_writings_of_one_name_are_the_same(left: str, right: str) -> None:
    assert ruling(left, right).same
    assert ruling(right, left).same


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param("PEP 484", "PEP 585", id="numbers"),
        pytest.param("Python 3.1", "Python 3.12", id="versions"),
        pytest.param("Python 3", "Python", id="a version and none"),
        pytest.param("Initech LLC", "Initech GmbH", id="legal forms"),
        pytest.param("Initech Ltd", "Initech LLC", id="legal forms that begin alike"),
        pytest.param("North Korea", "Korea", id="side"),
        pytest.param("Ivanov", "Ivanova", id="gender"),
        pytest.param("Mario Rossi", "Maria Rossi", id="given name of the other gender"),
        pytest.param("apple", "apple pie", id="kind"),
    ],
)
def test_what_tells_names_apart_is_told(left: str, right: str) -> None:
    assert ruling(left, right).same is False
    assert ruling(right, left).same is False


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param("Anna Roe", "Anna Poe", id="family names"),
        pytest.param("J. Roe", "Anna Roe", id="initial"),
        pytest.param("Shell", "Shell UK", id="part"),
        pytest.param("Clean Rivers Act", "Clean Rivers Act of 1974", id="year"),
        pytest.param("United Nations", "UN", id="two letters"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_what_no_rule_settles_is_left_open(left: str, right: str) -> None:
    assert ruling(left, right).same is None
    assert ruling(right, left).same is None


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_ruling_has_no_direction(left: str, right: str) -> None:
    assert ruling(left, right).same == ruling(right, left).same
